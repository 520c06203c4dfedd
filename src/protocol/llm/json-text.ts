import { QUOTE, BACKSLASH } from '../json-bytes.ts';

/** Deepest nesting that is accepted; policies follow arguments as deep. */
const MOST_DEPTH = 128;

/** A value in a JSON text: `text.slice(start, end)`. */
export interface TextSpan {
  readonly start: number;
  readonly end: number;
}

/** The replacement of a part of a text. */
export interface Edit extends TextSpan {
  readonly text: string;
}

/** The reason why readers may differ on a valid JSON text. */
export type KeyProblem = 'duplicate_key' | 'too_deep';

/**
 * Finds a duplicate key in any object, or nesting deeper than 128. Keys that differ only in lone surrogates count as equal: some readers
 * replace all of these by U+FFFD.
 *
 * @param text valid JSON, which is not checked
 */
export function findKeyProblem(text: string): KeyProblem | undefined {
  // The stack of open values: the keys of an object, or undefined for an array.
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

/** Returns the span of the whole text. */
export function wholeOf(text: string): TextSpan {
  return { start: 0, end: text.length };
}

/**
 * Returns the spans of an object's values by name; of a duplicate name, the last. Undefined if the span contains no object, or there is no
 * span.
 *
 * @param text valid JSON
 * @param span one value in it, perhaps with white space around
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

/** Returns the spans of an array's elements; undefined if the span contains no array, or there is no span. Parameters as above. */
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

/** Returns the string in the span; undefined if it contains something else, or there is no span. */
export function stringOf(text: string, span: TextSpan | undefined): string | undefined {
  return span !== undefined && text[span.start] === '"' ? stringAt(text, span.start, span.end) : undefined;
}

/** Returns the source text of a value; undefined if there is none. */
export function sourceOf(text: string, span: TextSpan | undefined): string | undefined {
  return span === undefined ? undefined : text.slice(span.start, span.end);
}

/** Applies all edits to a text. They may come in any order and must not overlap. */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  let edited = '';
  let at = 0;
  for (const edit of edits.toSorted((a, b) => a.start - b.start)) {
    edited += text.slice(at, edit.start) + edit.text;
    at = edit.end;
  }
  return edited + text.slice(at);
}

/** Builds edits that remove elements from an array, each with one comma. @param elements all elements, as returned by `elementsOf` */
export function removeElements(elements: readonly TextSpan[], isRemoved: (index: number) => boolean): readonly Edit[] {
  const edits: Edit[] = [];
  let hasKept = false;
  for (const [index, { start, end }] of elements.entries()) {
    const next = elements[index + 1];
    const before = elements[index - 1];
    if (!isRemoved(index)) hasKept = true;
    // The comma before it is removed if an earlier element stays, else the one after it.
    else if (hasKept) edits.push({ start: before?.end ?? start, end, text: '' });
    else edits.push({ start, end: next?.start ?? end, text: '' });
  }
  return edits;
}

/** Returns the offset after the string that begins at `start`. */
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
    // After an even number of backslashes, the quote is not escaped.
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

/** Tells whether a character ends a number or a word. */
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

/** Returns the offset of the next member or element, or of the closing bracket. */
function nextAfter(text: string, end: number): number {
  const at = skipSpace(text, end);
  return text[at] === ',' ? skipSpace(text, at + 1) : at;
}

/** Builds the edit that sets a member of an object. A new one comes before the others. @param value JSON text */
export function setMember(text: string, object: TextSpan, name: string, value: string): Edit {
  const members = membersOf(text, object);
  const old = members?.get(name);
  if (old !== undefined) return { ...old, text: value };
  const member = `${JSON.stringify(name)}:${value}`;
  if (members === undefined || members.size === 0) return { ...object, text: `{${member}}` };
  return { start: object.start + 1, end: object.start + 1, text: `${member},` };
}

/**
 * Builds edits that remove members from an object, each with one comma.
 *
 * @param text valid JSON
 * @param span an object in it
 * @param names missing ones are ignored
 */
export function removeMembers(text: string, span: TextSpan, names: readonly string[]): readonly Edit[] {
  const members = [...(membersOf(text, span) ?? [])];
  const whole = members.map(([, { end }], at): TextSpan => {
    const before = members[at - 1]?.[1].end;
    // There is only white space between a value and the next comma.
    const start = before === undefined ? text.indexOf('{', span.start) : text.indexOf(',', before);
    return { start: start + 1, end };
  });
  return removeElements(whole, (at) => names.includes(members[at]?.[0] ?? ''));
}

/**
 * Rewrites the object with changed members; other values keep their source text.
 *
 * @param text valid JSON
 * @param span an object in it
 * @param changes JSON text of changed members, or of new ones to append; undefined removes the member
 */
export function withMembers(text: string, span: TextSpan, changes: Readonly<Record<string, string | undefined>>): string {
  const all = new Map<string, string | undefined>();
  for (const [name, { start, end }] of membersOf(text, span) ?? []) all.set(name, text.slice(start, end));
  for (const [name, value] of Object.entries(changes)) all.set(name, value);
  const members = [...all].flatMap(([name, value]) => (value === undefined ? [] : `${JSON.stringify(name)}:${value}`));
  return `{${members.join(',')}}`;
}
