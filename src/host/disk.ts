import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { ClawaiError, type ErrorCode } from '../errors.ts';

/**
 * Called right before each step that changes something on the disk, with its name: by default nothing happens. Tests end the process
 * there, or let the step fail, to see that what is left behind can be used.
 */
export type Checkpoint = (step: string) => void;

export const NO_CHECKPOINT: Checkpoint = () => {};

/** What an operating system's error code means to a person, and what they can do. */
const MEANINGS: Readonly<Record<string, readonly [message: string, hint?: string]>> = {
  EACCES: ['permission denied', 'check who may read and write it and its folder'],
  EPERM: ['the operating system does not permit it', 'check who owns it, and whether it is locked or immutable'],
  EROFS: ['its file system is read-only'],
  ENOSPC: ['the disk is full', 'free some space and try again'],
  EDQUOT: ['the disk quota is used up', 'free some space and try again'],
  EFBIG: ['the file would be larger than it may be'],
  ENOENT: ['it does not exist'],
  ENOTDIR: ['a part of its path is not a folder'],
  EISDIR: ['it is a folder'],
  ELOOP: ['its symbolic links lead in a circle', 'remove the link, or let it lead to a file'],
  EBUSY: ['another program holds it open', 'end that program and try again'],
  ENAMETOOLONG: ['its path is too long'],
  EIO: ['the disk reports an input/output error'],
};

export interface Attempted {
  readonly file: string;
  /** What was tried, e.g. `cannot be written`. */
  readonly failure: string;
  readonly code: ErrorCode;
}

/** The error for people out of what the operating system reported; what is no such report is a bug and stays as it is. */
export function toDiskError(error: unknown, { file, failure, code }: Attempted): unknown {
  if (error instanceof ClawaiError || !(error instanceof Error) || !('code' in error)) return error;
  const [meaning, hint] = MEANINGS[String(error.code)] ?? [`the operating system reports ${String(error.code)}`];
  return new ClawaiError(`${file} ${failure}: ${meaning}`, { code, place: { file }, hint, cause: error });
}

/** The operating system's code of an error, e.g. `ENOENT`. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined;
}

/**
 * Makes a folder that only the user can read, and those above it, where they are missing.
 *
 * One by one: Node's own recursive way tries for ever where a file system says that the folder above is missing although it is there.
 *
 * @throws what the operating system reports
 */
export function makePrivateFolder(folder: string): void {
  if (existsSync(folder)) return;
  makePrivateFolder(dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process made it just now.
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
}
