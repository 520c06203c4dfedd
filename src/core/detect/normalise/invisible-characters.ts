/**
 * Matches invisible characters: default-ignorable code points (Unicode Standard, 5.21) and control characters, except white space; also the
 * blank Braille pattern.
 */
export const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\0-\x08\x0e-\x1f\x7f-\x9f\ufff9-\ufffb\u2800]/gu;

/**
 * First and last UTF-16 units of those, and the first units of those beyond U+FFFF: shorthand controls, signs of music, tags and variation
 * selectors.
 */
const UNITS: readonly (readonly [first: number, last: number])[] = [
  [0x00, 0x08],
  [0x0e, 0x1f],
  [0x7f, 0x9f],
  [0xad, 0xad],
  [0x34f, 0x34f],
  [0x61c, 0x61c],
  [0x115f, 0x1160],
  [0x17b4, 0x17b5],
  [0x180b, 0x180f],
  [0x200b, 0x200f],
  [0x202a, 0x202e],
  [0x2060, 0x206f],
  [0x2800, 0x2800],
  [0x3164, 0x3164],
  [0xd82f, 0xd82f],
  [0xd834, 0xd834],
  [0xdb40, 0xdb43],
  [0xfe00, 0xfe0f],
  [0xfeff, 0xfeff],
  [0xffa0, 0xffa0],
  [0xfff0, 0xfffb],
];

/** Table of UTF-16 units: 1 for those. */
let table: Uint8Array | undefined;

/** A quick check, many times as fast as `INVISIBLE`: false is certain and true of few texts; true may be wrong. */
export function mayHaveInvisible(text: string): boolean {
  table ??= unitTable();
  for (let index = 0; index < text.length; index += 1) if (table[text.charCodeAt(index)] === 1) return true;
  return false;
}

function unitTable(): Uint8Array {
  const units = new Uint8Array(0x10000);
  for (const [first, last] of UNITS) units.fill(1, first, last + 1);
  return units;
}
