import { chmodSync, closeSync, constants, existsSync, lstatSync, mkdirSync, openSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { ClawaiError } from '../errors.ts';

/** What SQLite keeps beside a database. */
const COMPANIONS = ['-wal', '-shm', '-journal'] as const;

/** Making a file where nothing is, not even a link that leads nowhere. (Windows has no such flag as the last.) */
const CREATE = constants.O_RDWR | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);

/**
 * Sees that SQLite finds a file at this path that only the user can read, or an empty one that was made just now, in a folder that
 * only the user can read where that was missing.
 *
 * A file that is there is never opened here: closing it would take away the locks that SQLite holds on it in this process.
 *
 * @returns true where the file has something in it
 * @throws ClawaiError `store_unavailable` where something else than a file is there; what the operating system reports
 */
export function preparePrivateFile(file: string): boolean {
  if (lstatSync(file, { throwIfNoEntry: false }) === undefined) {
    makeFolder(dirname(file));
    create(file);
  }
  for (const path of [file, ...COMPANIONS.map((suffix) => file + suffix)]) keepPrivate(path);
  return (lstatSync(file, { throwIfNoEntry: false })?.size ?? 0) > 0;
}

/**
 * True where a file is at this path, and files or nothing in the places of what SQLite keeps beside it: opening a pipe would wait for
 * whoever writes into it, and everything else with it.
 */
export function isPlainFile(file: string): boolean {
  if (lstatSync(file, { throwIfNoEntry: false })?.isFile() !== true) return false;
  return COMPANIONS.every((suffix) => lstatSync(file + suffix, { throwIfNoEntry: false })?.isFile() !== false);
}

/**
 * Makes the file, and removes what a deleted one of that name left behind: SQLite would take its pages for the new one's. Only what
 * was there before the file was is removed, since another process may have made the file, and begun to use it, meanwhile.
 */
function create(file: string): void {
  const left = COMPANIONS.map((suffix) => ({ path: file + suffix, inode: inodeOf(file + suffix) }));
  try {
    closeSync(openSync(file, CREATE, 0o600));
  } catch (error) {
    // Another process made it just now.
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

/**
 * Makes what is missing of a folder's path, for nobody but the user. One by one: Node's own recursive way tries for ever where
 * a file system says that the folder above is missing although it is there, as procfs does.
 */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  const parent = dirname(folder);
  if (parent !== folder) makeFolder(parent);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process made it just now. Where it is something else than a folder, making the file tells.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
