import { cutToWidth, visible, wrapWords } from './text.ts';
import { Table, type Column } from './table.ts';
import { type Look, paint } from './colour.ts';

export interface TextOptions extends Look {
  /** Milliseconds since the epoch; a year that is another one is shown. */
  readonly now: number;
}

/** Groups of a list that are shown; `--json` has more. */
export const SHOWN = 10;

const INDENT = '  ';
/** A text is not broken into narrower lines than this. */
const LEAST_WIDTH = 20;

/** A text that peers may have part in, as lines that fit below a heading; those after the first are indented further. Nothing where it is empty. */
export function paragraph(text: string, { width }: Look, depth = 1): string[] {
  const indent = INDENT.repeat(depth);
  if (text === '') return [];
  const most = Math.max(LEAST_WIDTH, width - indent.length - INDENT.length);
  return wrapWords(visible(text), most).map((line, i) => indent + (i === 0 ? '' : INDENT) + cutToWidth(line, most));
}

/** A table below a heading. */
export function indentedTable<Row>(columns: readonly Column<Row>[], rows: readonly Row[], options: Look): string[] {
  const text = new Table(columns, { ...options, width: options.width - INDENT.length }).format(rows);
  return text
    .trimEnd()
    .split('\n')
    .map((line) => INDENT + line);
}

/** A section with a heading; nothing where there are no lines. */
export function section(heading: string, lines: readonly string[], options: Look): string[] {
  return lines.length === 0 ? [] : ['', paint('bold', heading, options), ...lines];
}

/** Says how much is not shown; nothing where that is nothing. */
export function moreLine(count: number, what: string, options: Look): string[] {
  return count === 0 ? [] : paragraph(`… and ${count} more ${what}; --json has more of them`, options);
}

/** The first groups of a list, and how much of what was counted is not shown; nothing where there are none. */
export function listing<Group extends { readonly count: number }>(
  { groups, leftOff, what }: { readonly groups: readonly Group[]; readonly leftOff: number; readonly what: string },
  toLines: (shown: readonly Group[]) => readonly string[],
  options: Look,
): string[] {
  const rest = groups.slice(SHOWN).reduce((sum, { count }) => sum + count, leftOff);
  return groups.length === 0 ? [] : [...toLines(groups.slice(0, SHOWN)), ...moreLine(rest, what, options)];
}

/** `1 call`, `2 calls`, `1,204 calls`. */
export function countOfThings(count: number, thing: string): string {
  return `${formatCount(count)} ${thing}${count === 1 ? '' : 's'}`;
}

export function formatCount(count: number): string {
  return count.toLocaleString('en-US');
}

const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1000],
] as const;

/** Formats a duration in its two largest units: `2 h 5 min`. */
export function formatDuration(milliseconds: number): string {
  const at = UNITS.findIndex(([, length]) => milliseconds >= length);
  const [unit, length] = UNITS[at] ?? ['s', 1000];
  const whole = Math.floor(milliseconds / length);
  const [next, nextLength] = UNITS[at + 1] ?? ['s', 1000];
  const rest = at === -1 ? 0 : Math.floor((milliseconds - whole * length) / nextLength);
  return rest === 0 || next === unit ? `${whole} ${unit}` : `${whole} ${unit} ${rest} ${next}`;
}

/** Local date and time to the millisecond, `2026-01-31 18:30:00.250`; `?` for what is no time. */
export function formatTime(time: number): string {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return '?';
  return `${formatDay(date)} ${formatClock(date)}.${String(date.getMilliseconds()).padStart(3, '0')}`;
}

/** Local date and time to the second; without the year where it is that of `now`: `01-31 18:30:00`. */
export function formatShortTime(time: number, now: number): string {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return '?';
  const day = formatDay(date);
  return `${date.getFullYear() === new Date(now).getFullYear() ? day.slice(-5) : day} ${formatClock(date)}`;
}

function formatDay(date: Date): string {
  return `${date.getFullYear()}-${twoDigits(date.getMonth() + 1)}-${twoDigits(date.getDate())}`;
}

function formatClock(date: Date): string {
  return [date.getHours(), date.getMinutes(), date.getSeconds()].map(twoDigits).join(':');
}

function twoDigits(number: number): string {
  return String(number).padStart(2, '0');
}

/** ISO 8601 in UTC, for programs; null for what is no time. */
export function isoTime(time: number | undefined): string | null {
  const date = new Date(time ?? Number.NaN);
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
}

const STEPS = [
  { unit: 'd', length: 86_400_000 },
  { unit: 'h', length: 3_600_000 },
  { unit: 'min', length: 60_000 },
] as const;

/** Formats the age of a time in one unit, e.g. `3 h ago`; both in milliseconds since the epoch. A time to come is `just now`. */
export function formatAgo(time: number, now: number): string {
  const step = STEPS.find(({ length }) => now - time >= length);
  return step === undefined ? 'just now' : `${Math.floor((now - time) / step.length)} ${step.unit} ago`;
}

/** `1 call`, `2 calls`. */
export function countOf(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? '' : 's'}`;
}
