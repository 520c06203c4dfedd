import { readFileSync } from 'node:fs';
import type { Place } from '../../errors.ts';
import { STDIN, textOfStdin } from './stdin.ts';

const MAX_COLUMNS = 100;

/** The text that was last cut into lines: mostly many places of one are shown. */
let split: { readonly text: string; readonly lines: readonly string[] } = { text: '', lines: [''] };

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
  if (split.text !== text) split = { text, lines: text.split(/\r\n|\n/) };
  const full = split.lines[line - 1];
  if (full === undefined) return '';
  const start = Math.max(0, column - 1 - MAX_COLUMNS / 2);
  const shown = full.slice(start, start + MAX_COLUMNS).replaceAll(/[\p{Cc}\p{Cf}]/gu, ' ');
  const gutter = String(line);
  return `${gutter} | ${shown}\n${' '.repeat(gutter.length)} | ${' '.repeat(column - 1 - start)}^\n`;
}

/**
 * Creates a function that formats the excerpt of any place in any file, and reads each file once. Empty where the place has no
 * line, or its file cannot be read (any more): an excerpt only adds to what is said anyway.
 */
export function createExcerpts(): (place: Place) => string {
  const texts = new Map<string, string | undefined>();
  return ({ file, line, column }) => {
    if (line === undefined || column === undefined) return '';
    if (!texts.has(file)) texts.set(file, readText(file));
    const text = texts.get(file);
    return text === undefined ? '' : formatExcerpt(text, line, column);
  };
}

function readText(file: string): string | undefined {
  try {
    const text = (file === STDIN ? textOfStdin() : undefined) ?? readFileSync(file, 'utf8');
    // Columns are counted without a BOM.
    return text.replace(/^\uFEFF/, '');
  } catch {
    return undefined; // The error that is being shown matters more than that its file is gone.
  }
}
