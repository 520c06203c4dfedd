import { ExactNumber, isJsonObject, type JsonObject, type JsonValue, parseJson } from '../json.ts';
import { canonicalText } from './fingerprint.ts';
import type { FieldChange } from './definition.ts';

/** A launch identity as canonical JSON, and its fingerprint. */
interface Launch {
  readonly fingerprint: string;
  readonly text: string;
}

/** Most UTF-16 units of a text that are kept, without the marks for omissions. */
const MOST_KEPT = 200;

/** Units among them that precede the difference. */
const CONTEXT = 40;

/** Two differing texts, cut for display. */
interface CutTexts {
  readonly previous: string | undefined;
  readonly next: string | undefined;
}

/** Most changes that are listed one by one. */
const MOST_CHANGES = 50;

/** Most UTF-16 units of a member's name in a path. */
const MOST_NAME = 80;

/** Most UTF-16 units of a path. */
const MOST_FIELD = 400;

/** Longest texts, together, that are compared member by member: more would take longer than an answer may wait. */
const MOST_TEXT = 4 * 1024 * 1024;

/** Matches a member that can stand in a path as it is. */
const PLAIN_NAME = /^[\w$-]+$/;

/**
 * Lists the changed members of a definition, in the order of the canonical text. An added or removed member is one change. Arrays are
 * compared by position, apart from equal strings and numbers around an insertion or a removal. A string is shown as it is if the other side
 * is one, or is none; everything else is shown as canonical JSON, including a string that became something else, since `"1"` and `1` would
 * look alike. Each text is cut to the difference, with the number of omitted units. After 50 changes, one more counts the rest in its
 * `field`.
 *
 * @param previous canonical JSON of a definition; of an array of them, if several share a name; of a string, for instructions
 * @param next likewise
 */
export function diffDefinitions(previous: string, next: string): FieldChange[] {
  if (previous === next) return [];
  if (previous.length + next.length > MOST_TEXT) return [{ field: '(all of it)', ...cutAround(previous, next) }];
  const walk = new Walk();
  const [before, after] = [parseJson(previous), parseJson(next)];
  if (typeof before === 'string' && typeof after === 'string') walk.compare('instructions', before, after);
  else if (Array.isArray(before) === Array.isArray(after)) walk.compare('', before, after);
  else walk.compare('', toArray(before), toArray(after));
  return walk.changes();
}

class Walk {
  readonly #changes: FieldChange[] = [];
  #count = 0;

  changes(): FieldChange[] {
    const more = this.#count - this.#changes.length;
    if (more > 0) this.#changes.push({ field: `(${more} more)`, previous: undefined, next: undefined });
    return this.#changes;
  }

  compare(field: string, previous: JsonValue | undefined, next: JsonValue | undefined): void {
    if (isJsonObject(previous) && isJsonObject(next)) this.#compareMembers(field, previous, next);
    else if (Array.isArray(previous) && Array.isArray(next)) this.#compareItems(field, previous, next);
    else if (isContainer(previous) || isContainer(next) || textOf(previous) !== textOf(next))
      this.#addValues(field, previous, next);
  }

  /** Formats values only if they are shown, since that takes time in proportion to their size. */
  #addValues(field: string, previous: JsonValue | undefined, next: JsonValue | undefined): void {
    this.#count += 1;
    if (this.#changes.length >= MOST_CHANGES) return;
    const texts =
      isStringOrNone(previous) && isStringOrNone(next)
        ? { ...cutAround(previous, next), isPlain: true as const }
        : cutAround(textOf(previous), textOf(next));
    this.#changes.push({ field: cutField(field), ...texts });
  }

  #compareMembers(field: string, previous: JsonObject, next: JsonObject): void {
    for (const name of [...new Set([...Object.keys(previous), ...Object.keys(next)])].toSorted()) {
      this.compare(memberField(field, name), ownValue(previous, name), ownValue(next, name));
    }
  }

  #compareItems(field: string, previous: readonly JsonValue[], next: readonly JsonValue[]): void {
    const { start, end } = sameEnds(previous, next);
    const length = Math.max(previous.length, next.length) - end;
    for (let index = start; index < length; index += 1) {
      const before = index < previous.length - end ? previous[index] : undefined;
      const after = index < next.length - end ? next[index] : undefined;
      this.compare(`${field}[${index}]`, before, after);
    }
  }
}

/** Counts the equal items at the beginning and at the end, if one of two arrays is longer. */
function sameEnds(previous: readonly JsonValue[], next: readonly JsonValue[]): { start: number; end: number } {
  const shorter = Math.min(previous.length, next.length);
  // Only scalars are compared: items that hold others would be compared again, level by level.
  if (previous.length === next.length || previous.some(isContainer) || next.some(isContainer)) return { start: 0, end: 0 };
  let start = 0;
  while (start < shorter && textOf(previous[start]) === textOf(next[start])) start += 1;
  let end = 0;
  while (end < shorter - start && textOf(previous.at(-1 - end)) === textOf(next.at(-1 - end))) end += 1;
  return { start, end };
}

function memberField(field: string, name: string): string {
  if (!PLAIN_NAME.test(name)) return `${field}[${JSON.stringify(cutName(name))}]`;
  return field === '' ? cutName(name) : `${field}.${cutName(name)}`;
}

function cutName(name: string): string {
  return name.length <= MOST_NAME ? name : `${name.slice(0, MOST_NAME)}…`;
}

/** Keeps the end of a path, which tells more than its beginning. */
function cutField(field: string): string {
  return field.length <= MOST_FIELD ? field : `…${field.slice(-MOST_FIELD)}`;
}

function isContainer(value: JsonValue | undefined): boolean {
  return typeof value === 'object' && value !== null && !(value instanceof ExactNumber);
}

function isStringOrNone(value: JsonValue | undefined): value is string | undefined {
  return value === undefined || typeof value === 'string';
}

function textOf(value: JsonValue | undefined): string | undefined {
  return value === undefined ? undefined : canonicalText(value);
}

function ownValue(object: JsonObject, name: string): JsonValue | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

function toArray(value: JsonValue): readonly JsonValue[] {
  return Array.isArray(value) ? (value as readonly JsonValue[]) : [value];
}

/**
 * Cuts two texts to their difference: a little of their common text before it, then the beginning and the end of the difference, or all of
 * it with the following text. `…` marks a cut beginning or end of the text, `…(N more)…` omitted UTF-16 units of the difference. If only
 * one is there, all of it differs.
 */
export function cutAround(previous: string | undefined, next: string | undefined): CutTexts {
  const start = previous === undefined || next === undefined ? 0 : sameStart(previous, next);
  const end = previous === undefined || next === undefined ? 0 : sameEnd(previous, next, start);
  return { previous: cut(previous, start, end), next: cut(next, start, end) };
}

/** @param start number of common units at the beginning @param end at the end */
function cut(text: string | undefined, start: number, end: number): string | undefined {
  if (text === undefined || text.length <= MOST_KEPT) return text;
  const from = toBoundary(text, Math.max(0, Math.min(start - CONTEXT, text.length - MOST_KEPT)));
  const head = from === 0 ? '' : '…';
  const last = toBoundary(text, text.length - end);
  if (last - from <= MOST_KEPT) {
    const to = toBoundary(text, from + MOST_KEPT);
    return `${head}${text.slice(from, to)}${to < text.length ? '…' : ''}`;
  }
  const half = toBoundary(text, from + MOST_KEPT / 2);
  const rest = toBoundary(text, last - MOST_KEPT / 2);
  return `${head}${text.slice(from, half)}…(${rest - half} more)…${text.slice(rest, last)}${last < text.length ? '…' : ''}`;
}

function sameStart(previous: string, next: string): number {
  const most = Math.min(previous.length, next.length);
  let count = 0;
  while (count < most && previous.charCodeAt(count) === next.charCodeAt(count)) count += 1;
  return count;
}

function sameEnd(previous: string, next: string, start: number): number {
  const most = Math.min(previous.length, next.length) - start;
  let count = 0;
  while (count < most && previous.charCodeAt(previous.length - 1 - count) === next.charCodeAt(next.length - 1 - count))
    count += 1;
  return count;
}

/** The next position, from here on, that is not within a surrogate pair. */
function toBoundary(text: string, at: number): number {
  const isWithin = (text.codePointAt(at - 1) ?? 0) > 0xffff;
  return isWithin ? at + 1 : at;
}

/** The launch that differs least from another one, and the differences. Undefined if there are none. */
export function nearestLaunch(
  launches: readonly Launch[],
  text: string,
): { readonly previous: string; readonly changes: readonly FieldChange[] } | undefined {
  const all = launches.map((each) => ({ previous: each.fingerprint, changes: diffDefinitions(each.text, text) }));
  return all.toSorted((a, b) => a.changes.length - b.changes.length)[0];
}
