import { looksSecret } from './plausible-secret.ts';
import { scanText, type TextScan } from './scan-text.ts';
import { secretNameKind } from './secret-name.ts';
import type { SecretSpan } from './secret-forms.ts';
import { findValue, type ValuePlace } from './find-value.ts';

/** Matches `=` and `:` and similar signs (`:=`, `=>`, `==`), a flag with its value after a space, or an element of XML. */
const SIGN = /[=:]{1,2}>?|<[A-Za-z][\w.:-]{2,63}>|(?<![\w-])--?[A-Za-z][\w-]{2,63}[ \t]/g;

/** Matches the sign behind the type in `password: string = "x"`. */
const TYPED = /[ \t]{0,8}=[ \t]{0,8}/y;

const SIGNATURE = /(?:^|[_-])sig(?:nature)?$/i;

/** Most characters of a name, and of quotes and blanks behind it. */
const MOST_NAME = 64;
const MOST_QUOTES = 32;
const IN_QUOTES: ReadonlySet<number> = new Set(Array.from(` \t"'\`\\]`, (sign) => sign.charCodeAt(0)));

/**
 * Finds values whose name tells that they are secret: `PASSWORD=x`, `"api_key": "x"` (also in JSON within a JSON string), `Authorization:
 * Bearer x`, `--token x`, `<token>x</token>`, `?token=x`, `&sig=x`, `Password=x;Server=y`. Each character is looked at a bounded number of
 * times. References to a variable (`$TOKEN`) don't count.
 *
 * @returns in the order of their starts; a value without an end goes to the text's
 */
export function findAssignments(text: string, { bytes, hints }: TextScan = scanText(text)): SecretSpan[] {
  const spans: SecretSpan[] = [];
  let done = 0;
  let sign = hints.length === 0 ? null : signFrom(text, 0);
  for (const hint of hints) {
    const to = signBehind(bytes, hint);
    if (to === -1) continue;
    if (sign === null) break;
    const from = Math.max(done, hint - MOST_BEFORE);
    if (sign.index < from) sign = signFrom(text, from);
    for (; sign !== null && sign.index <= to; sign = signFrom(text, done)) {
      const found = atSign(text, sign);
      for (const span of found) spans.push(span);
      // Another assignment may follow at once: the search goes on at the end of the value, and within an element.
      done = Math.max(sign.index + sign[0].length, sign[0].startsWith('<') ? 0 : endOfSearch(text, found));
    }
  }
  return spans;
}

const QUOTE = /["'`]/;

/**
 * The place up to which values were read. A quote that nobody closes, or much later, makes the rest of a text its value; if that is no
 * secret, it must not hide those in it.
 */
function endOfSearch(text: string, found: readonly SecretSpan[]): number {
  for (const { start, end, kind } of found) {
    const value = text.slice(start, end);
    const quoted = QUOTE.test(text.charAt(start - 1)) ? 0 : value.search(QUOTE);
    if (quoted !== -1 && !looksSecret(value, kind)) return Math.min(start + quoted + 1, end);
  }
  return found.at(-1)?.end ?? 0;
}

function signFrom(text: string, from: number): RegExpExecArray | null {
  SIGN.lastIndex = from;
  return SIGN.exec(text);
}

/** Most characters before the part of a name that tells of a secret, up to which its sign may begin: that of an element of XML. */
const MOST_BEFORE = MOST_NAME + 16;

/** The place of the sign that may follow the name in which that hint is; -1 if there is none. Most hints are in other words of a text. */
function signBehind(bytes: Uint8Array, hint: number): number {
  let end = endOfName(bytes, hint);
  // The blank behind a flag, and the end of an element.
  const last = bytes[end] as number;
  if (last === 0x3e || ((last === 0x20 || last === 0x09) && isFlag(bytes, hint))) return end;
  let sign = endOfQuotes(bytes, end);
  if (isString(bytes, sign)) {
    end = sign + 6;
    sign = endOfQuotes(bytes, end);
  }
  return bytes[sign] === 0x3d || bytes[sign] === 0x3a ? sign : -1;
}

function endOfName(bytes: Uint8Array, from: number): number {
  let at = from;
  while (at - from < MOST_NAME && isNameCode(bytes[at] as number)) at += 1;
  return at;
}

function isFlag(bytes: Uint8Array, hint: number): boolean {
  let start = hint;
  while (start > 0 && hint - start < MOST_NAME && isNameCode(bytes[start - 1] as number)) start -= 1;
  return bytes[start] === 0x2d;
}

function endOfQuotes(bytes: Uint8Array, from: number): number {
  let at = from;
  while (at - from < MOST_QUOTES && IN_QUOTES.has(bytes[at] as number)) at += 1;
  return at;
}

/** Tells whether the word `string` stands there, as in `connection string: x`. */
function isString(bytes: Uint8Array, at: number): boolean {
  for (let index = 0; index < 6; index += 1) if (((bytes[at + index] ?? 0) | 0x20) !== 'string'.charCodeAt(index)) return false;
  return true;
}

function atSign(text: string, sign: RegExpExecArray): readonly SecretSpan[] {
  if (sign[0].startsWith('<')) return element(text, sign);
  const place = sign[0].startsWith('-') ? afterFlag(text, sign) : afterSign(text, sign);
  if (place === undefined) return [];
  const found = findValue(text, place);
  TYPED.lastIndex = found.at(-1)?.end ?? text.length;
  if (place.isHeader && TYPED.test(text)) found.push(...findValue(text, { ...place, start: TYPED.lastIndex, isHeader: false }));
  return found;
}

/** The content of an element up to its end, or to the end of a text that was cut: `Promise<Token>` is no element. */
function element(text: string, sign: RegExpExecArray): SecretSpan[] {
  const kind = secretNameKind(sign[0].slice(1, -1));
  const start = sign.index + sign[0].length;
  const next = text.indexOf('<', start);
  const end = next === -1 ? text.length : next;
  if (kind === undefined || end === start) return [];
  const isElement = next === -1 ? !/\s/.test(text.slice(start)) : text.charAt(next + 1) === '/';
  return isElement ? [{ start, end, kind }] : [];
}

function afterFlag(text: string, sign: RegExpExecArray): ValuePlace | undefined {
  const kind = secretNameKind(sign[0].trim());
  const start = skipBlanks(text, sign.index + sign[0].length);
  if (kind === undefined || text.startsWith('--', start)) return undefined;
  return { kind, start, isHeader: false };
}

function afterSign(text: string, sign: RegExpExecArray): ValuePlace | undefined {
  const after = sign.index + sign[0].length;
  if (sign[0] === ':' && text.startsWith('//', after)) return undefined;
  const [start, end] = nameBefore(text, sign.index);
  if (end - start < 3) return undefined;
  const name = text.slice(start, end);
  const kind = isSignature(text, start, name) ? 'signature' : secretNameKind(spacedName(text, start, name));
  const value = skipBlanks(text, after);
  if (kind === undefined || endsString(text, start, sign.index, value) || repeats(text, name, value)) return undefined;
  return { kind, start: value, isHeader: sign[0] === ':' };
}

/** Tells whether the quote at a place ends the string in which the name is, and a program goes on, as in `startsWith("token:")`. */
function endsString(text: string, name: number, sign: number, value: number): boolean {
  const quote = text.charAt(value);
  const isClosing =
    (quote === '"' || quote === "'" || quote === '`') && text.charAt(name - 1) === quote && isNameCode(text.charCodeAt(sign - 1));
  return isClosing && /^[\s)\]},;:+.&|?]?$/.test(text.charAt(value + 1));
}

/** Matches the last part of an expression, and what ends it. */
const LAST_PART = /(?:[\w$-]{1,64}\??\.#?){0,8}([\w$-]{1,64})(?=[\s,;)}\]|&?"'`]|$)/y;

/** Tells whether a value is the name itself, as in `token = config.token`: then it stands for the secret. */
function repeats(text: string, name: string, value: number): boolean {
  LAST_PART.lastIndex = value;
  const last = LAST_PART.exec(text)?.[1];
  return last !== undefined && plainName(last) === plainName(name.slice(name.lastIndexOf('.') + 1));
}

function plainName(name: string): string {
  return name.replaceAll(/[^A-Za-z\d]/g, '').toLowerCase();
}

/** The name before the sign, without the quotes around it: `"name" :`, `\"name\":`, `['name'] =`. */
function nameBefore(text: string, sign: number): [start: number, end: number] {
  let end = sign;
  while (end > 0 && sign - end < MOST_QUOTES && IN_QUOTES.has(text.charCodeAt(end - 1))) end -= 1;
  let start = end;
  while (start > 0 && end - start < MOST_NAME && isNameCode(text.charCodeAt(start - 1))) start -= 1;
  return [start, end];
}

function isNameCode(code: number): boolean {
  const letter = code | 0x20;
  return (letter >= 0x61 && letter <= 0x7a) || (code >= 0x30 && code <= 0x39) || code === 0x5f || code === 0x2d || code === 0x2e;
}

/** Adds the word before a name: people write `API key: x` and `connection string = x`. */
function spacedName(text: string, start: number, name: string): string {
  if (!/^(?:key|string)$/i.test(name) || text.charAt(start - 1) !== ' ') return name;
  const [before, end] = nameBefore(text, start - 1);
  return `${text.slice(before, end)} ${name}`;
}

/** Tells whether a name is a URL's signature, which gives access to the URL. Other signatures are no secrets. */
function isSignature(text: string, start: number, name: string): boolean {
  return (text.charAt(start - 1) === '?' || text.charAt(start - 1) === '&') && SIGNATURE.test(name);
}

function skipBlanks(text: string, from: number): number {
  let index = from;
  while (text.charAt(index) === ' ' || text.charAt(index) === '\t') index += 1;
  return index;
}
