import { base64Runs } from './base64-runs.ts';

const SHORT: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };

/** One encoding of text by other characters. */
export interface Decoding {
  /** For people, as in `base64`. */
  readonly name: string;
  /** Decodes all such parts of a text, one a line; undefined if there are none. */
  readonly decode: (text: string) => string | undefined;
}

/** Least characters of base64 that may hide twelve characters, and length from which on the text need not begin with ASCII. */
const SHORTEST_BASE64 = 16;
const LONG_BASE64 = 40;

/** Matches the beginning of base64 of ASCII, which long numbers and most identifiers do not have. */
const ASCII = /^(?:[A-Za-f].{3}){4}/;

/** Matches pairs of hex digits: `4a4b`, `4A:4B`, `4a 4b`, `\x4a\x4b`, `0x4a, 0x4b`, one a line. */
const HEX_RUN = /(?:(?:\\x|0x)?[0-9a-f]{2}(?:[,;] |[ :;,._/|\n-])?){12,}[0-9a-f]?/gi;
const PERCENT_RUN = /(?:%[0-9a-f]{2})+/gi;

/**
 * Matches characters written as numbers: `&#107;` and `&#x6b;` of HTML, `\u{6b}` and `\153` of source code, `=6B` of mail, whose lines end
 * with `=`.
 */
const CODES = /&#x([0-9a-f]{1,6});?|&#(\d{1,7});?|\\u\{([0-9a-f]{1,6})\}|((?:\\[0-3][0-7]{2})+)|((?:=[0-9a-f]{2})+)|=\r?\n/gi;
const HAS_CODES = /&#[\dx]|\\u\{|(?:\\[0-3][0-7]{2}){2}|(?:=[0-9a-f]{2}){2}/i;

/** Matches the same as lists: `114, 107`, one a line. */
const CODE_LIST = /(?<!\d)(?:\d{2,3}[ ,;\n]{1,2}){11,}\d{2,3}(?!\d)/g;

/** All decodings, cheap ones first. */
export const DECODINGS: readonly Decoding[] = [
  { name: 'url', decode: decodePercent },
  { name: 'escaped', decode: (text) => (text.includes('\\') ? unescaped(text) : undefined) },
  { name: 'codes', decode: decodeCodes },
  { name: 'hex', decode: decodeHex },
  { name: 'base64', decode: decodeBase64 },
];

function decodePercent(text: string): string | undefined {
  if (!/%[0-9a-f]{2}/i.test(text)) return undefined;
  try {
    return decodeURIComponent(text);
  } catch {
    // A percent sign that starts nothing, or invalid UTF-8: each run is decoded separately.
    return text.replace(PERCENT_RUN, (run) => Buffer.from(run.replaceAll('%', ''), 'hex').toString('utf8'));
  }
}

function decodeCodes(text: string): string | undefined {
  const lists = (text.match(CODE_LIST) ?? []).map((list) => list.split(/\D+/).map(Number));
  const found = lists.map((list) => String.fromCharCode(...list.slice(0, MOST_LISTED)));
  if (HAS_CODES.test(text)) found.push(text.replaceAll(CODES, decodeCode));
  return found.length === 0 ? undefined : found.join('\n');
}

/** Most codes of one list that are read; each is an argument of a function. */
const MOST_LISTED = 16 * 1024;

function decodeCode(_all: string, hex?: string, decimal?: string, braced?: string, octal?: string, quoted?: string): string {
  if (octal !== undefined)
    return Buffer.from(
      octal
        .slice(1)
        .split('\\')
        .map((code) => Number.parseInt(code, 8)),
    ).toString('utf8');
  if (quoted !== undefined) return Buffer.from(quoted.replaceAll('=', ''), 'hex').toString('utf8');
  if (hex === undefined && decimal === undefined && braced === undefined) return '';
  const code = decimal === undefined ? Number.parseInt(hex ?? braced ?? '', 16) : Number(decimal);
  return code <= 0x10ffff ? String.fromCodePoint(code) : '';
}

/** Tries both offsets, since a run may start in the middle of a pair if a digit precedes it. */
function decodeHex(text: string): string | undefined {
  const found: string[] = [];
  for (const [run] of text.matchAll(HEX_RUN)) {
    const digits = run.replaceAll(/\\x|0x|[ :;,._/|\n-]/gi, '');
    addText(found, Buffer.from(digits, 'hex').toString('utf8'));
    addText(found, Buffer.from(digits.slice(1), 'hex').toString('utf8'));
  }
  return found.length === 0 ? undefined : found.join('\n');
}

/** Tries all four offsets of a group, since a run may start with letters that are not part of it. */
function decodeBase64(text: string): string | undefined {
  const found: string[] = [];
  for (const { signs } of base64Runs(text, SHORTEST_BASE64)) {
    for (let offset = 0; offset < 4; offset += 1) addText(found, Buffer.from(signs.slice(offset), 'base64').toString('utf8'));
  }
  return found.length === 0 ? undefined : found.join('\n');
}

/** Least consecutive characters of text that may be a value. Text decoded at the wrong offset, or binary data, hardly ever has so many. */
const SHORTEST_TEXT = 9;

/** Adds the readable parts. Zeros are skipped, since UTF-16 has them. */
function addText(found: string[], decoded: string): void {
  let start = 0;
  for (let index = 0; index <= decoded.length; index += 1) {
    const code = index < decoded.length ? decoded.charCodeAt(index) : 0xfffd;
    if (code >= 0x20 ? code !== 0xfffd && code !== 0x7f : code === 0 || (code >= 0x09 && code <= 0x0d)) continue;
    if (index - start >= SHORTEST_TEXT) found.push(decoded.slice(start, index));
    start = index + 1;
  }
}

/** Decodes the base64 text in a result, one a line: servers return files like this. */
export function base64Texts(text: string): string {
  const found: string[] = [];
  for (const { signs } of base64Runs(text, SHORTEST_BASE64)) {
    if (signs.length < LONG_BASE64 && !ASCII.test(signs)) continue;
    const decoded = Buffer.from(signs, 'base64').toString('utf8');
    if (!/[\x00-\x08\x0e-\x1f\x7f\ufffd]/.test(decoded)) found.push(decoded);
  }
  return found.join('\n');
}

/**
 * Undoes the escapes of JSON and of source code: `
 * `, `\"`, `\u0041`, `\x41`. Other backslashes stay: Windows paths have them.
 */
export function unescaped(text: string): string {
  if (!text.includes('\\')) return text;
  return text.replace(
    /\\(?:u([0-9a-f]{4})|x([0-9a-f]{2})|([nrt"\\/]))/gi,
    (_all, wide?: string, narrow?: string, letter?: string) => {
      const code = wide ?? narrow;
      if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16));
      return SHORT[letter ?? ''] ?? letter ?? '';
    },
  );
}
