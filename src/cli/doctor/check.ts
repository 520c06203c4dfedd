import { printable, wrapWords } from '../terminal/text.ts';
import { type Look, paint } from '../terminal/colour.ts';

/** `fail`: what clawai promises does not hold. `warn`: it may not hold for some client, or not for long. */
export type Level = 'ok' | 'warn' | 'fail';

/** One thing that was looked at, and what was found. */
export interface Check {
  /** The subject in a word or two; stable, for programs. */
  readonly about: string;
  readonly level: Level;
  /** The finding, a sentence without full stop. */
  readonly text: string;
  /** The remedy, likewise. */
  readonly todo?: string | undefined;
}

export function ok(about: string, text: string): Check {
  return { about, level: 'ok', text };
}

export function warn(about: string, text: string, todo?: string): Check {
  return { about, level: 'warn', text, todo };
}

export function fail(about: string, text: string, todo?: string): Check {
  return { about, level: 'fail', text, todo };
}

const STYLES = { ok: 'green', warn: 'yellow', fail: 'red' } as const satisfies Record<Level, string>;
const LEVEL_WIDTH = 6;

/** The checks as aligned lines, each with what can be done about it below; ends with a line feed. */
export function renderChecks(checks: readonly Check[], look: Look): string {
  const about = Math.max(...checks.map((check) => check.about.length), 0) + 2;
  return checks.map((check) => `${renderCheck(check, about, look).join('\n')}\n`).join('');
}

function renderCheck({ about, level, text, todo }: Check, width: number, look: Look): string[] {
  const label = paint(STYLES[level], level, look);
  const left = LEVEL_WIDTH + width;
  const room = look.width - left;
  const lines = [...wrapWords(printable(text), room), ...(todo === undefined ? [] : arrow(todo, room))];
  const head = `${label}${' '.repeat(LEVEL_WIDTH - level.length)}${about.padEnd(width)}`;
  return lines.map((line, i) => (i === 0 ? head : ' '.repeat(left)) + line);
}

function arrow(todo: string, room: number): string[] {
  return wrapWords(printable(todo), room - 3).map((line, i) => (i === 0 ? '-> ' : '   ') + line);
}
