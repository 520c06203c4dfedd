/** The digits of a token: letters and digits that nobody takes for each other (Crockford's base 32). */
const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** Digits of a token, the last of which checks the others. */
const LENGTH = 14;

/** Most words of a kind, and most letters of a word. */
const MOST = { words: 4, letters: 16 } as const;

/** Matches what has a token's form, in any case: models write names in their own way. */
const FORM = /CLAWAI-(?:[A-Z]{1,16}-){1,4}[2-9][0-9A-HJKMNP-TV-Z]{13}/gi;

/** Matches the whole of a text that a token may begin with. */
const BEGINNING =
  /^C(?:L(?:A(?:W(?:A(?:I(?:-(?:(?:[A-Z]{1,16}-){0,3}[A-Z]{0,16}|(?:[A-Z]{1,16}-){1,4}(?:[2-9][0-9A-HJKMNP-TV-Z]{0,12})?))?)?)?)?)?)?$/i;

/** Most characters of a token. */
export const MOST_TOKEN = 'CLAWAI-'.length + MOST.words * (MOST.letters + 1) + LENGTH;

/** A part of a text that has a token's form. */
export interface TokenSpan {
  readonly start: number;
  readonly end: number;
  /** In its usual spelling. */
  readonly token: string;
  /** False if its check digit does not fit: nobody was given it. */
  readonly isValid: boolean;
}

/** Formats the token of a secret. @param digest of kind and value, keyed with secret bytes of one session */
export function formatToken(kind: string, digest: Uint8Array): string {
  let token = `CLAWAI-${wordsOf(kind)}-`;
  // The first digit is none of a word, so that the kind has an end.
  for (let at = 0; at < LENGTH - 1; at++) token += DIGITS.charAt(at === 0 ? 2 + ((digest[at] ?? 0) & 7) : (digest[at] ?? 0) & 31);
  return token + checkDigit(token);
}

/** Finds what has a token's form. */
export function findTokens(text: string): readonly TokenSpan[] {
  const spans: TokenSpan[] = [];
  FORM.lastIndex = 0;
  for (let found = FORM.exec(text); found !== null; found = FORM.exec(text)) {
    const token = found[0].toUpperCase();
    const isValid = checkDigit(token.slice(0, -1)) === token.slice(-1);
    spans.push({ start: found.index, end: found.index + token.length, token, isValid });
  }
  return spans;
}

/** Tells whether a text is a token, with nothing around it but the quotes and signs that code has there. */
export function isToken(text: string): boolean {
  const [token] = /CLAWAI-/i.test(text) ? findTokens(text) : [];
  return token?.isValid === true && !/\w/.test(text.slice(0, token.start) + text.slice(token.end));
}

/** Returns the offset of the last part of a text that more text may make a token; the text's length if there is none. */
export function openTokenStart(text: string): number {
  const from = Math.max(0, text.length - MOST_TOKEN);
  for (let at = from; at < text.length; at++) {
    // The letter C, in either case.
    if ((text.charCodeAt(at) | 0x20) === 0x63 && BEGINNING.test(text.slice(at))) return at;
  }
  return text.length;
}

function wordsOf(kind: string): string {
  const words = kind
    .toUpperCase()
    .split(/[^A-Z]+/)
    .filter((word) => word !== '');
  return (
    words
      .slice(0, MOST.words)
      .map((word) => word.slice(0, MOST.letters))
      .join('-') || 'SECRET'
  );
}

/** A prime modulus: another character at one place gives another digit, but for pairs that are 31 apart. */
function checkDigit(text: string): string {
  let sum = 0;
  for (let at = 0; at < text.length; at++) sum = (sum * 7 + text.charCodeAt(at)) % 31;
  return DIGITS.charAt(sum);
}
