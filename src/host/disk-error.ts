import { ClawaiError, type ErrorCode } from '../errors.ts';

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
