/*
 * Doubtful bytes are ordinary characters in the specification, but some readers end a line at them: Python's str.splitlines,
 * with which several clients split a stream, does so at VT, FF, FS, GS, RS, U+0085, U+2028 and U+2029.
 */

const FIRST_OF_LATER = 0xc2;

/** 1: ends a line for some readers. 2: the first byte of a character that may end one. */
const KINDS = new Uint8Array(256);
for (const byte of [0x0b, 0x0c, 0x1c, 0x1d, 0x1e]) KINDS[byte] = 1;
for (const byte of [FIRST_OF_LATER, 0xe2, 0xef]) KINDS[byte] = 2;

/** Tells whether `bytes[start..end)` contains a character at which some readers end a line, or a byte order mark, which some drop. */
export function hasDoubtfulBytes(bytes: Buffer, start: number, end: number): boolean {
  for (let i = start; i < end; i++) {
    const kind = KINDS[bytes[i] as number];
    if (kind !== 0 && (kind === 1 || isDoubtful(bytes, i, end))) return true;
  }
  return false;
}

/** Tells whether a multi-byte character that `hasDoubtfulBytes` looks for begins at this byte. */
export function isDoubtful(bytes: Buffer, at: number, end: number): boolean {
  const first = bytes[at];
  if (first !== FIRST_OF_LATER && first !== 0xe2 && first !== 0xef) return false;
  if (first === FIRST_OF_LATER) return at + 1 < end && bytes[at + 1] === 0x85;
  if (at + 2 >= end) return false;
  if (first === 0xef) return bytes[at + 1] === 0xbb && bytes[at + 2] === 0xbf;
  return bytes[at + 1] === 0x80 && (bytes[at + 2] === 0xa8 || bytes[at + 2] === 0xa9);
}

/** Tells whether `bytes[start..end)` is printable ASCII, which all readers read alike. */
export function isPrintable(bytes: Buffer, start: number, end: number): boolean {
  for (let i = start; i < end; i++) {
    const byte = bytes[i] as number;
    if (byte < 0x20 || byte > 0x7e) return false;
  }
  return true;
}
