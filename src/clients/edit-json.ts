import type { JsonPath, JsonSyntax } from './client.ts';
import { formatMember, formatObject, formatValue, type NewMember, type NewValue } from './json-style.ts';
import { scanJson, type JsonMember, type JsonNode, type JsonScan } from './scan-json.ts';

/** The reason why a text was not read or not edited; line and column are 1-based, in UTF-16 code units, a byte order mark not counted. */
export interface JsonProblem {
  readonly message: string;
  readonly line: number;
  readonly column: number;
}

/**
 * One value to change. `value` is written in the file's own style, and so is the object `json`; `raw` is written as it is, which is how an
 * earlier edit is undone; `absent` removes the member with one comma. If the member does not exist yet it is put behind its sibling `after`, else last.
 */
export interface JsonEdit {
  readonly path: JsonPath;
  readonly to: { readonly value: NewValue } | { readonly json: object } | { readonly raw: string } | { readonly absent: true };
  /** Key of the sibling behind which a new member goes. */
  readonly after?: string | undefined;
}

/** The effect of an edit: the exact text of the value before and after, undefined if the member was or is absent. */
export interface JsonChange {
  readonly path: JsonPath;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

export type JsonEditResult =
  | { readonly ok: true; readonly text: string; readonly changes: readonly JsonChange[] }
  | { readonly ok: false; readonly problem: JsonProblem };

/** Text to take out and what to put there; offsets of UTF-16 code units, `end` excluded. */
export interface Splice {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Writes members as one syntax has them. */
export interface MemberWriter {
  /** The text of a new value in place of a member's. */
  readonly replace: (text: string, place: { object: JsonNode; member: JsonMember }, value: NewMember) => string;
  /** A member that was not there: where it goes, the text that makes it, and that of its value alone. */
  readonly insert: (
    text: string,
    object: JsonNode,
    member: { key: string; value: NewMember; after: string | undefined },
  ) => { readonly at: number; readonly inserted: string; readonly value: string };
  readonly remove: (text: string, object: JsonNode, member: JsonMember) => readonly Splice[];
}

/** Writes the members of JSON and of JSON5. */
export const JSON_WRITER: MemberWriter = {
  replace(text, { object, member }, value) {
    if ('raw' in value) return value.raw;
    return 'json' in value
      ? formatObject(text, { object, sibling: member }, value.json)
      : formatValue(text, { object, member, value: value.value });
  },
  insert: formatMember,
  remove: removeMember,
};

/**
 * Changes the bytes of the named values and no others. All edits succeed or none; paths must lead into an existing object, without
 * duplicate keys on the way, no edit may lie within another, and neighbours may not both be removed if one is the first of its object.
 * The text must be what `syntax` allows. Linear in the text.
 */
export function editJson(text: string, syntax: JsonSyntax, edits: readonly JsonEdit[]): JsonEditResult {
  return editTree(text, { scan: scanJson(text, syntax, parentsOf(edits)), writer: JSON_WRITER }, edits);
}

/** The paths of the objects that edits change, each once. */
export function parentsOf(edits: readonly JsonEdit[]): readonly JsonPath[] {
  return [...new Map(edits.map(({ path }) => [JSON.stringify(path.slice(0, -1)), path.slice(0, -1)])).values()];
}

/** Like `editJson`, for any syntax whose text was scanned. */
export function editTree(
  text: string,
  { scan, writer }: { readonly scan: JsonScan; readonly writer: MemberWriter },
  edits: readonly JsonEdit[],
): JsonEditResult {
  if (!scan.ok) return { ok: false, problem: toProblem(text, scan.offset, scan.message) };
  const splices: Splice[] = [];
  const changes: JsonChange[] = [];
  for (const edit of edits) {
    const outcome = planEdit(text, { root: scan.root, writer }, edit);
    if ('message' in outcome)
      return { ok: false, problem: toProblem(text, outcome.offset, `${formatPath(edit.path)}: ${outcome.message}`) };
    splices.push(...outcome.splices);
    changes.push(outcome.change);
  }
  const overlap = findOverlap(edits);
  if (overlap !== undefined)
    return { ok: false, problem: toProblem(text, 0, `${formatPath(overlap)}: two edits of the same value`) };
  // Splices that touch keep their order: a new member comes behind the new value of the sibling that it follows.
  const ordered = splices.toSorted((a, b) => a.start - b.start || a.end - b.end);
  const clash = ordered.find((splice, index) => isClash(ordered[index - 1], splice));
  if (clash !== undefined) return { ok: false, problem: toProblem(text, clash.start, 'two edits here need the same comma') };
  return { ok: true, text: applySplices(text, ordered), changes };
}

/**
 * The edits that take changes back: on the text that they made, the result is the text before, byte for byte, also while it is the same
 * only around the values.
 */
export function undoEdits(changes: readonly JsonChange[]): readonly JsonEdit[] {
  return changes.map(({ path, before }) => ({ path, to: before === undefined ? { absent: true } : { raw: before } }));
}

/** A problem at an offset of a text. */
export function toProblem(text: string, offset: number, message: string): JsonProblem {
  const lineStart = text.lastIndexOf('\n', offset - 1) + 1;
  let line = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) line += 1;
  const mark = lineStart === 0 && text.startsWith('\uFEFF') ? 1 : 0;
  return { message, line, column: Math.max(0, offset - lineStart - mark) + 1 };
}

type Planned =
  | { readonly splices: readonly Splice[]; readonly change: JsonChange }
  | { readonly message: string; readonly offset: number };

function planEdit(
  text: string,
  { root, writer }: { readonly root: JsonNode | undefined; readonly writer: MemberWriter },
  { path, to, after }: JsonEdit,
): Planned {
  const key = path.at(-1);
  if (key === undefined) return { message: 'the whole file is no member of an object', offset: 0 };
  const found = findObject(root, path.slice(0, -1));
  if ('message' in found) return found;
  const object = found.node;
  const same = object.members.filter((member) => member.key === key);
  if (same.length > 1) return { message: `the key ${JSON.stringify(key)} appears twice`, offset: same[1]?.keyStart ?? 0 };
  const [member] = same;

  if (member === undefined) {
    if ('absent' in to) return { splices: [], change: { path, before: undefined, after: undefined } };
    const { at, inserted, value } = writer.insert(text, object, { key, value: to, after });
    return { splices: [{ start: at, end: at, text: inserted }], change: { path, before: undefined, after: value } };
  }
  const { start, end } = member.node;
  const before = text.slice(start, end);
  if ('absent' in to) return { splices: writer.remove(text, object, member), change: { path, before, after: undefined } };
  const value = writer.replace(text, { object, member }, to);
  return { splices: value === before ? [] : [{ start, end, text: value }], change: { path, before, after: value } };
}

function findObject(
  root: JsonNode | undefined,
  path: JsonPath,
): { readonly node: JsonNode } | { readonly message: string; readonly offset: number } {
  let node = root;
  for (const key of path) {
    const [member, second] = (node?.members ?? []).filter((candidate) => candidate.key === key);
    if (second !== undefined) return { message: `the key ${JSON.stringify(key)} appears twice`, offset: second.keyStart };
    if (member === undefined) return { message: `there is no ${JSON.stringify(key)}`, offset: node?.start ?? 0 };
    node = member.node;
  }
  return node?.kind === 'object' ? { node } : { message: 'there is no object to put it in', offset: node?.start ?? 0 };
}

/**
 * Removes a member. If only one comma lies between it and its neighbour, that and the white space go too, and so do the lines of the only
 * member; comments stay.
 */
function removeMember(text: string, object: JsonNode, member: JsonMember): readonly Splice[] {
  const index = object.members.indexOf(member);
  const previous = object.members[index - 1];
  const next = object.members[index + 1];
  const { keyStart } = member;
  const { end } = member.node;
  const isPlain = (from: number, to: number): boolean => /^[\s,]*$/.test(text.slice(from, to));
  if (previous !== undefined) {
    if (isPlain(previous.node.end, keyStart)) return [{ start: previous.node.end, end, text: '' }];
    const comma = member.comma ?? keyStart;
    return [
      { start: comma, end: comma + 1, text: '' },
      { start: keyStart, end, text: '' },
    ];
  }
  const comma = next?.comma ?? object.trailingComma;
  if (comma === undefined) {
    const [from, to] = [object.start + 1, object.end - 1];
    const isAlone = [text.slice(from, keyStart), text.slice(end, to)].every((gap) => gap.trim() === '' && gap.includes('\n'));
    return [isAlone ? { start: from, end: to, text: '' } : { start: keyStart, end, text: '' }];
  }
  if (next !== undefined && isPlain(end, next.keyStart)) return [{ start: keyStart, end: next.keyStart, text: '' }];
  return [
    { start: keyStart, end, text: '' },
    { start: comma, end: comma + 1, text: '' },
  ];
}

function findOverlap(edits: readonly JsonEdit[]): JsonPath | undefined {
  const seen = new Set<string>();
  for (const { path } of edits) {
    const key = JSON.stringify(path);
    if (seen.has(key)) return path;
    seen.add(key);
  }
  return edits.find(({ path }) => path.some((_, length) => length > 0 && seen.has(JSON.stringify(path.slice(0, length)))))?.path;
}

/** Neighbours that are removed both, or two members for an empty object: each splice is right only without the other. */
function isClash(previous: Splice | undefined, { start, end, text }: Splice): boolean {
  if (previous === undefined) return false;
  const areInsertions = previous.start === start && start === end;
  return start < previous.end || (areInsertions && !text.startsWith(','));
}

function applySplices(text: string, ordered: readonly Splice[]): string {
  const parts: string[] = [];
  let at = 0;
  for (const { start, end, text: inserted } of ordered) {
    parts.push(text.slice(at, start), inserted);
    at = end;
  }
  parts.push(text.slice(at));
  return parts.join('');
}

/** A path for people: `mcpServers.github.command`, with quotes if a key needs them. */
export function formatPath(path: JsonPath): string {
  return path.map((key) => (/^[\w$-]+$/.test(key) ? key : JSON.stringify(key))).join('.');
}
