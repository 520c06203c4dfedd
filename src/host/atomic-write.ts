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

/** A rename that fails on Windows because a scanner has the file open is tried so often, so many milliseconds apart. */
const RENAME_TRIES = 10;
const RENAME_REST_MS = 50;

/** Age at which a temporary file of another process counts as left behind; no write of ours takes as long. */
const ABANDONED_AFTER_MS = 60_000;

export interface AtomicWriteOptions {
  /** Permissions of the new file, e.g. 0o600. */
  readonly mode: number;
  /** Whom the new file shall belong to, as far as the operating system lets us. */
  readonly owner?: { readonly uid: number; readonly gid: number } | undefined;
  /** Called when the new bytes are safe on the disk, right before they take the file's place; throwing leaves all as it was. */
  readonly beforeReplacing?: (() => void) | undefined;
  readonly checkpoint?: Checkpoint | undefined;
}

/**
 * Gives a file new bytes so that whoever reads it sees either all the old ones or all the new ones, also after a crash: they are
 * written beside it, flushed, and put in its place. `file` must be no link: a link would be replaced.
 *
 * Whatever is thrown (by the operating system or `beforeReplacing`), the file is as before and nothing is left beside it.
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
    // Only root gives files away; who may write the folder may replace the file all the same, as every editor does.
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

/** Makes a rename or a new name last through a power failure. */
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
    // A folder that may be written but not read, or a file system that flushes no folders: the change itself is made.
  }
}

/** Removes what processes of ours that were killed while writing this file left beside it. Never throws. */
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
    // Tidying is a courtesy: a folder that can't be listed, or a file that is just going, is no reason not to write.
  }
}
