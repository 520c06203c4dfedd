import type { SecretSpan } from '../../../core/dlp/secret-forms.ts';
import { isRandom } from '../../../core/outgoing/looks-secret.ts';
import { findTokens } from '../../../core/dlp/tokens.ts';
import { unite } from '../../../core/dlp/unite.ts';
import { type Edit, stringOf, type TextSpan, wholeOf } from '../../../protocol/llm/json-text.ts';
import { toSourceEdits } from '../../../protocol/llm/texts/string-edits.ts';
import { namedStrings } from './named-strings.ts';
import type { SoughtValues } from './sought-values.ts';

/** Most levels of JSON in strings of JSON; what is deeper is read as text. */
const MOST_LEVELS = 4;

/** Matches a picture or a file in a text: its bytes are no words. */
const DATA_URL = /data:[\w.+-]{1,64}\/[\w.+-]{1,64}(?:;[\w.=+-]{1,64}){0,4};base64,[A-Za-z0-9+/=_-]*/gi;

/** Matches what stands for a secret already. */
const MARK = /\[redacted:[\w-]{1,64}\]/g;

/** A secret in a string's source. */
export interface FoundSecret extends Edit {
  readonly kind: string;
  readonly value: string;
  /** True if nothing but its being known told of it. */
  readonly isSought?: true;
}

/** A value of JSON, or the name of a member. */
interface SearchedString {
  readonly span: TextSpan;
  /** The name that tells about it, where names do. */
  readonly name: string | undefined;
  readonly isKey: boolean;
  readonly search: StringSearch;
}

export interface StringSearch {
  /** Finds secrets in a text. @param name of the value, if names tell of secrets there */
  readonly find: (text: string, name?: string) => readonly SecretSpan[];
  /** Finds secrets in disguise. @param known the kind of a value that is sought, if a text has one */
  readonly findDisguised?: (text: string, known: (text: string) => string | undefined) => readonly SecretSpan[];
  /** Values to find wherever they stand. */
  readonly sought: SoughtValues | undefined;
}

/**
 * Finds the secrets in a string: by their form, by a name beside them, or because they are known. In a text that is JSON, only its strings
 * and names can be secrets, so that it stays JSON.
 *
 * @param text JSON @param span a string in it
 * @param name of the value, where names tell of secrets
 * @returns in order, at their places in `text`, without replacements
 */
function findInString(text: string, { span, name, isKey, search }: SearchedString, level = 0): readonly FoundSecret[] {
  const decoded = stringOf(text, span);
  if (decoded === undefined || decoded === '') return [];
  const found = isKey
    ? findInKey(decoded, search)
    : isJson(decoded, level)
      ? findInJson(decoded, { span: wholeOf(decoded), search }, level + 1)
      : findInText(decoded, name, search);
  return toSourceEdits(text, span, found);
}

/**
 * Finds the secrets in a value: in its strings, and in the names of members.
 *
 * @param text JSON @param span a value in it
 */
export function findInValue(text: string, value: SearchedString): readonly FoundSecret[] {
  return text[value.span.start] === '"' ? findInString(text, value) : findInJson(text, value);
}

function findInJson(
  text: string,
  { span, search }: { readonly span: TextSpan; readonly search: StringSearch },
  level = 0,
): readonly FoundSecret[] {
  return namedStrings(text, span).flatMap((string) => findInString(text, { ...string, search }, level));
}

/** Finds the secrets in the name of a member. A password that is a word may be a name, too, and a number alone is an id there. */
function findInKey(key: string, search: StringSearch): readonly FoundSecret[] {
  return findInText(key, 'id', search).filter(({ value, isSought }) => isSought !== true || isRandom(value));
}

function findInText(text: string, name: string | undefined, search: StringSearch): readonly FoundSecret[] {
  const { find, findDisguised, sought } = search;
  const plain = find(text, name);
  const disguised = findDisguised?.(text, (decoded) => sought?.places(decoded)[0]?.kind) ?? [];
  const spans = disguised.length === 0 ? plain : unite([...plain, ...disguised]);
  const byForm = notYetReplaced(text, outsideOfFiles(text, spans));
  const known = sought === undefined || sought.size === 0 ? [] : findSought(text, sought, byForm);
  return known.length === 0 ? byForm : [...byForm, ...known].toSorted((a, b) => a.start - b.start);
}

/** Leaves out what consists of tokens and marks alone: they stand for secrets that are gone. */
function notYetReplaced(text: string, spans: readonly SecretSpan[]): readonly FoundSecret[] {
  return spans.flatMap(({ start, end: last, kind }) => {
    const end = sentenceEnd(text, start, last);
    const value = text.slice(start, end);
    let rest = value.replace(MARK, '');
    for (const { token, isValid } of findTokens(rest)) if (isValid) rest = rest.replace(new RegExp(token, 'i'), '');
    if (rest !== value && !/[\p{L}\p{N}]/u.test(rest)) return [];
    // A copy, since a part of a text keeps all of the text in memory.
    return [{ start, end, kind, value: Buffer.from(value, 'utf8').toString('utf8'), text: '' }];
  });
}

/** Leaves the end of a sentence out of a secret, so that it is the same one wherever it stands. */
function sentenceEnd(text: string, start: number, end: number): number {
  let at = end;
  while (at - 1 > start && '.,;:'.includes(text.charAt(at - 1))) at--;
  return at;
}

function outsideOfFiles(text: string, spans: readonly SecretSpan[]): readonly SecretSpan[] {
  if (spans.length === 0 || !text.includes('base64,')) return spans;
  const files = Array.from(text.matchAll(DATA_URL), ({ index, 0: file }) => ({ start: index, end: index + file.length }));
  return spans.filter(({ start, end }) => !files.some((file) => start < file.end && file.start < end));
}

function findSought(text: string, sought: SoughtValues, byForm: readonly TextSpan[]): readonly FoundSecret[] {
  const places = sought.places(text);
  if (places.length === 0) return [];
  const isTaken = new Uint8Array(text.length);
  for (const { start, end } of byForm) isTaken.fill(1, start, end);
  const found: FoundSecret[] = [];
  for (const place of places) {
    const { start, end } = place;
    if (isTaken.subarray(start, end).includes(1) || isWithinWord(text, start, end)) continue;
    isTaken.fill(1, start, end);
    found.push({ ...place, text: '', isSought: true });
  }
  return found;
}

function isWithinWord(text: string, start: number, end: number): boolean {
  const isWord = (at: number): boolean => /[\p{L}\p{N}_]/u.test(text.charAt(at));
  return (isWord(start) && isWord(start - 1)) || (isWord(end - 1) && isWord(end));
}

function isJson(text: string, level: number): boolean {
  if (level >= MOST_LEVELS || !/^\s*[{[]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    // A text that is not JSON need not stay so.
    return false;
  }
}
