import { readFileSync } from 'node:fs';
import { type ClawaiError, type Fault, formatPlace, type Place } from '../../errors.ts';
import { countOf } from './layout.ts';
import { printable } from './text.ts';
import { STDIN, textOfStdin } from './streams.ts';

/** The line at a place with a caret below it, as lines that end with newlines; empty where there is nothing to show. */
type Excerpt = (place: Place) => string;

const NO_EXCERPT: Excerpt = () => '';

/**
 * Formats an error for stderr: where and what, then the line it is about and what to do. Its one fault stands in the first line,
 * several stand below it. The first line begins with `clawai: ` and every other with two spaces, so that they can be told
 * from a server's lines. Ends with a newline.
 */
export function formatError({ message, place, hint, faults }: ClawaiError, excerpt = NO_EXCERPT): string {
  const [first, ...others] = faults;
  const lines =
    first !== undefined && others.length === 0
      ? faultLines(first, excerpt)
      : [...faultLines({ message, place, hint }, excerpt), ...faults.flatMap((fault) => indent(faultLines(fault, excerpt)))];
  return `clawai: ${lines.join('\n')}\n`;
}

/** Formats one fault as `file:line:column: message`, with what explains it indented below. Ends with a newline. */
function formatFault(fault: Fault, excerpt = NO_EXCERPT): string {
  return `${faultLines(fault, excerpt).join('\n')}\n`;
}

/** The faults of a policy, as text. Each begins its line, as linters do, so that editors find the places. Ends with a newline. */
export function formatPolicyFaults(file: string, faults: readonly Fault[], excerpt: Excerpt): string {
  const shown = faults.map((fault) => formatFault(fault, excerpt));
  return `${shown.join('\n')}\nclawai: ${file} is no valid policy: ${countOf(faults.length, 'error')}\n`;
}

/** Formats what must never be thrown: that it is our fault, its stack and its causes. Ends with a newline. */
export function formatBug(thrown: unknown): string {
  const causes: string[] = [];
  let next: unknown = thrown;
  for (let depth = 0; depth < 5 && next !== undefined; depth++) {
    causes.push(next instanceof Error ? (next.stack ?? String(next)) : String(next));
    next = next instanceof Error ? next.cause : undefined;
  }
  return (
    'clawai: this is a bug in clawai. Please report it with the lines below, or as SECURITY.md says if it let a call through.\n' +
    `${indent(causes.join('\ncaused by ').split('\n')).join('\n')}\n`
  );
}

interface Placed {
  readonly message: string;
  readonly place?: Place | undefined;
  readonly hint?: string | undefined;
}

function faultLines({ message, place, hint }: Placed, excerpt: Excerpt): string[] {
  const [first, ...others] = `${prefixOf(place, message)}${message}`.split('\n').map(printable);
  const shown = place === undefined ? '' : excerpt(place);
  const below = [
    ...others,
    ...(shown === '' ? [] : shown.trimEnd().split('\n')),
    ...(hint === undefined ? [] : [printable(hint)]),
  ];
  return [first ?? '', ...indent(below)];
}

/** The place, unless the message itself begins with the file and there is no line to name. */
function prefixOf(place: Place | undefined, message: string): string {
  if (place === undefined) return '';
  const isNamed = place.line === undefined && message.startsWith(`${place.file} `);
  return isNamed ? '' : `${formatPlace(place)}: `;
}

function indent(lines: readonly string[]): string[] {
  return lines.map((line) => `  ${line}`);
}

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
  const shown = full.slice(start, start + MAX_COLUMNS).replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ');
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
