import { type AST, parseTomlSyntax } from '../../core/policy/toml-layout.ts';
import type { PolicyPath } from '../../core/policy/types.ts';
import { attachComments, type Attached, findOutside, type OwnLine } from './attach-comments.ts';
import { EMPTY_ROW, inOrder, namesOf, renderRows, type Row, type Source, WIDTH, writeKey, writePair } from './write-value.ts';

/** A unit on lines of its own: the header of a table, or a key with its value. */
interface Statement {
  readonly range: readonly [number, number];
  readonly header?: AST.TOMLTable;
  readonly pair?: AST.TOMLKeyValue;
}

/** A table with all that is written under its header; the first may have none. */
interface Section {
  readonly header: Attached<Statement> | undefined;
  readonly path: PolicyPath;
  readonly entries: Attached<Statement>[];
}

/**
 * A policy as everybody writes it: the keys of a rule in one order, an empty line above each table, long arrays with a line for each
 * element. No value is another one, and each comment stays where it was: above, behind or below the same. BOM and line ends are kept.
 * Undefined if the text is not TOML.
 */
export function formatPolicyText(text: string): string | undefined {
  const bom = text.startsWith('\uFEFF') ? '\uFEFF' : '';
  const body = text.slice(bom.length);
  const program = parseTomlSyntax(body);
  if (program === undefined) return undefined;
  const eol = /^[^\n]*\r\n/.test(body) ? '\r\n' : '\n';
  const source: Source = { text: body, comments: program.comments, eol };
  const statements = statementsOf(program, body);
  const values = statements.flatMap(({ pair }) => pair ?? []);
  const comments = findOutside(program.comments, values);
  const { items, rest } = attachComments(body, { items: statements, comments });
  const rows: Row[] = [];
  let root: PolicyPath | undefined;
  for (const section of toSections(items)) {
    const isInside = root !== undefined && root.every((part, index) => part === section.path[index]);
    if (section.header !== undefined) addHeader(section.header, { source, rows, isInside });
    if (!isInside) root = section.header === undefined ? undefined : section.path;
    addEntries(section, source, rows);
  }
  addLines(rest, rows);
  return bom + renderRows(rows, eol);
}

function statementsOf(program: AST.TOMLProgram, text: string): readonly Statement[] {
  return program.body[0].body.flatMap((node): Statement[] => {
    if (node.type === 'TOMLKeyValue') return [{ range: node.range, pair: node }];
    const close = node.kind === 'array' ? ']]' : ']';
    const end = text.indexOf(close, node.key.range[1]) + close.length;
    return [{ range: [node.range[0], end], header: node }, ...node.body.map((pair) => ({ range: pair.range, pair }))];
  });
}

function toSections(items: readonly Attached<Statement>[]): readonly Section[] {
  const sections: Section[] = [{ header: undefined, path: [], entries: [] }];
  for (const item of items) {
    const { header } = item.item;
    if (header === undefined) sections.at(-1)?.entries.push(item);
    else sections.push({ header: item, path: header.resolvedKey, entries: [] });
  }
  return sections;
}

interface HeaderSpot {
  readonly source: Source;
  readonly rows: Row[];
  /** True if the table is part of the one before, as `[rule.unless]` is. */
  readonly isInside: boolean;
}

/** Adds a header with the comments right above it, below an empty line. */
function addHeader({ item, before, behind, hasGap }: Attached<Statement>, { source, rows, isInside }: HeaderSpot): void {
  const { header } = item;
  if (header === undefined) return;
  const isApart = isInside || hasGap || before.some((line) => line.hasGap);
  if (!isApart && rows.length > 0) rows.push(EMPTY_ROW);
  addLines(before, rows);
  if (hasGap && rows.length > 0) rows.push(EMPTY_ROW);
  const key = writeKey(header.key, source.text);
  rows.push({ text: header.kind === 'array' ? `[[${key}]]` : `[${key}]`, comment: behind });
}

function addLines(lines: readonly OwnLine[], rows: Row[]): void {
  for (const { text, hasGap } of lines) {
    if (hasGap && rows.length > 0) rows.push(EMPTY_ROW);
    rows.push({ text });
  }
}

function addEntries({ path, entries, header }: Section, source: Source, rows: Row[]): void {
  const { head, items } = cutHead(entries);
  // Nothing parts a header from what is under it.
  addLines(header === undefined ? head : withoutFirstGap(head), rows);
  const ordered = inOrder(items, path, ({ item }) => (item.pair === undefined ? '' : (namesOf(item.pair.key)[0] ?? '')));
  for (const [index, { item, before, behind, hasGap }] of ordered.entries()) {
    if (item.pair === undefined) continue;
    const isFirst = index === 0;
    if (isFirst && head.length > 0) rows.push(EMPTY_ROW);
    addLines(isFirst ? withoutFirstGap(before) : before, rows);
    if (hasGap && (!isFirst || before.length > 0)) rows.push(EMPTY_ROW);
    rows.push({ text: writePair(item.pair, source, { path, indent: '', room: WIDTH }), comment: behind });
  }
}

function withoutFirstGap(lines: readonly OwnLine[]): readonly OwnLine[] {
  return lines.map((line, index) => (index === 0 ? { ...line, hasGap: false } : line));
}

/** Cuts off the comments that an empty line parts from the first key of a table: they are about all of it, and stay on top. */
function cutHead(entries: readonly Attached<Statement>[]): {
  readonly head: readonly OwnLine[];
  readonly items: readonly Attached<Statement>[];
} {
  const [first, ...others] = entries;
  if (first === undefined) return { head: [], items: [] };
  const gaps = first.before.flatMap(({ hasGap }, index) => (hasGap && index > 0 ? [index] : []));
  const end = first.hasGap ? first.before.length : (gaps.at(-1) ?? 0);
  const before = withoutFirstGap(first.before.slice(end));
  const item = { ...first, before, hasGap: first.hasGap && before.length > 0 };
  return { head: first.before.slice(0, end), items: [item, ...others] };
}
