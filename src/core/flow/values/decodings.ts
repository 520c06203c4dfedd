import { unescaped } from './escapes.ts';

/** One way to write a text with other characters. */
export interface Decoding {
  /** For people, as in `base64`. */
  readonly name: string;
  /** All that is written so in a text, one a line; undefined where nothing is. */
  readonly decode: (text: string) => string | undefined;
}

/** Characters of base64 that may hide twelve, with line breaks as mail has them. */
const BASE64_RUN = /[\w+/-]{16,}(?:={0,2}[ \t]*\r?\n[ \t]*[\w+/-]{4,})*/g;

/** Pairs of hex digits: `4a4b`, `4A:4B`, `4a 4b`, `\x4a\x4b`, `0x4a, 0x4b`. */
const HEX_RUN = /(?:(?:\\x|0x)?[0-9a-f]{2}(?:[ :,-]|, )?){12,}/gi;
const PERCENT_RUN = /(?:%[0-9a-f]{2})+/gi;

/** All ways that are undone, cheap ones first. */
export const DECODINGS: readonly Decoding[] = [
  { name: 'url', decode: decodePercent },
  { name: 'escaped', decode: (text) => (text.includes('\\') ? unescaped(text) : undefined) },
  { name: 'hex', decode: decodeHex },
  { name: 'base64', decode: decodeBase64 },
];

function decodePercent(text: string): string | undefined {
  if (!/%[0-9a-f]{2}/i.test(text)) return undefined;
  try {
    return decodeURIComponent(text);
  } catch {
    // A percent sign that starts nothing, or bytes that are no UTF-8: each run for itself.
    return text.replace(PERCENT_RUN, (run) => Buffer.from(run.replaceAll('%', ''), 'hex').toString('utf8'));
  }
}

/** A run may start in the middle of a pair, where a digit is before it. */
function decodeHex(text: string): string | undefined {
  const found: string[] = [];
  for (const [run] of text.matchAll(HEX_RUN)) {
    const digits = run.replaceAll(/\\x|0x|[ :,-]/gi, '');
    found.push(Buffer.from(digits, 'hex').toString('utf8'));
    // The last digit of an odd run is no part of a match.
    found.push(Buffer.from(digits.slice(1, digits.length - 1), 'hex').toString('utf8'));
  }
  return found.length === 0 ? undefined : found.join('\n');
}

/** A run may start with letters that are not of it: each of the four places of a group is tried. */
function decodeBase64(text: string): string | undefined {
  const found: string[] = [];
  for (const [run] of text.matchAll(BASE64_RUN)) {
    const digits = run.replaceAll(/[=\s]/g, '');
    for (let offset = 0; offset < 4; offset += 1) found.push(Buffer.from(digits.slice(offset), 'base64').toString('utf8'));
  }
  return found.length === 0 ? undefined : found.join('\n');
}

/** Shortest base64 in a result that is read. */
const LONG_BASE64 = /[\w+/-]{40,}(?:={0,2}\r?\n[\w+/-]{4,})*/g;

/** What base64 in a result says, where it is text, one a line: servers give files so. */
export function base64Texts(text: string): string {
  const found: string[] = [];
  for (const [run] of text.matchAll(LONG_BASE64)) {
    const decoded = Buffer.from(run, 'base64').toString('latin1');
    if (!/[^\x09-\x0d\x20-\x7e\xa0-\xff]/.test(decoded)) found.push(Buffer.from(decoded, 'latin1').toString('utf8'));
  }
  return found.join('\n');
}
