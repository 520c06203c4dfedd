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

const RUNS = /[^\x00-\x7f]+/g;

/** The runs of non-ASCII characters in a text, with a space between. Searches for such characters use this, since most texts have few. */
export function beyondAscii(text: string): string {
  return text.match(RUNS)?.join(' ') ?? '';
}

/**
 * Matches control sequences of terminals (ECMA-48 §5.4 and §5.6): CSI with its parameters, OSC, DCS, SOS, PM and APC with their text up to
 * ST or BEL, two-character escapes. Of a string without an end within 4,096 characters, only the introducer is matched.
 */
export const TERMINAL_ESCAPE =
  /(?:\x1b\[|\x9b)[0-?]{0,64}[ -/]{0,8}[@-~]|(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])(?:[^\x07\x1b\x9c]{0,4096}(?:\x07|\x1b\\|\x9c))?|\x1b[ -/]{0,8}[0-Z\\`-~]/g;
