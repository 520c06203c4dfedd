import { chmodSync, closeSync, constants, lstatSync, openSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ClawaiError } from '../errors.ts';
import { makePrivateFolder } from '../host/make-folder.ts';

/** The files that SQLite keeps beside a database. */
const COMPANIONS = ['-wal', '-shm', '-journal'] as const;

/** Creates a file only where nothing exists, not even a dangling link. (Windows lacks the last flag.) */
const CREATE = constants.O_RDWR | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);

/**
 * Makes sure that SQLite finds a file at this path that only the user can read: the existing one, or a new empty one. Creates missing
 * folders, for the user only.
 *
 * An existing file is never opened here: closing it would drop the locks that SQLite holds on it in this process.
 *
 * @returns true if the file has content
 * @throws ClawaiError `store_unavailable` if the path holds anything but a file; the operating system's errors as they are
 */
export function preparePrivateFile(file: string): boolean {
  if (lstatSync(file, { throwIfNoEntry: false }) === undefined) {
    makePrivateFolder(dirname(file));
    create(file);
  }
  for (const path of [file, ...COMPANIONS.map((suffix) => file + suffix)]) keepPrivate(path);
  return (lstatSync(file, { throwIfNoEntry: false })?.size ?? 0) > 0;
}

/**
 * Tells whether the path holds a file, and the places beside it hold SQLite's files or nothing: opening a pipe would block until somebody
 * writes into it.
 */
export function isPlainFile(file: string): boolean {
  if (lstatSync(file, { throwIfNoEntry: false })?.isFile() !== true) return false;
  return COMPANIONS.every((suffix) => lstatSync(file + suffix, { throwIfNoEntry: false })?.isFile() !== false);
}

/**
 * Creates the file, and removes what a deleted file of that name left behind: SQLite would take those pages for the new file's. Only
 * companions that existed before the file are removed, since another process may have created and begun to use the file meanwhile.
 */
function create(file: string): void {
  const left = COMPANIONS.map((suffix) => ({ path: file + suffix, inode: inodeOf(file + suffix) }));
  try {
    closeSync(openSync(file, CREATE, 0o600));
  } catch (error) {
    // Another process created it meanwhile.
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return;
    throw error;
  }
  for (const { path, inode } of left) if (inode !== undefined && inodeOf(path) === inode) rmSync(path, { force: true });
}

function inodeOf(path: string): bigint | undefined {
  return lstatSync(path, { throwIfNoEntry: false, bigint: true })?.ino;
}

function keepPrivate(path: string): void {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return;
  if (!found.isFile()) {
    const what = found.isSymbolicLink() ? 'a link' : found.isDirectory() ? 'a folder' : 'a pipe or a device';
    throw new ClawaiError(`${path} is ${what}, not a file`, {
      code: 'store_unavailable',
      place: { file: path },
      hint: 'move it away, and clawai starts a new store; to keep the store elsewhere, set state_dir in config.toml',
    });
  }
  const isOurs = process.getuid === undefined || found.uid === process.getuid();
  if (isOurs && process.platform !== 'win32' && (found.mode & 0o077) !== 0) chmodSync(path, 0o600);
}

/** Returns the path of the store, one file in clawai's state folder. SQLite's own files lie beside it. */
export function storeFile(stateDirectory: string): string {
  return join(stateDirectory, 'clawai.db');
}
