import { redactedMark } from '../dlp/redact-text.ts';
import type { SecretSpan } from '../dlp/secret-forms.ts';
import type { ArgumentText, Step } from './argument-texts.ts';

/** All strings and names, one a line. */
export function joined(texts: readonly ArgumentText[]): string {
  return texts.map(({ text, of }) => (of === 'number' ? '' : text)).join('\n');
}

/** Stands for a secret that was found. */
const GAP = redactedMark('secret');

/** A text without its secrets; empty if all of it is one. */
export function masked(text: string, spans: readonly SecretSpan[] | undefined): string {
  if (spans === undefined) return '';
  let rest = '';
  let at = 0;
  for (const { start, end } of spans) {
    rest += text.slice(at, start) + GAP;
    at = end;
  }
  return rest + text.slice(at);
}

/** Longest word at an end of a text that may be a part of a split secret. */
const LONGEST_EDGE = 4096;

/** The words with which a text begins and ends: a split secret has no blanks. */
export function edgesOf(text: string): string {
  if (text.length <= LONGEST_EDGE && !/\s/.test(text)) return text;
  const head = text.slice(0, LONGEST_EDGE).search(/\s/);
  let tail = text.length;
  while (text.length - tail < LONGEST_EDGE && tail > 0 && !/\s/.test(text.charAt(tail - 1))) tail -= 1;
  const isWord = text.length - tail < LONGEST_EDGE;
  return `${head === -1 ? '' : text.slice(0, head)}\n${isWord ? text.slice(tail) : ''}`;
}

/** The argument in which a split secret begins. */
export function placeOf(values: readonly ArgumentText[], start: number): readonly Step[] {
  let at = 0;
  for (const { text, path } of values) {
    at += edgesOf(text).length;
    if (at > start) return path;
  }
  return [];
}

/** Most digits of a card, and fewest. */
const MOST_DIGITS = 19;
const LEAST_DIGITS = 14;

/** A number that stands in several texts, one behind the other. */
interface SplitNumber {
  readonly digits: string;
  /** The name and the place of its first part. */
  readonly name: string | undefined;
  readonly path: readonly Step[];
  /** True if no other number stands before it or behind it. */
  readonly isWhole: boolean;
}

/** The numbers with as many digits as cards have that begin a row of texts of digits. */
export function* numbersIn(values: readonly ArgumentText[]): Iterable<SplitNumber> {
  for (let first = 0; first < values.length; first += 1) {
    const { text, name, path } = values[first] as ArgumentText;
    let digits = '';
    let next = first;
    for (; next < values.length && isDigits(values[next]?.text ?? ''); next += 1) {
      digits += digitsOf(values[next]?.text ?? '');
      const isEnd = !isDigits(values[next + 1]?.text ?? '');
      if (text !== '' && next > first && digits.length >= LEAST_DIGITS && digits.length <= MOST_DIGITS)
        yield { digits, name, path, isWhole: isEnd };
      if (digits.length > MOST_DIGITS) break;
    }
    // The rest of the row is none of its own.
    while (isDigits(values[Math.max(first, next)]?.text ?? '')) next += 1;
    first = Math.max(first, next);
  }
}

/** Digits in one text, with signs between them, and fewer than a card has. */
function isDigits(text: string): boolean {
  return text.length < 40 && /^[\s.,_/-]*\d(?:[\s.,_/-]*\d){0,17}[\s.,_/-]*$/.test(text);
}

function digitsOf(text: string): string {
  return text.replaceAll(/\D/g, '');
}

/** Fewest codes of characters that are read. */
const LEAST_CODES = 12;

/** The texts that rows of numbers are as codes of characters, one a line: a list of bytes. */
export function codesOf(texts: readonly ArgumentText[]): string {
  const rows: string[] = [];
  let row = '';
  for (const { text, of } of texts) {
    // The names of members may be the places of the codes.
    if (of === 'key') continue;
    const code = of === 'number' && /^\d{1,3}$/.test(text) ? Number(text) : 0;
    if (code === 0x0a || (code >= 0x20 && code < 0x7f)) row += String.fromCharCode(code);
    else {
      if (row.length >= LEAST_CODES) rows.push(row);
      row = '';
    }
  }
  return [...rows, ...(row.length >= LEAST_CODES ? [row] : [])].join('\n');
}
