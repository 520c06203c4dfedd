import { stringBytesEnd } from '../string-bytes.ts';
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
  /** An event that was recognised. */
  #bytes = Buffer.alloc(0);
  /** Where in it strings and numbers lie, which may be others: start and end, in turn. */
  #values: number[] = [];

  isPlain(bytes: Buffer, start: number, end: number): boolean {
    if (this.#fits(bytes, start, end)) return true;
    const values: number[] = [];
    if (!isPlainFrame(bytes, start, end, values)) return false;
    if (end - start <= MOST_BYTES) {
      this.#bytes = Buffer.from(bytes.subarray(start, end));
      this.#values = values.map((offset) => offset - start);
    }
    return true;
  }

  /** Is it the known one, but for what strings and numbers say? */
  #fits(bytes: Buffer, start: number, end: number): boolean {
    const known = this.#bytes;
    const values = this.#values;
    let at = start;
    let from = 0;
    for (let i = 0; i < values.length; i += 2) {
      const to = values[i] as number;
      if (at + to - from > end) return false;
      for (; from < to; from++, at++) if (bytes[at] !== known[from]) return false;
      at = known[from] === QUOTE ? stringEnd(bytes, at, end) : digitsEnd(bytes, at, end);
      if (at === -1) return false;
      from = values[i + 1] as number;
    }
    if (known.length === 0 || end - at !== known.length - from) return false;
    for (; at < end; from++, at++) if (bytes[at] !== known[from]) return false;
    return true;
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
