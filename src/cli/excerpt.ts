const MAX_COLUMNS = 100;

/**
 * Formats one line of a text with a caret below a column (both from 1, columns in UTF-16 units), e.g.
 *
 *     3 | acton = "deny"
 *       | ^
 *
 * A long line is cut around the column; control characters are shown as spaces, so that the caret stays in place.
 * Empty where the text has no such line.
 */
export function formatExcerpt(text: string, line: number, column: number): string {
  const full = text.split(/\r\n|\n/)[line - 1];
  if (full === undefined) return '';
  const start = Math.max(0, column - 1 - MAX_COLUMNS / 2);
  const shown = full.slice(start, start + MAX_COLUMNS).replaceAll(/\p{Cc}/gu, ' ');
  const gutter = String(line);
  return `${gutter} | ${shown}\n${' '.repeat(gutter.length)} | ${' '.repeat(column - 1 - start)}^\n`;
}
