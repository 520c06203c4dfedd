import { isSameAt, stringBytesEnd } from './string-bytes.ts';
import { QUOTE, ZERO, NINE } from '../json-bytes.ts';

const SPACE = 0x20;
const LAST_PRINTABLE = 0x7e;

/** Most bytes of a template. */
export const MOST_TEMPLATE = 4096;

/** The kinds of variable values: a JSON string with its quotes, a number of digits alone, printable ASCII up to what follows it. */
export type ValueKind = 'string' | 'digits' | 'printable';

export interface TemplateValue {
  readonly kind: ValueKind;
  readonly start: number;
  readonly end: number;
}

/**
 * Recognises pieces of a stream that equal a known piece except for some values. Most of a stream is one event repeated with other words
 * and counts, so comparing suffices.
 */
export class BytesTemplate {
  /** The constant parts before, between and after the values. */
  #fixed: readonly Buffer[] = [];
  /** The functions that find the ends of the values between them. */
  #ends: readonly (typeof VALUE_ENDS)[ValueKind][] = [];
  /** The place of the mark in the constant parts. */
  #markPart = 0;
  #markOffset = 0;
  /** The mark's offset in the last match. */
  mark = 0;

  /**
   * Learns `bytes[start..end)` as the template, unless it is too long.
   *
   * @param values in order @param mark a place outside of the values, which `match` finds again
   */
  learn(
    bytes: Buffer,
    { start, end, mark = start }: { readonly start: number; readonly end: number; readonly mark?: number },
    values: readonly TemplateValue[],
  ): void {
    this.forget();
    if (end - start > MOST_TEMPLATE) return;
    const fixed: Buffer[] = [];
    let from = start;
    for (const value of [...values, { start: end, end }]) {
      if (mark >= from && mark <= value.start) {
        this.#markPart = fixed.length;
        this.#markOffset = mark - from;
      }
      fixed.push(Buffer.from(bytes.subarray(from, value.start)));
      from = value.end;
    }
    this.#fixed = fixed;
    this.#ends = values.map(({ kind }) => VALUE_ENDS[kind]);
  }

  forget(): void {
    this.#fixed = [];
    this.#ends = [];
  }

  /** Matches a piece at `start` and returns its end; -1 if none matches that ends by `limit`. */
  match(bytes: Buffer, start: number, limit: number): number {
    const fixed = this.#fixed;
    const ends = this.#ends;
    let at = start;
    for (let i = 0; i < fixed.length; i++) {
      const part = fixed[i] as Buffer;
      const { length } = part;
      if (at + length > limit || !isSameAt(part, bytes, at)) return -1;
      if (i === this.#markPart) this.mark = at + this.#markOffset;
      at += length;
      const end = ends[i];
      if (end === undefined) return at;
      at = end(bytes, at, limit);
      if (at === -1) return -1;
    }
    return -1;
  }
}

function stringEnd(bytes: Buffer, start: number, limit: number): number {
  if (start >= limit || bytes[start] !== QUOTE) return -1;
  const quote = stringBytesEnd(bytes, start + 1, limit);
  return quote === -1 ? -1 : quote + 1;
}

function digitsEnd(bytes: Buffer, start: number, limit: number): number {
  let at = start;
  while (at < limit && (bytes[at] as number) >= ZERO && (bytes[at] as number) <= NINE) at++;
  // Only zero itself begins with a zero.
  return at === start || (bytes[start] === ZERO && at > start + 1) ? -1 : at;
}

function printableEnd(bytes: Buffer, start: number, limit: number): number {
  let at = start;
  while (at < limit && (bytes[at] as number) >= SPACE && (bytes[at] as number) <= LAST_PRINTABLE) at++;
  return at === start ? -1 : at;
}

/** Functions that find the end of a value at `start`, by kind; -1 if there is none. */
const VALUE_ENDS = { string: stringEnd, digits: digitsEnd, printable: printableEnd } as const;
