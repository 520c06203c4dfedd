import { SECRET_FORMS, type SecretForm, type SecretSpan } from './secret-forms.ts';

/** Characters of a base64url token with dots. */
const TOKEN_TAIL = /[\w.-]/;

interface Search {
  /** Finds any marker. */
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
export function findForms(text: string, isCut: boolean): SecretSpan[] {
  search ??= createSearch();
  const spans: SecretSpan[] = [];
  const { marker, forms } = search;
  const progress: Progress = { plainUntil: 0, isWithoutEnd: false };
  marker.lastIndex = 0;
  for (let found = marker.exec(text); found !== null; found = marker.exec(text)) {
    const { 0: mark, index } = found;
    let span: SecretSpan | undefined;
    if (mark === BEGIN) span = privateKey(text, index, progress);
    else if (mark === TOKEN) span = webToken(text, index, progress);
    else span = firstForm(forms.get(mark) ?? [], text, index);
    if (span !== undefined) spans.push(span);
    marker.lastIndex = Math.max(span?.end ?? 0, index + 1);
  }
  return isCut ? [...spans, ...openEnds(text)] : spans;
}

/** Remembers failed searches: a text of nothing but beginnings must not take quadratic time. */
interface Progress {
  /** Up to here no dot follows a possible first part of a JWT. */
  plainUntil: number;
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
  const markers = [...forms.keys(), BEGIN, TOKEN].toSorted().toReversed();
  const escaped = markers.map((marker) => marker.replace(/[\\./+-]/g, String.raw`\$&`));
  return {
    marker: new RegExp(escaped.join('|'), 'g'),
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
  return index === 0 || !/[A-Za-z0-9]/.test(text.charAt(index - 1)) || ESCAPE.test(text.slice(Math.max(0, index - 6), index));
}

const BEGIN = '-----BEGIN';
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

const TOKEN = 'eyJ';
const JWT = /eyJ[\w-]*(?:\.[\w-]*)*/y;

/** Finds a JSON object in base64url followed by a dot: RFC 7519, signed (3 parts) or encrypted (5). */
function webToken(text: string, index: number, progress: Progress): SecretSpan | undefined {
  if (index < progress.plainUntil) return undefined;
  JWT.lastIndex = index;
  const token = JWT.exec(text)?.[0] ?? '';
  const dot = token.indexOf('.');
  if (dot >= 10) return { start: index, end: index + token.length, kind: 'jwt' };
  if (dot === -1) progress.plainUntil = index + token.length;
  return undefined;
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
