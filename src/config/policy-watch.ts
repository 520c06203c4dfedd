import { type BigIntStats, lstatSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { ClawaiError } from '../errors.ts';
import { readPlainFile, toReadError } from './toml-file.ts';

/** Write permission for group and others, and the sticky bit, with which only owners may replace their files in a folder. */
const OTHERS_WRITE = 0o022;
const STICKY = 0o1000;

/** Milliseconds: a file written this recently may be half-written, so it is checked again before it is read, for at most `MOST_FRESH`. */
const FRESH = 50;
const MOST_FRESH = 500;

/** Milliseconds for which a file may be missing: some editors remove the old file before they create the new one. */
const GRACE = 500;

const MISSING = 'missing';

/** The times of a monotonic clock and of the clock that dates files, in milliseconds. */
export interface Moment {
  readonly elapsed: number;
  readonly now: number;
}

/**
 * The result of a check. `same`: nothing new. `unsure`: the file is missing or being written; check again soon. A `text` may equal the
 * known one.
 */
export type SeenCall =
  | { readonly kind: 'same' | 'unsure' | 'gone' }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'unusable'; readonly error: ClawaiError };

const SAME: SeenCall = { kind: 'same' };
const UNSURE: SeenCall = { kind: 'unsure' };

/** Detects changes of a policy file by its metadata, and reads it only then. Each change is reported once. */
export class PolicyWatch {
  readonly file: string;
  /** The file's metadata when it was last handled; undefined if unknown. */
  #stamp: string | undefined;
  #unsureSince: number | undefined;

  /** @param isThere false if the file is known to be missing */
  constructor(file: string, isThere: boolean) {
    this.file = file;
    this.#stamp = isThere ? undefined : MISSING;
  }

  /** Never throws or waits. */
  look(at: Moment): SeenCall {
    const found = statOf(this.file);
    const stamp = typeof found === 'object' ? toStamp(found) : found;
    if (stamp === this.#stamp) {
      this.#unsureSince = undefined;
      return SAME;
    }
    this.#unsureSince ??= at.elapsed;
    const unsureFor = at.elapsed - this.#unsureSince;
    if (stamp === MISSING && unsureFor < GRACE) return UNSURE;
    const isFresh = typeof found === 'object' && wasJustWritten(found, at.now);
    if (isFresh && unsureFor < MOST_FRESH) return UNSURE;
    this.#unsureSince = undefined;
    this.#stamp = stamp;
    if (stamp === MISSING) return { kind: 'gone' };
    return this.#read(at.now);
  }

  #read(now: number): SeenCall {
    try {
      const { text, stats } = readPlainFile(this.file);
      // A file that is still being written may change without changing its stamp.
      this.#stamp = wasJustWritten(stats, now) ? undefined : toStamp(stats);
      return { kind: 'text', text };
    } catch (error) {
      if (!(error instanceof ClawaiError)) return { kind: 'unusable', error: toReadError('policy', this.file, error) };
      return { kind: 'unusable', error };
    }
  }
}

/** Returns the file's metadata, `missing`, or a text that says why it can't be read. */
function statOf(file: string): BigIntStats | string {
  try {
    const found = statSync(file, { bigint: true, throwIfNoEntry: false });
    if (found !== undefined) return found;
    const link = lstatSync(file, { bigint: true, throwIfNoEntry: false });
    return link === undefined ? MISSING : `leads nowhere: ${toStamp(link)}`;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    return code === 'ENOTDIR' ? MISSING : code;
  }
}

/** Any change of a file (content, replacement, permissions) changes one of these. */
function toStamp({ dev, ino, size, mtimeNs, ctimeNs, mode }: BigIntStats): string {
  return `${dev} ${ino} ${size} ${mtimeNs} ${ctimeNs} ${mode}`;
}

/** A future date means nothing: clocks of other machines may be ahead. */
function wasJustWritten({ mtimeMs, ctimeMs }: BigIntStats, now: number): boolean {
  const age = now - Math.max(Number(mtimeMs), Number(ctimeMs));
  return age >= 0 && age < FRESH;
}

/**
 * Returns the path through which other users could change a policy: the file, or the folder in which they could replace it. Undefined if
 * there is none, and on Windows, where modes do not show permissions. Never throws.
 */
export function findOpenPath(file: string): string | undefined {
  if (process.platform === 'win32') return undefined;
  try {
    if ((statSync(file).mode & OTHERS_WRITE) !== 0) return file;
    const folder = dirname(file);
    const { mode } = statSync(folder);
    return (mode & OTHERS_WRITE) !== 0 && (mode & STICKY) === 0 ? folder : undefined;
  } catch {
    // The file is gone, which is reported elsewhere.
    return undefined;
  }
}
