import type { AST } from '../../core/policy/toml-layout.ts';
import type { PolicyPath } from '../../core/policy/types.ts';
import { attachComments, type Attachment, findInside, findOutside, type Ranged } from './attach-comments.ts';

/** The order of a rule's keys: its name and action, its conditions, its texts. */
const RULE_ORDER =
  'id action server method tool resource prompt category fingerprint args unless require_person description message'.split(' ');

/** Columns; an array that would be wider has a line for each of its elements. */
export const WIDTH = 100;

const STEP = '  ';

/** The text being formatted. */
export interface Source {
  readonly text: string;
  readonly comments: readonly Ranged[];
  readonly eol: string;
}

/** The place where a value is written. */
interface Spot {
  readonly path: PolicyPath;
  /** The indentation of the line on which the value begins. */
  readonly indent: string;
  /** Columns that are left on that line. */
  readonly room: number;
}

/** Writes `key = value`. `spot` is that of the key, with the path of the table that it is in. */
export function writePair(pair: AST.TOMLKeyValue, source: Source, { path, indent, room }: Spot): string {
  const key = writeKey(pair.key, source.text);
  const inner = { path: [...path, ...namesOf(pair.key)], indent, room: room - key.length - 3 };
  return `${key} = ${writeValue(pair.value, source, inner)}`;
}

function writeValue(node: AST.TOMLContentNode, source: Source, spot: Spot): string {
  const flat = writeFlat(node, source, spot.path);
  if (flat !== undefined && flat.length <= spot.room) return flat;
  if (node.type === 'TOMLArray') return node.elements.length === 0 && flat !== undefined ? flat : writeArray(node, source, spot);
  if (node.type !== 'TOMLInlineTable') return flat ?? source.text.slice(...node.range);
  const comments = commentsOf(node, node.body, source);
  if (comments.length > 0) return writeTallTable(node, source, { spot, comments });
  // The format keeps such a table on one line, but for long arrays in it.
  const pairs = sorted(node, spot.path).map((pair) => writePair(pair, source, { ...spot, room: WIDTH / 2 }));
  return `{ ${pairs.join(', ')} }`;
}

/** Writes a value on one line; undefined if it can't be. */
function writeFlat(node: AST.TOMLContentNode, source: Source, path: PolicyPath): string | undefined {
  if (node.type === 'TOMLValue') return writeScalar(node, source);
  if (findInside(source.comments, node).length > 0) return undefined;
  if (node.type === 'TOMLArray') {
    const elements = node.elements.map((element, index) => writeFlat(element, source, [...path, index]));
    return elements.every((element) => element !== undefined) ? `[${elements.join(', ')}]` : undefined;
  }
  if (node.body.length === 0) return '{}';
  const pairs = sorted(node, path).map(({ key, value }) => {
    const written = writeFlat(value, source, [...path, ...namesOf(key)]);
    return written === undefined ? undefined : `${writeKey(key, source.text)} = ${written}`;
  });
  return pairs.every((pair) => pair !== undefined) ? `{ ${pairs.join(', ')} }` : undefined;
}

function writeScalar(node: AST.TOMLValue, { text }: Source): string | undefined {
  const written = node.kind === 'string' ? writeQuoted(node, text) : text.slice(...node.range);
  return written.includes('\n') ? undefined : written;
}

function writeArray(node: AST.TOMLArray, source: Source, { path, indent }: Spot): string {
  const inner = `${indent}${STEP}`;
  const comments = commentsOf(node, node.elements, source);
  const attachment = attachComments(source.text, { items: node.elements, comments }, node.range[0] + 1);
  const write = (element: AST.TOMLContentNode, index: number): string =>
    writeValue(element, source, { path: [...path, index], indent: inner, room: WIDTH - inner.length - 1 });
  return writeTall(attachment, source, { brackets: '[]', indent, write });
}

/** A table with comments in it, which somebody has written over several lines. */
function writeTallTable(
  node: AST.TOMLInlineTable,
  source: Source,
  { spot, comments }: { readonly spot: Spot; readonly comments: readonly Ranged[] },
): string {
  const inner = `${spot.indent}${STEP}`;
  const { opening, items, rest } = attachComments(source.text, { items: node.body, comments }, node.range[0] + 1);
  const ordered = inOrder(items, spot.path, ({ item }) => namesOf(item.key)[0] ?? '');
  const write = (pair: AST.TOMLKeyValue): string =>
    writePair(pair, source, { path: spot.path, indent: inner, room: WIDTH - inner.length - 1 });
  return writeTall({ opening, items: ordered, rest }, source, { brackets: '{}', indent: spot.indent, write });
}

interface Tall<T> {
  readonly brackets: '[]' | '{}';
  readonly indent: string;
  readonly write: (item: T, index: number) => string;
}

/** A line for each item, and for each comment above one. */
function writeTall<T>({ opening, items, rest }: Attachment<T>, { eol }: Source, { brackets, indent, write }: Tall<T>): string {
  const inner = `${indent}${STEP}`;
  const rows: Row[] = [];
  const add = (row: Row, hasGap: boolean): void => {
    if (hasGap && rows.length > 0) rows.push(EMPTY_ROW);
    rows.push(row);
  };
  for (const [index, { item, before, behind, hasGap }] of items.entries()) {
    for (const line of before) add({ text: `${inner}${line.text}` }, line.hasGap);
    add({ text: `${inner}${write(item, index)},`, comment: behind }, hasGap);
  }
  for (const line of rest) add({ text: `${inner}${line.text}` }, line.hasGap);
  const first = opening === undefined ? brackets[0] : `${brackets[0]}  ${opening}`;
  return `${first}${eol}${renderRows(rows, eol)}${indent}${brackets[1]}`;
}

function sorted(node: AST.TOMLInlineTable, path: PolicyPath): readonly AST.TOMLKeyValue[] {
  return inOrder(node.body, path, ({ key }) => namesOf(key)[0] ?? '');
}

/** Comments directly in something, and in none of its items. */
function commentsOf(node: Ranged, items: readonly Ranged[], { comments }: Source): readonly Ranged[] {
  return findOutside(findInside(comments, node), items);
}

/**
 * Sorts the keys of a rule, or of its `unless`. Other tables keep their order, and so do keys with the same beginning, such as `args.path`
 * and `args.url`.
 *
 * @param keyOf the first key of each
 */
export function inOrder<T>(items: readonly T[], table: PolicyPath, keyOf: (item: T) => string): readonly T[] {
  const [first, index, inner] = table;
  const isRule = first === 'rule' && typeof index === 'number';
  if (!isRule || (table.length > 2 && !(table.length === 3 && inner === 'unless'))) return items;
  const rank = (item: T): number => {
    const at = RULE_ORDER.indexOf(keyOf(item));
    return at === -1 ? RULE_ORDER.length : at;
  };
  return items.toSorted((a, b) => rank(a) - rank(b));
}

/** A line of a policy, or several if its value has some. */
export interface Row {
  /** Empty: an empty line. */
  readonly text: string;
  /** The comment behind it. */
  readonly comment?: string | undefined;
}

export const EMPTY_ROW: Row = { text: '' };

const BARE = /^[A-Za-z0-9_-]+$/;

/** Text that double quotes would have to escape, or that is in single quotes for a reason. */
const NEEDS_ESCAPE = /["\\\p{Cc}]/u;

/** A key with dots as it is written: without quotes if it needs none. */
export function writeKey(key: AST.TOMLKey, text: string): string {
  return key.keys.map((part) => writePart(part, text)).join('.');
}

/** The names in a key with dots. */
export function namesOf(key: AST.TOMLKey): readonly string[] {
  return key.keys.map((part) => (part.type === 'TOMLBare' ? part.name : part.value));
}

function writePart(part: AST.TOMLBare | AST.TOMLQuoted, text: string): string {
  if (part.type === 'TOMLBare') return part.name;
  return BARE.test(part.value) ? part.value : writeQuoted(part, text);
}

/** A text in double quotes if that changes no letter of it; else as it stands. */
export function writeQuoted(node: AST.TOMLQuoted | AST.TOMLStringValue, text: string): string {
  const isPlain = node.style === 'literal' && !node.multiline && !NEEDS_ESCAPE.test(node.value);
  return isPlain ? `"${node.value}"` : text.slice(...node.range);
}

/** Writes rows, each line ended by `eol`. Comments behind neighbouring lines stand below each other. */
export function renderRows(rows: readonly Row[], eol: string): string {
  let column = 0;
  const lines = rows.map((row, index) => {
    if (row.comment === undefined) return row.text;
    if (!isAligned(row)) return `${row.text}  ${row.comment}`;
    if (!isAligned(rows[index - 1])) column = columnFrom(rows, index);
    return `${row.text.padEnd(column)}  ${row.comment}`;
  });
  return lines.map((line) => `${line}${eol}`).join('');
}

/** The length of the longest of the lines from this one on, up to the first that has no comment behind it. */
function columnFrom(rows: readonly Row[], index: number): number {
  let longest = 0;
  for (let at = index; isAligned(rows[at]); at++) longest = Math.max(longest, rows[at]?.text.length ?? 0);
  return longest;
}

function isAligned(row: Row | undefined): boolean {
  return row?.comment !== undefined && !row.text.includes('\n');
}
