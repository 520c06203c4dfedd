import { ClawaiError, type ErrorCode } from '../errors.ts';

/**
 * Called with the name of each step right before it changes something on the disk; does nothing by default. Tests end the process there, or
 * make the step fail, to check that the remains are usable.
 */
export type Checkpoint = (step: string) => void;

export const NO_CHECKPOINT: Checkpoint = () => {};

/** The meaning of an operating system's error code, and what a person can do. */
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
  /** The failed attempt, e.g. `cannot be written`. */
  readonly failure: string;
  readonly code: ErrorCode;
}

/** Turns an operating system's error into an error for people. Other errors are bugs and stay as they are. */
export function toDiskError(error: unknown, { file, failure, code }: Attempted): unknown {
  if (error instanceof ClawaiError || !(error instanceof Error) || !('code' in error)) return error;
  const [meaning, hint] = MEANINGS[String(error.code)] ?? [`the operating system reports ${String(error.code)}`];
  return new ClawaiError(`${file} ${failure}: ${meaning}`, { code, place: { file }, hint, cause: error });
}

/** Returns the operating system's code of an error, e.g. `ENOENT`. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined;
}
