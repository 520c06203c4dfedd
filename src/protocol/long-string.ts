import { BACKSLASH } from './json-bytes.ts';

const UNICODE = 0x75;

/** The character that each one-letter escape stands for (RFC 8259 §7), by the code of its letter; 0 for all else. */
const SIMPLE = new Uint8Array(256);
for (const letter of '"\\/bfnrt') SIMPLE[letter.charCodeAt(0)] = (JSON.parse(`"\\${letter}"`) as string).charCodeAt(0);

/** Kinds of special bytes in a string, as bits. */
const CONTROL = 1;
const NOT_ASCII = 2;
const ESCAPE = 4;
const KINDS = new Uint8Array(256).fill(CONTROL, 0, 0x20).fill(NOT_ASCII, 0x80);
KINDS[BACKSLASH] = ESCAPE;
/** Bytes beyond which the memory of a second copy counts for more than the time: V8 takes a third of ours. */
const BIG = 2 * 1024 * 1024;

/** The top bit of each byte of a word. */
const TOP_BITS = 0x80808080;

/**
 * Text of a long JSON string that fills `bytes[start..end)`, quotes included, in UTF-8: what `JSON.parse` makes of it, without a
 * second copy of the text beside it. Of 32 MiB that matters; short ones are read faster by others.
 *
 * @param big bytes beyond which there is no second copy
 * @returns undefined if its escapes or characters are not valid JSON.
 */
export function decodeLongString(bytes: Buffer, start: number, end: number, big = BIG): string | undefined {
  const [from, to] = [start + 1, end - 1];
  const escape = bytes.indexOf(BACKSLASH, from);
  if (escape === -1 || escape >= to) {
    const kinds = kindsOf(bytes, from, to);
    return (kinds & CONTROL) === 0 ? toText(bytes, from, { end: to, kinds }) : undefined;
  }
  const text = to - from > big ? unescapeInMemory(bytes, from, to) : undefined;
  return text ?? decodeWhole(bytes, start, end);
}

function unescapeInMemory(bytes: Buffer, start: number, end: number): string | undefined {
  const memory = Buffer.allocUnsafeSlow(end - start);
  try {
    return unescape(bytes, { start, end }, memory);
  } finally {
    // Freed at once: the garbage collector would let several of this size pile up.
    memory.buffer.transfer(0);
  }
}

function toText(bytes: Buffer, start: number, { end, kinds }: { readonly end: number; readonly kinds: number }): string {
  return bytes.toString((kinds & NOT_ASCII) === 0 ? 'latin1' : 'utf8', start, end);
}

/** Decodes any string, also one that is not valid, or has half a surrogate pair, which UTF-8 has no bytes for. */
function decodeWhole(bytes: Buffer, start: number, end: number): string | undefined {
  try {
    return JSON.parse(bytes.toString('utf8', start, end)) as string;
  } catch {
    return undefined;
  }
}

/** The kinds of all bytes in `bytes[start..end)` but `ESCAPE`, four at a time: a fifth of the time that a look at each takes. */
function kindsOf(bytes: Buffer, start: number, end: number): number {
  // Words begin at multiples of four.
  const first = Math.min(end, start + (-(bytes.byteOffset + start) & 3));
  const words = new Int32Array(bytes.buffer, first === end ? 0 : bytes.byteOffset + first, (end - first) >> 2);
  let high = 0;
  let low = 0;
  for (let i = 0; i < words.length; i++) {
    const word = words[i] as number;
    high |= word;
    // The top bit of a byte is set if the byte was below a space; a borrow comes only from such a byte.
    low |= (word - 0x20202020) & ~word;
  }
  let kinds = ((high & TOP_BITS) === 0 ? 0 : NOT_ASCII) | ((low & TOP_BITS) === 0 ? 0 : CONTROL);
  for (let at = start; at < first; at++) kinds |= KINDS[bytes[at] as number] as number;
  for (let at = first + words.length * 4; at < end; at++) kinds |= KINDS[bytes[at] as number] as number;
  return kinds;
}

/** The text without its escapes, which are never shorter than what they stand for, by way of `out`; undefined if it has no bytes. */
function unescape(
  bytes: Buffer,
  { start, end }: { readonly start: number; readonly end: number },
  out: Buffer,
): string | undefined {
  let length = 0;
  let kinds = 0;
  for (let at = start; at < end;) {
    const byte = bytes[at] as number;
    const kind = KINDS[byte] as number;
    if (kind !== ESCAPE) {
      kinds |= kind;
      out[length++] = byte;
      at++;
      continue;
    }
    const letter = bytes[at + 1] as number;
    const simple = SIMPLE[letter] as number;
    if (simple !== 0) {
      out[length++] = simple;
      at += 2;
      continue;
    }
    if (letter !== UNICODE) return undefined;
    const unit = readUnit(bytes, at + 2);
    const isHigh = unit >= 0xd800 && unit < 0xdc00;
    const low = isHigh && bytes[at + 6] === BACKSLASH && bytes[at + 7] === UNICODE ? readUnit(bytes, at + 8) : -1;
    const isPair = low >= 0xdc00 && low < 0xe000;
    if (unit === -1 || (unit >= 0xd800 && unit < 0xe000 && !isPair)) return undefined;
    if (unit >= 0x80) kinds |= NOT_ASCII;
    length += out.write(isPair ? String.fromCharCode(unit, low) : String.fromCharCode(unit), length);
    at += isPair ? 12 : 6;
  }
  return (kinds & CONTROL) === 0 ? toText(out, 0, { end: length, kinds }) : undefined;
}

/** The four hexadecimal digits at an offset; -1 where they are none. A string's closing quote is no digit, so none is read beyond it. */
function readUnit(bytes: Buffer, at: number): number {
  const digits = bytes.toString('latin1', at, at + 4);
  return /^[\dA-Fa-f]{4}$/.test(digits) ? Number.parseInt(digits, 16) : -1;
}
