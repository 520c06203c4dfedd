import { bytesOf, type TextRange } from '../dlp/scan-text.ts';
import { DECODINGS } from '../flow/values/decodings.ts';

/** Least characters of a run that hides the shortest secret. */
const SHORTEST = 16;

/** Fewest characters of text in a row: bytes that are no text hardly ever have so many. */
const LEAST_TEXT = 9;

/** Values of the digits of base64 (RFC 4648), in both alphabets. */
const BASE64 = valuesOf('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/', '-_');
/** Values of hex digits. */
const HEX = valuesOf('0123456789abcdef', 'ABCDEF');

/** The value of a character that is no digit. */
const NONE = 0xff;

/** @param others digits that have the last values, too */
function valuesOf(digits: string, others: string): Uint8Array {
  const values = new Uint8Array(256).fill(0xff);
  for (let value = 0; value < digits.length; value += 1) values[digits.charCodeAt(value)] = value;
  for (let at = 0; at < others.length; at += 1) values[others.charCodeAt(at)] = digits.length - others.length + at;
  return values;
}

const IS_TEXT = new Uint8Array(256);
for (let code = 0x20; code < 0x7f; code += 1) IS_TEXT[code] = 1;
for (const sign of '\t\n\r') IS_TEXT[sign.charCodeAt(0)] = 1;

/** A run that is a text in an encoding. */
export interface EncodedRun extends TextRange {
  /** Its readable parts, one a line. */
  readonly text: string;
}

/** Parts of a text that may be secrets in disguise, in order. */
export interface EncodedRuns {
  /** Text in base64, in hex or with percent signs. */
  readonly encoded: readonly EncodedRun[];
  /** Runs of letters and digits that may be keys backwards. */
  readonly tokens: readonly TextRange[];
}

/** Finds the runs that may hide a secret. Takes linear time, and skips most characters of words. */
export function encodedRuns(text: string): EncodedRuns {
  const encoded: EncodedRun[] = [];
  const tokens: TextRange[] = [];
  const bytes = text.length < SHORTEST ? NO_BYTES : bytesOf(text);
  for (let start = 0; start + SHORTEST <= bytes.length;) {
    let other = start + SHORTEST - 1;
    while (other >= start && isDigit(BASE64, bytes, other)) other -= 1;
    if (other >= start) {
      start = other + 1;
      continue;
    }
    let end = start + SHORTEST;
    while (isDigit(BASE64, bytes, end)) end += 1;
    const read = decoded(bytes, start, end);
    if (read !== '') encoded.push({ start, end: behindPadding(bytes, end), text: read });
    else if (mayBeKey(bytes, start, end)) tokens.push({ start, end });
    start = end + 1;
  }
  return text.includes('%') ? { encoded: [...encoded, ...percentRuns(text, bytes)], tokens } : { encoded, tokens };
}

const NO_BYTES = new Uint8Array();

function isDigit(values: Uint8Array, bytes: Uint8Array, at: number): boolean {
  return at < bytes.length && values[bytes[at] as number] !== NONE;
}

/** Reads a run at all four offsets of base64, as letters that are no part of it may stand before it, and at both of hex. */
function decoded(bytes: Uint8Array, start: number, end: number): string {
  let text = '';
  for (let at = start; at < start + 4; at += 1)
    if (hasText(Math.floor(((end - at) * 3) / 4), (index) => byteOfBase64(bytes, at, index)))
      text += readable(bytes, { start: at, end }, 'base64');
  for (let at = start; at < start + 2; at += 1)
    if (hasText((end - at) >> 1, (index) => byteOfHex(bytes, at + 2 * index))) text += readable(bytes, { start: at, end }, 'hex');
  return text;
}

/** Tells whether enough of so many bytes in a row are text. Read backwards, so that few are looked at. */
function hasText(count: number, byteAt: (index: number) => number): boolean {
  for (let first = 0; first + LEAST_TEXT <= count;) {
    let other = first + LEAST_TEXT - 1;
    while (other >= first && IS_TEXT[byteAt(other)] === 1) other -= 1;
    if (other < first) return true;
    first = other + 1;
  }
  return false;
}

/** Three bytes stand in four digits. */
function byteOfBase64(bytes: Uint8Array, start: number, index: number): number {
  const place = index % 3;
  const at = start + ((index - place) / 3) * 4 + place;
  const digits = ((BASE64[bytes[at] as number] as number) << 6) | (BASE64[bytes[at + 1] as number] as number);
  return (digits >> (4 - 2 * place)) & 0xff;
}

/** Other characters than digits stand for no byte of text. */
function byteOfHex(bytes: Uint8Array, at: number): number {
  const high = HEX[bytes[at] as number] as number;
  const low = HEX[bytes[at + 1] as number] as number;
  return high === NONE || low === NONE ? 0 : (high << 4) | low;
}

/** The rows of text among the bytes that a run stands for, one a line. */
function readable(bytes: Uint8Array, { start, end }: TextRange, encoding: 'base64' | 'hex'): string {
  const run = Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('latin1');
  // Decoding hex ends at the first other character.
  const parts = encoding === 'hex' ? run.split(/[^\da-f]+/i) : [run];
  const text = parts.map((part) => Buffer.from(part, encoding).toString('latin1')).join('\n');
  return `${text.match(TEXT_ROWS)?.join('\n') ?? ''}\n`;
}

/** Matches rows of text of at least `LEAST_TEXT` characters. */
const TEXT_ROWS = /[\t\n\r\x20-\x7e]{9,}/g;

const PADDING = 0x3d;

function behindPadding(bytes: Uint8Array, end: number): number {
  let at = end;
  while (at < end + 2 && bytes[at] === PADDING) at += 1;
  return at;
}

/** Tells whether a run has digits and letters that hex has not. */
function mayBeKey(bytes: Uint8Array, start: number, end: number): boolean {
  let hasDigit = false;
  let hasLetter = false;
  for (let at = start; at < end && !(hasDigit && hasLetter); at += 1) {
    const value = BASE64[bytes[at] as number] as number;
    if (value >= 52) hasDigit ||= value < 62;
    else hasLetter ||= value % 26 > 5;
  }
  return hasDigit && hasLetter;
}

const PERCENT = 0x25;
const IN_PERCENT = BASE64.map((value, code) => (value !== NONE || code === PERCENT || code === 0x2e || code === 0x7e ? 0 : NONE));

/** Runs with percent signs that stand for characters (RFC 3986, 2.1). */
function percentRuns(text: string, bytes: Uint8Array): readonly EncodedRun[] {
  const found: TextRange[] = [];
  for (let sign = text.indexOf('%'), before = 0; sign !== -1; sign = text.indexOf('%', before)) {
    let start = sign;
    while (start > before && isDigit(IN_PERCENT, bytes, start - 1)) start -= 1;
    before = sign + 1;
    while (isDigit(IN_PERCENT, bytes, before)) before += 1;
    if (before - start >= SHORTEST && isDigit(HEX, bytes, sign + 1)) found.push({ start, end: before });
  }
  if (found.length === 0) return [];
  const decode = DECODINGS.find(({ name }) => name === 'url')?.decode;
  return found.map(({ start, end }) => {
    const run = text.slice(start, end);
    return { start, end, text: decode?.(run) ?? run };
  });
}
