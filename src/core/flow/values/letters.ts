/** Kinds of characters for comparing values: nothing (a separator), a digit, a lower-case letter, a capital. */
export const NOTHING = 0;
export const DIGIT = 1;
export const LOWER = 2;
export const UPPER = 3;

/** Invisible fillers, joiners and selectors (Default_Ignorable_Code_Point of Unicode) that the ranges below do not cover. */
const UNSEEN: ReadonlySet<number> = new Set([
  0x34f, 0x61c, 0x115f, 0x1160, 0x17b4, 0x17b5, 0x180b, 0x180c, 0x180d, 0x180e, 0x180f, 0x3164, 0xfeff, 0xffa0,
]);

/** The kinds of all codes, made at the first use: a process that reads no values need not wait for it. */
let kinds: Uint8Array | undefined;

function kindOf(code: number): number {
  if (code >= 0x30 && code <= 0x39) return DIGIT;
  if (code >= 0x61 && code <= 0x7a) return LOWER;
  if (code >= 0x41 && code <= 0x5a) return UPPER;
  // Excludes controls, signs, punctuation and symbols (also East Asian ones), surrogates, private use and variation selectors beyond ASCII.
  if (UNSEEN.has(code)) return NOTHING;
  if (code < 0xc0 || code === 0xd7 || code === 0xf7 || (code >= 0x2000 && code <= 0x2bff)) return NOTHING;
  if ((code >= 0x3000 && code <= 0x303f) || (code >= 0xd800 && code <= 0xf8ff) || (code >= 0xfe00 && code <= 0xfe6f))
    return NOTHING;
  return code >= 0xfff0 ? NOTHING : LOWER;
}

/** @param code of UTF-16 */
export function letterKind(code: number): number {
  kinds ??= Uint8Array.from({ length: 0x10000 }, (_, each) => kindOf(each));
  return kinds[code] ?? NOTHING;
}

/** Matches invisible letters: the tag characters of Unicode, which stand for those of ASCII. */
const TAGS = /[\u{e0020}-\u{e007e}]/gu;
const TAG_BASE = 0xe0000;

/**
 * Unifies spellings that only look different: compatibility characters (full width, ligatures) become plain. Case is kept, since it tells
 * how random a text is.
 */
export function plainText(text: string): string {
  if (!/[^\x00-\x7f]/.test(text)) return text;
  const plain = text.normalize('NFKC');
  return plain.includes('\udb40')
    ? plain.replaceAll(TAGS, (tag) => String.fromCharCode((tag.codePointAt(0) ?? 0) - TAG_BASE))
    : plain;
}

/** The same text without case, character for character. */
export function lowerCase(text: string): string {
  const lower = text.toLowerCase();
  // The only letter whose lower case has two characters (SpecialCasing.txt of Unicode).
  return lower.length === text.length ? lower : text.replaceAll('\u0130', 'i').toLowerCase();
}
