import { decodeString } from './json-key.ts';

const SLOTS = 64;
/** Longer strings are not kept: they come from peers. */
const LONGEST = 64;

/**
 * Reads JSON strings of which a few come again and again, method names above all, without making a new text each time. It keeps
 * at most so many, whatever it is given.
 */
export class Interner {
  readonly #slots: (readonly [bytes: Buffer, text: string] | undefined)[] = [];

  /** Text of the JSON string that fills `bytes[start..end)`, as `decodeString` reads it; undefined if it is malformed. */
  read(bytes: Buffer, start: number, end: number): string | undefined {
    const length = end - start;
    if (length > LONGEST) return decodeString(bytes, start, end);
    const slot = (length * 31 + (bytes[start + (length >> 1)] as number)) % SLOTS;
    const known = this.#slots[slot];
    if (known !== undefined && isSame(known[0], bytes, start, length)) return known[1];
    const text = decodeString(bytes, start, end);
    if (text !== undefined) this.#slots[slot] = [Buffer.from(bytes.subarray(start, end)), text];
    return text;
  }
}

function isSame(known: Buffer, bytes: Buffer, start: number, length: number): boolean {
  if (known.length !== length) return false;
  for (let i = 0; i < length; i++) if (known[i] !== bytes[start + i]) return false;
  return true;
}
