import { stringBytesEnd } from '../string-bytes.ts';
import { isSameAt } from '../same-bytes.ts';
import { isPlainFrame } from './plain-frame.ts';

const QUOTE = 0x22;
const ZERO = 0x30;
const NINE = 0x39;

/** A longer event is no pattern for others. */
const MOST_BYTES = 4096;

/**
 * Recognises events without calls as `isPlainFrame` does. Most of them are the one before with other words and counts, and need no more than to be
 * compared with that.
 */
export class FrameTemplate {
  /** An event that was recognised: what stands before, between and behind the strings and numbers that may be others. */
  #fixed: readonly Buffer[] = [];
  /** Which of the values between them are strings. */
  #isString: readonly boolean[] = [];

  isPlain(bytes: Buffer, start: number, end: number): boolean {
    if (this.#fits(bytes, start, end)) return true;
    const values: number[] = [];
    if (!isPlainFrame(bytes, start, end, values)) return false;
    if (end - start <= MOST_BYTES) this.#learn(bytes, [start, ...values, end]);
    return true;
  }

  /** @param cuts where fixed parts begin and end, in turn */
  #learn(bytes: Buffer, cuts: readonly number[]): void {
    const fixed: Buffer[] = [];
    for (let i = 0; i < cuts.length; i += 2) fixed.push(Buffer.from(bytes.subarray(cuts[i], cuts[i + 1])));
    this.#fixed = fixed;
    this.#isString = fixed.slice(1).map((_part, i) => bytes[cuts[2 * i + 1] as number] === QUOTE);
  }

  /** Is it the known one, but for what strings and numbers say? */
  #fits(bytes: Buffer, start: number, end: number): boolean {
    const fixed = this.#fixed;
    const isString = this.#isString;
    let at = start;
    for (let i = 0; i < fixed.length; i++) {
      const part = fixed[i] as Buffer;
      if (at + part.length > end || !isSameAt(part, bytes, at)) return false;
      at += part.length;
      if (i === isString.length) return at === end;
      at = isString[i] === true ? stringEnd(bytes, at, end) : digitsEnd(bytes, at, end);
      if (at === -1) return false;
    }
    return false;
  }
}

function stringEnd(bytes: Buffer, start: number, end: number): number {
  if (start >= end || bytes[start] !== QUOTE) return -1;
  const quote = stringBytesEnd(bytes, start + 1, end);
  return quote === -1 ? -1 : quote + 1;
}

/** Offset behind a number that is nothing but digits, else -1. */
function digitsEnd(bytes: Buffer, start: number, end: number): number {
  let at = start;
  while (at < end && (bytes[at] as number) >= ZERO && (bytes[at] as number) <= NINE) at++;
  // None begins with a zero but zero itself.
  return at === start || (bytes[start] === ZERO && at > start + 1) ? -1 : at;
}
