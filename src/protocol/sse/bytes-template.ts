import { isSameAt, stringBytesEnd } from './string-bytes.ts';
import { QUOTE, ZERO, NINE } from '../json-bytes.ts';

const SPACE = 0x20;
const LAST_PRINTABLE = 0x7e;

/** Bytes from which on a piece is no template for others. */
export const MOST_TEMPLATE = 4096;

/** What may be another one: a JSON string with its quotes, a number that is nothing but digits, printable ASCII up to what follows it. */
export type ValueKind = 'string' | 'digits' | 'printable';

export interface TemplateValue {
  readonly kind: ValueKind;
  readonly start: number;
  readonly end: number;
}

/**
 * A piece of a stream that was read, and others like it: the very same bytes but for some values. Most of a stream is one event again and again with
 * other words and counts, which needs no more than to be compared.
 */
export class BytesTemplate {
  /** What stands before, between and behind the values. */
  #fixed: readonly Buffer[] = [];
  /** What finds the ends of the values between them. */
  #ends: readonly (typeof VALUE_ENDS)[ValueKind][] = [];
  /** Where in the fixed parts the mark lies. */
  #markPart = 0;
  #markOffset = 0;
  /** Where the mark lies in what was matched last. */
  mark = 0;

  /**
   * Knows `bytes[start..end)` from now on, unless it is long.
   *
   * @param values in their order @param mark a place outside of the values, which `match` finds again
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

  /** Where a piece like the known one ends that begins at `start`; -1 where none does that ends at `limit` or before. */
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
  // No number begins with a zero but zero itself.
  return at === start || (bytes[start] === ZERO && at > start + 1) ? -1 : at;
}

function printableEnd(bytes: Buffer, start: number, limit: number): number {
  let at = start;
  while (at < limit && (bytes[at] as number) >= SPACE && (bytes[at] as number) <= LAST_PRINTABLE) at++;
  return at === start ? -1 : at;
}

/** Where a value of each kind ends that begins at `start`; -1 where none does. */
const VALUE_ENDS = { string: stringEnd, digits: digitsEnd, printable: printableEnd } as const;
