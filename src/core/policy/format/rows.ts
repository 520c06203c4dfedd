/** A line of a policy, or several where its value has some. */
export interface Row {
  /** Empty: an empty line. */
  readonly text: string;
  /** Behind it. */
  readonly comment?: string | undefined;
}

export const EMPTY_ROW: Row = { text: '' };

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

/** How long the longest of the lines from this one on is, up to the first that has no comment behind it. */
function columnFrom(rows: readonly Row[], index: number): number {
  let longest = 0;
  for (let at = index; isAligned(rows[at]); at++) longest = Math.max(longest, rows[at]?.text.length ?? 0);
  return longest;
}

function isAligned(row: Row | undefined): boolean {
  return row?.comment !== undefined && !row.text.includes('\n');
}
