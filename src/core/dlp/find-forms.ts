import { scanText, type TextScan } from './scan-text.ts';
import { BEGIN, MARKERS, SECRET_FORMS, type SecretForm, type SecretSpan, TOKEN } from './secret-forms.ts';

/** Characters of a base64url token with dots. */
const TOKEN_TAIL = /[\w.-]/;

interface Search {
  /** Tells the longest marker at a place. */
  readonly marker: RegExp;
  readonly forms: ReadonlyMap<string, readonly SecretForm[]>;
}

let search: Search | undefined;

/**
 * Finds secrets by their form, wherever they stand: tokens with an issuer's prefix, JWTs, private keys, passwords in URLs.
 *
 * @param isCut the text goes on beyond its end, so a secret there may lack its telling part: anything that could be one counts
 * @returns in the order of their starts
 */
export function findForms(text: string, isCut: boolean, { marks }: TextScan = scanText(text)): SecretSpan[] {
  search ??= createSearch();
  const spans: SecretSpan[] = [];
  const { marker, forms } = search;
  const progress: Progress = { part: { end: 0, isFirst: false, json: [] }, isWithoutEnd: false };
  let done = 0;
  for (const index of marks) {
    if (index < done) continue;
    marker.lastIndex = index;
    const mark = marker.exec(text)?.[0];
    if (mark === undefined) continue;
    let span: SecretSpan | undefined;
    if (mark === BEGIN) span = privateKey(text, index, progress);
    else if (mark === TOKEN) span = webToken(text, index, progress);
    else span = firstForm(forms.get(mark) ?? [], text, index);
    if (span !== undefined) spans.push(span);
    done = Math.max(span?.end ?? 0, index + 1);
  }
  return isCut ? [...spans, ...openEnds(text)] : spans;
}

/** Remembers failed searches: a text of nothing but beginnings must not take quadratic time. */
interface Progress {
  /** The last run that may be the first part of a JWT. */
  part: FirstPart;
  /** True if the rest of the text contains no key's end. */
  isWithoutEnd: boolean;
}

/** Created on first use, so that a proxy starts faster. */
function createSearch(): Search {
  const forms = Map.groupBy(
    SECRET_FORMS.flatMap((form) => form.markers.map((marker) => ({ marker, form }))),
    ({ marker }) => marker,
  );
  // Sorted backwards, so that a longer marker is found before its own beginning.
  const markers = MARKERS.toSorted().toReversed();
  const escaped = markers.map((marker) => marker.replace(/[\\./+-]/g, String.raw`\$&`));
  return {
    marker: new RegExp(escaped.join('|'), 'y'),
    forms: new Map(Array.from(forms, ([marker, entries]) => [marker, entries.map(({ form }) => form)])),
  };
}

function firstForm(forms: readonly SecretForm[], text: string, index: number): SecretSpan | undefined {
  for (const { kind, form, startsWord = false } of forms) {
    if (startsWord && !isWordStart(text, index)) continue;
    form.lastIndex = index;
    const match = form.exec(text);
    if (match === null) continue;
    const secret = match.groups?.['secret'];
    if (secret === undefined) return { start: index, end: index + match[0].length, kind };
    const start = index + match[0].lastIndexOf(secret);
    return { start, end: start + secret.length, kind };
  }
  return undefined;
}

/**
 * Matches the end of an escape, of JSON in a string or of a URL, which looks like part of a word: `\
 * sk-`, `%3Dsk-`.
 */
const ESCAPE = /(?:\\[bfnrt]|\\u[\da-f]{4}|\\x[\da-f]{2}|%[\da-f]{2})$/i;

function isWordStart(text: string, index: number): boolean {
  return index === 0 || !/[A-Za-z]/.test(text.charAt(index - 1)) || ESCAPE.test(text.slice(Math.max(0, index - 6), index));
}

const PEM_HEAD = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/y;
/** Base64, line breaks (also escaped ones, of JSON in a string) and the headers of an encrypted key. */
const PEM_BODY = /[A-Za-z0-9+/=\s\\:,-]*/y;
const PEM_END = /-----END [A-Z0-9 ]{0,40}-----/g;

/**
 * Finds a private key (RFC 7468) up to its end, whatever stands in between (quotes of a program's source, marks of a quoted mail). Without
 * an end (it was cut, or left out) it goes as far as it could be one.
 */
function privateKey(text: string, index: number, progress: Progress): SecretSpan | undefined {
  PEM_HEAD.lastIndex = index;
  const head = PEM_HEAD.exec(text);
  if (head === null) return undefined;
  PEM_END.lastIndex = index + head[0].length;
  progress.isWithoutEnd ||= !PEM_END.test(text);
  if (!progress.isWithoutEnd) return { start: index, end: PEM_END.lastIndex, kind: 'private_key' };
  PEM_BODY.lastIndex = index + head[0].length;
  PEM_BODY.test(text);
  return { start: index, end: PEM_BODY.lastIndex, kind: 'private_key' };
}

const FIRST_PART = /eyJ[\w-]*/y;
const OTHER_PARTS = /(?:\.[\w-]*)*/y;

/** Nothing but dots behind the first part: the rest was left out. */
const DOTS = /\.+(?![\w.-])/y;

/** Least characters of a first part. */
const LEAST_FIRST = 10;

/** Finds a JSON object in base64url followed by a dot: RFC 7519, signed (3 parts) or encrypted (5). */
function webToken(text: string, index: number, progress: Progress): SecretSpan | undefined {
  if (index >= progress.part.end) progress.part = partAt(text, index);
  const { end, isFirst } = progress.part;
  if (!isFirst || end - index < LEAST_FIRST || !(isWordStart(text, index) || isJson(text, index, progress.part)))
    return undefined;
  OTHER_PARTS.lastIndex = end;
  OTHER_PARTS.test(text);
  return { start: index, end: OTHER_PARTS.lastIndex, kind: 'jwt' };
}

/** A run that may be the first part of a JWT. Several beginnings in it share what was read of it. */
interface FirstPart {
  readonly end: number;
  /** True if other parts follow. */
  readonly isFirst: boolean;
  /** The first place at which JSON may begin, by the characters behind it, modulo 4. */
  readonly json: (number | undefined)[];
}

function partAt(text: string, index: number): FirstPart {
  FIRST_PART.lastIndex = index;
  FIRST_PART.test(text);
  const end = FIRST_PART.lastIndex;
  DOTS.lastIndex = end;
  return { end, isFirst: text.charAt(end) === '.' && !DOTS.test(text), json: [] };
}

/** Tells whether the first part of a JWT is JSON: within a word, chance may make its beginning (`KeyJwtProvider`). */
function isJson(text: string, index: number, { end, json }: FirstPart): boolean {
  const behind = (end - index) % 4;
  return index >= (json[behind] ??= firstJson(text.slice(index, end), index));
}

/** The first place, in steps of four characters, from which on base64 has nothing but ASCII, and a brace at its end. */
function firstJson(base64: string, index: number): number {
  const inside = Buffer.from(base64, 'base64url').toString('latin1');
  if (!inside.endsWith('}')) return Infinity;
  let start = inside.length;
  while (start > 0 && isPrintable(inside.charCodeAt(start - 1))) start -= 1;
  return index + 4 * Math.ceil(start / 3);
}

function isPrintable(code: number): boolean {
  return code >= 0x20 && code < 0x7f;
}

/** The end of a cut text, if it could be the beginning of a secret that only its end would reveal. */
function openEnds(text: string): SecretSpan[] {
  let start = text.length;
  while (start > 0 && TOKEN_TAIL.test(text.charAt(start - 1))) start -= 1;
  const token = text.indexOf(TOKEN, start);
  const url = text.lastIndexOf('//');
  return [
    ...(token === -1 ? [] : [{ start: token, end: text.length, kind: 'jwt' }]),
    ...(url === -1 || /[\s"'`<>@/?#]/.test(text.slice(url + 2))
      ? []
      : [{ start: url + 2, end: text.length, kind: 'url_password' }]),
  ].toSorted((a, b) => a.start - b.start);
}
