import type { AST } from '../../core/policy/toml-layout.ts';

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
