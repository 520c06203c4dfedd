import { type BigIntStats, lstatSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { ClawaiError } from '../errors.ts';
import { readPlainFile, toReadError } from './toml-file.ts';

/** Permission to write for the group and for everybody; the bit of folders in which only owners replace their files. */
const OTHERS_WRITE = 0o022;
const STICKY = 0o1000;

/**
 * A file that was written to so many milliseconds ago or less may be half-written; it is looked at again before it is read, up to
 * so long.
 */
const FRESH = 50;
const MOST_FRESH = 500;

/** Milliseconds for which a file may be missing: some editors take the old one away before they put the new one there. */
const GRACE = 500;

const MISSING = 'missing';

/** Two clocks: one that never jumps, and the one that files are dated by. Both in milliseconds. */
export interface Moment {
  readonly elapsed: number;
  readonly now: number;
}

/**
 * What a look at the file found. `same`: nothing new. `unsure`: it is missing, or just being written; look again soon. A text may be
 * the one that is known already.
 */
export type Sighting =
  | { readonly kind: 'same' | 'unsure' | 'gone' }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'unusable'; readonly error: ClawaiError };

const SAME: Sighting = { kind: 'same' };
const UNSURE: Sighting = { kind: 'unsure' };

/** Finds out by its metadata whether a policy file has changed, and reads it only then. Each change is told once. */
export class PolicyWatch {
  readonly file: string;
  /** What the file looked like when it was last dealt with; undefined where that is not known. */
  #stamp: string | undefined;
  #unsureSince: number | undefined;

  /** @param isThere false where it is known that nothing is there */
  constructor(file: string, isThere: boolean) {
    this.file = file;
    this.#stamp = isThere ? undefined : MISSING;
  }

  /** Never throws, and never waits. */
  look(at: Moment): Sighting {
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

  #read(now: number): Sighting {
    try {
      const { text, stats } = readPlainFile(this.file);
      // One that is still being written may change without looking any different.
      this.#stamp = wasJustWritten(stats, now) ? undefined : toStamp(stats);
      return { kind: 'text', text };
    } catch (error) {
      if (!(error instanceof ClawaiError)) return { kind: 'unusable', error: toReadError('policy', this.file, error) };
      return { kind: 'unusable', error };
    }
  }
}

/** What is there; `missing`, or a text that says why that can't be told. */
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

/** Whatever is done to a file changes one of these: written to, replaced, made readable. */
function toStamp({ dev, ino, size, mtimeNs, ctimeNs, mode }: BigIntStats): string {
  return `${dev} ${ino} ${size} ${mtimeNs} ${ctimeNs} ${mode}`;
}

/** A date to come is no sign of anything: clocks of other machines may be ahead. */
function wasJustWritten({ mtimeMs, ctimeMs }: BigIntStats, now: number): boolean {
  const age = now - Math.max(Number(mtimeMs), Number(ctimeMs));
  return age >= 0 && age < FRESH;
}

/**
 * The path through which others than the user could change a policy: the file, or the folder in which they could put another in its
 * place. Undefined where there is none, and on Windows, whose permissions are not told by modes. Never throws.
 */
export function findOpenPath(file: string): string | undefined {
  if (process.platform === 'win32') return undefined;
  try {
    if ((statSync(file).mode & OTHERS_WRITE) !== 0) return file;
    const folder = dirname(file);
    const { mode } = statSync(folder);
    return (mode & OTHERS_WRITE) !== 0 && (mode & STICKY) === 0 ? folder : undefined;
  } catch {
    // Gone meanwhile, which is told elsewhere.
    return undefined;
  }
}
