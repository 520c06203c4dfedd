import type { HiddenText } from './bytes-as-text.ts';

const HINT = /%[\da-f]{2}|&#?\w{2,8};|\\(?:u|x|[0-3][0-7]{2})/i;

/**
 * Matches one escape: percent signs (as many as follow one another, for UTF-8; `%2520` is one, encoded again), HTML's references,
 * backslashes of JSON, C and Python.
 */
const ESCAPE =
  /(?:%(?:25){0,3}[\da-f]{2}){1,65536}|&#x[\da-f]{1,6};|&#\d{1,7};|&(?:lt|gt|amp|quot|apos|nbsp|lpar|rpar|colon|period|comma|sol|newline|tab|excl|num|lsqb|rsqb|zwnj|zwj|shy);|\\u\{[\da-f]{1,6}\}|\\u[\da-f]{4}|\\x[\da-f]{2}|\\[0-3][0-7]{2}|\\[nrt]/gi;

const ENCODED_AGAIN = /%(?:25)*(?=[\da-f]{2})/gi;

const NAMED: Readonly<Record<string, string>> = {
  lt: '<',
  gt: '>',
  amp: '&',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  lpar: '(',
  rpar: ')',
  colon: ':',
  period: '.',
  comma: ',',
  sol: '/',
  newline: '\n',
  tab: '\t',
  excl: '!',
  num: '#',
  lsqb: '[',
  rsqb: ']',
};

const BACKSLASHED: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };

const LINE = /[^\n]+/g;

/** Decodes the lines that contain escapes and joins them; empty if no line has any. */
export function decodeEscapes(text: string): HiddenText[] {
  if (!HINT.test(text)) return [];
  const lines: string[] = [];
  let position = -1;
  for (const { 0: line, index } of text.matchAll(LINE)) {
    const hint = HINT.exec(line);
    if (hint === null) continue;
    if (position === -1) position = index + hint.index;
    lines.push(line.replace(ESCAPE, meaning));
  }
  return position === -1 ? [] : [{ text: lines.join('\n'), hiding: 'escapes', position }];
}

function meaning(escape: string): string {
  if (escape.startsWith('%')) return Buffer.from(escape.replaceAll(ENCODED_AGAIN, ''), 'hex').toString('utf8');
  if (escape.startsWith('&')) return referenced(escape.slice(1, -1));
  const sign = escape.charAt(1);
  if (sign === 'u' || sign === 'U' || sign === 'x' || sign === 'X') return character(escape.replace(/^..\{?/, ''), 16);
  return BACKSLASHED[sign.toLowerCase()] ?? character(escape.slice(1), 8);
}

function referenced(name: string): string {
  if (!name.startsWith('#')) return NAMED[name.toLowerCase()] ?? '';
  return /^#x/i.test(name) ? character(name.slice(2), 16) : character(name.slice(1), 10);
}

function character(digits: string, radix: number): string {
  const point = Number.parseInt(digits, radix);
  return point <= 0x10ffff ? String.fromCodePoint(point) : '';
}
