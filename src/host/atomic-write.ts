import { randomBytes } from 'node:crypto';
import {
  closeSync,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type Checkpoint, codeOf, NO_CHECKPOINT } from './disk.ts';
import { isRunning } from './machine.ts';

/** Retries of a rename, and milliseconds between them: on Windows it fails while a scanner has the file open. */
const RENAME_TRIES = 10;
const RENAME_REST_MS = 50;

/** Age at which another process's temporary file counts as abandoned; no write of ours takes that long. */
const ABANDONED_AFTER_MS = 60_000;

export interface AtomicWriteOptions {
  /** Permissions of the new file, e.g. 0o600. */
  readonly mode: number;
  /** The new file's owner, as far as the operating system permits. */
  readonly owner?: { readonly uid: number; readonly gid: number } | undefined;
  /** Called once the new bytes are flushed to disk, right before the file is replaced; throwing leaves everything as it was. */
  readonly beforeReplacing?: (() => void) | undefined;
  readonly checkpoint?: Checkpoint | undefined;
}

/**
 * Replaces a file's bytes so that readers see either all the old ones or all the new ones, even after a crash. It writes them beside the
 * file, flushes them, and renames. `file` must not be a link, since the link would be replaced.
 *
 * If anything is thrown (by the operating system or `beforeReplacing`), the file is unchanged and nothing is left beside it.
 */
export function writeAtomically(file: string, bytes: Uint8Array, options: AtomicWriteOptions): void {
  const { mode, owner, beforeReplacing, checkpoint = NO_CHECKPOINT } = options;
  const folder = dirname(file);
  removeAbandoned(file);
  const temporary = join(folder, `.${basename(file)}.clawai-${process.pid}-${randomBytes(6).toString('hex')}.tmp`);
  try {
    checkpoint('create');
    const handle = openSync(temporary, 'wx', 0o600);
    try {
      checkpoint('write');
      writeAll(handle, bytes);
      if (owner !== undefined) giveTo(handle, owner);
      if (process.platform !== 'win32') fchmodSync(handle, mode);
      checkpoint('flush');
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    checkpoint('compare');
    beforeReplacing?.();
    checkpoint('replace');
    replace(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  flushFolder(folder, checkpoint);
}

function writeAll(handle: number, bytes: Uint8Array): void {
  for (let done = 0; done < bytes.length;) done += writeSync(handle, bytes, done);
}

function giveTo(handle: number, { uid, gid }: { readonly uid: number; readonly gid: number }): void {
  const now = fstatSync(handle);
  if (process.platform === 'win32' || (now.uid === uid && now.gid === gid)) return;
  try {
    fchownSync(handle, uid, gid);
  } catch (error) {
    // Only root can give files away. A user who may write the folder may replace the file anyway, as every editor does.
    if (codeOf(error) !== 'EPERM') throw error;
  }
}

function replace(temporary: string, file: string): void {
  for (let left = RENAME_TRIES; ; left--) {
    try {
      renameSync(temporary, file);
      return;
    } catch (error) {
      const isHeld = process.platform === 'win32' && ['EPERM', 'EACCES', 'EBUSY'].includes(codeOf(error) ?? '');
      if (!isHeld || left === 0) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RENAME_REST_MS);
    }
  }
}

/** Makes a rename or a new name survive a power failure. */
export function flushFolder(folder: string, checkpoint: Checkpoint = NO_CHECKPOINT): void {
  if (process.platform === 'win32') return;
  try {
    checkpoint('flush-folder');
    const handle = openSync(folder, 'r');
    try {
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
  } catch {
    // The folder may not be readable, or its file system may not flush folders; the change itself is made.
  }
}

/** Removes temporary files that our killed processes left beside this file. Never throws. */
export function removeAbandoned(file: string): void {
  const folder = dirname(file);
  const prefix = `.${basename(file)}.clawai-`;
  try {
    for (const found of readdirSync(folder)) {
      if (!found.startsWith(prefix) || !found.endsWith('.tmp')) continue;
      const path = join(folder, found);
      const isOld = Date.now() - statSync(path).mtimeMs > ABANDONED_AFTER_MS;
      if (isOld || !isRunning(Number(found.slice(prefix.length).split('-')[0]))) rmSync(path, { force: true });
    }
  } catch {
    // Cleaning is optional: an unreadable folder, or a file that just went, is no reason not to write.
  }
}
