import { QUOTE, BACKSLASH } from '../json-bytes.ts';

/** Nesting that is followed; as deep as a policy follows arguments. */
const MOST_DEPTH = 128;

/** A value in a JSON text: `text.slice(start, end)`. */
export interface TextSpan {
  readonly start: number;
  readonly end: number;
}

/** What is to stand in the place of a part of a text. */
export interface Edit extends TextSpan {
  readonly text: string;
}

/** Why readers may differ on a JSON text that is valid. */
export type KeyProblem = 'duplicate_key' | 'too_deep';

/**
 * Finds a key that one object has twice, at any depth, or nesting deeper than 128. Keys that differ in halves of surrogate pairs
 * alone count as one: readers that know no such halves take both for U+FFFD.
 *
 * @param text valid JSON, which this does not check
 */
export function findKeyProblem(text: string): KeyProblem | undefined {
  // What is open: the keys of an object, or undefined for an array.
  const open: (Set<string> | undefined)[] = [];
  let isKey = false;
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case QUOTE: {
        const end = stringEnd(text, at);
        const keys = isKey ? open.at(-1) : undefined;
        if (keys !== undefined) {
          const key = stringAt(text, at, end).toWellFormed();
          if (keys.has(key)) return 'duplicate_key';
          keys.add(key);
        }
        isKey = false;
        at = end - 1;
        break;
      }
      case 0x7b:
        if (open.push(new Set()) > MOST_DEPTH) return 'too_deep';
        isKey = true;
        break;
      case 0x5b:
        if (open.push(undefined) > MOST_DEPTH) return 'too_deep';
        isKey = false;
        break;
      case 0x7d:
      case 0x5d:
        open.pop();
        isKey = false;
        break;
      case 0x2c:
        isKey = open.at(-1) !== undefined;
        break;
      default:
    }
  }
  return undefined;
}

/** All of a text. */
export function wholeOf(text: string): TextSpan {
  return { start: 0, end: text.length };
}

/**
 * Where the values of the object's members lie, by their names; of a name that occurs twice the last. Undefined where the span holds
 * no object, or there is no span.
 *
 * @param text valid JSON
 * @param span one value in it; white space around it may belong to it
 */
export function membersOf(text: string, span: TextSpan | undefined): ReadonlyMap<string, TextSpan> | undefined {
  if (span === undefined) return undefined;
  let at = skipSpace(text, span.start);
  if (text[at] !== '{') return undefined;
  const members = new Map<string, TextSpan>();
  at = skipSpace(text, at + 1);
  while (at < span.end && text[at] !== '}') {
    const keyEnd = stringEnd(text, at);
    const start = skipSpace(text, skipSpace(text, keyEnd) + 1);
    const end = valueEnd(text, start);
    members.set(stringAt(text, at, keyEnd), { start, end });
    at = nextAfter(text, end);
  }
  return members;
}

/** Where the elements of the array lie; undefined where the span holds none, or there is none. Parameters as above. */
export function elementsOf(text: string, span: TextSpan | undefined): readonly TextSpan[] | undefined {
  if (span === undefined) return undefined;
  let at = skipSpace(text, span.start);
  if (text[at] !== '[') return undefined;
  const elements: TextSpan[] = [];
  at = skipSpace(text, at + 1);
  while (at < span.end && text[at] !== ']') {
    const end = valueEnd(text, at);
    elements.push({ start: at, end });
    at = nextAfter(text, end);
  }
  return elements;
}

/** The string that the span holds; undefined where it holds something else, or there is no span. */
export function stringOf(text: string, span: TextSpan | undefined): string | undefined {
  return span !== undefined && text[span.start] === '"' ? stringAt(text, span.start, span.end) : undefined;
}

/** The source text of a value; undefined where there is none. */
export function sourceOf(text: string, span: TextSpan | undefined): string | undefined {
  return span === undefined ? undefined : text.slice(span.start, span.end);
}

/** The text with all edits made. They may stand in any order and must not overlap. */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  let edited = '';
  let at = 0;
  for (const edit of edits.toSorted((a, b) => a.start - b.start)) {
    edited += text.slice(at, edit.start) + edit.text;
    at = edit.end;
  }
  return edited + text.slice(at);
}

/** Edits that take elements out of an array, each with one comma. @param elements all of the array's, as `elementsOf` gives them */
export function removeElements(elements: readonly TextSpan[], isRemoved: (index: number) => boolean): readonly Edit[] {
  const edits: Edit[] = [];
  let hasKept = false;
  for (const [index, { start, end }] of elements.entries()) {
    const next = elements[index + 1];
    const before = elements[index - 1];
    if (!isRemoved(index)) hasKept = true;
    // The comma before it goes once something before it stays, else the one behind it.
    else if (hasKept) edits.push({ start: before?.end ?? start, end, text: '' });
    else edits.push({ start, end: next?.start ?? end, text: '' });
  }
  return edits;
}

/** Offset behind the string that begins at `start`. */
function stringEnd(text: string, start: number): number {
  return closedStringEnd(text, start) ?? text.length;
}

/** The same; undefined where the string has no end. */
export function closedStringEnd(text: string, start: number): number | undefined {
  let from = start + 1;
  for (;;) {
    const quote = text.indexOf('"', from);
    if (quote === -1) return undefined;
    let slash = quote - 1;
    while (slash >= from && text.charCodeAt(slash) === BACKSLASH) slash--;
    // An even number of backslashes before the quote means that none of them escapes it.
    if ((quote - 1 - slash) % 2 === 0) return quote + 1;
    from = quote + 1;
  }
}

function stringAt(text: string, start: number, end: number): string {
  const inside = text.slice(start + 1, end - 1);
  return inside.includes('\\') ? (JSON.parse(text.slice(start, end)) as string) : inside;
}

function valueEnd(text: string, start: number): number {
  const first = text.charCodeAt(start);
  if (first === QUOTE) return stringEnd(text, start);
  const { length } = text;
  let at = start + 1;
  if (first !== 0x7b && first !== 0x5b) {
    while (at < length && !isBreak(text.charCodeAt(at))) at++;
    return at;
  }
  let level = 1;
  while (at < length) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = stringEnd(text, at) - 1;
    // The two kinds of brackets differ in one bit.
    else if ((code | 0x20) === 0x7b) level++;
    else if ((code | 0x20) === 0x7d && --level === 0) return at + 1;
    at++;
  }
  return at;
}

/** Does it end a number or a word? */
function isBreak(code: number): boolean {
  return code === 0x2c || code === 0x7d || code === 0x5d || isSpace(code);
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && isSpace(text.charCodeAt(at))) at++;
  return at;
}

/** Offset of the next member or element, or of the bracket that closes. */
function nextAfter(text: string, end: number): number {
  const at = skipSpace(text, end);
  return text[at] === ',' ? skipSpace(text, at + 1) : at;
}

/** The edit that gives an object a member, or the member another value. A new one stands before the others. @param value JSON text */
export function setMember(text: string, object: TextSpan, name: string, value: string): Edit {
  const members = membersOf(text, object);
  const old = members?.get(name);
  if (old !== undefined) return { ...old, text: value };
  const member = `${JSON.stringify(name)}:${value}`;
  if (members === undefined || members.size === 0) return { ...object, text: `{${member}}` };
  return { start: object.start + 1, end: object.start + 1, text: `${member},` };
}

/**
 * Takes members out of an object, each with one comma.
 *
 * @param text valid JSON
 * @param span an object in it
 * @param names those that it does not have do not matter
 */
export function removeMembers(text: string, span: TextSpan, names: readonly string[]): readonly Edit[] {
  const members = [...(membersOf(text, span) ?? [])];
  const whole = members.map(([, { end }], at): TextSpan => {
    const before = members[at - 1]?.[1].end;
    // Nothing but white space is between a value and the next comma.
    const start = before === undefined ? text.indexOf('{', span.start) : text.indexOf(',', before);
    return { start: start + 1, end };
  });
  return removeElements(whole, (at) => names.includes(members[at]?.[0] ?? ''));
}

/**
 * The object made anew, each value as it was.
 *
 * @param text valid JSON
 * @param span an object in it
 * @param changes JSON text of the members that are to have another value, or to be added at the end; undefined: to be left out
 */
export function withMembers(text: string, span: TextSpan, changes: Readonly<Record<string, string | undefined>>): string {
  const all = new Map<string, string | undefined>();
  for (const [name, { start, end }] of membersOf(text, span) ?? []) all.set(name, text.slice(start, end));
  for (const [name, value] of Object.entries(changes)) all.set(name, value);
  const members = [...all].flatMap(([name, value]) => (value === undefined ? [] : `${JSON.stringify(name)}:${value}`));
  return `{${members.join(',')}}`;
}
