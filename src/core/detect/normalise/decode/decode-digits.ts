import { findInRuns, Runs } from '../runs.ts';
import { bytesAsText, type HiddenText } from './bytes-as-text.ts';

/** Runs that contain all of these encodings; most texts have none. */
const RUNS = new Runs(/[\dA-Z ,\n]/, 16);
/** Characters around a run that the patterns look at: how a number goes on, and padding. */
const AROUND = { before: 1, behind: 8 } as const;

/** Matches at least 12 bytes, each as its eight bits. */
const BINARY = /(?<!\w)[01]{8}(?:[ ,\n]{0,2}[01]{8}){11,8191}(?!\w)/g;

/** Matches at least 12 characters of ASCII, each as its number. */
const DECIMAL = /(?<![\w.,-])[1-9]\d{1,2}(?:(?: |, ?)[1-9]\d{1,2}){11,8191}(?!\w|[.-]\d)/g;

/** Matches base32 of at least 12 bytes, which has no small letters: names of constants are shorter, or have underscores. */
const BASE32 = /(?<![A-Za-z0-9_])[A-Z2-7]{20,65536}={0,6}(?![A-Za-z0-9_])/g;
const SIGNS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const BITS_OF_A_SIGN = 5;

/** Decodes texts written as numbers that models can read: bits, codes of characters, base32. */
export function decodeDigits(text: string): HiddenText[] {
  if (RUNS.next(text, 0) === -1) return [];
  return decoded(text, BINARY, 'binary', bytesOfBits).concat(
    decoded(text, DECIMAL, 'decimal', bytesOfCodes),
    decoded(text, BASE32, 'base32', bytesOfBase32),
  );
}

function decoded(
  text: string,
  pattern: RegExp,
  hiding: 'binary' | 'decimal' | 'base32',
  read: (run: string) => Uint8Array | undefined,
): HiddenText[] {
  const found: HiddenText[] = [];
  for (const { found: run, index } of findInRuns(text, RUNS, pattern, AROUND)) {
    const bytes = read(run);
    const inside = bytes === undefined ? undefined : bytesAsText(bytes);
    if (inside !== undefined) found.push({ text: inside, hiding, position: index });
  }
  return found;
}

function bytesOfBits(run: string): Uint8Array {
  const bits = run.replaceAll(/[^01]/g, '');
  return Uint8Array.from({ length: bits.length / 8 }, (_, index) => Number.parseInt(bits.slice(index * 8, index * 8 + 8), 2));
}

function bytesOfCodes(run: string): Uint8Array | undefined {
  const codes = run.split(/, ?| /).map(Number);
  return codes.every((code) => code < 256) ? Uint8Array.from(codes) : undefined;
}

function bytesOfBase32(run: string): Uint8Array {
  const bytes: number[] = [];
  let bits = 0;
  let held = 0;
  for (const sign of run) {
    const value = SIGNS.indexOf(sign);
    if (value === -1) break;
    bits = ((bits << BITS_OF_A_SIGN) | value) & 0xfff;
    held += BITS_OF_A_SIGN;
    if (held < 8) continue;
    held -= 8;
    bytes.push((bits >> held) & 0xff);
  }
  return Uint8Array.from(bytes);
}
