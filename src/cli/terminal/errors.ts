import { type ClawaiError, type Fault, formatPlace, type Place } from '../../errors.ts';
import { countOf } from './count-of.ts';
import { printable } from './printable.ts';

/** The line at a place with a caret below it, as lines that end with newlines; empty where there is nothing to show. */
export type Excerpt = (place: Place) => string;

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

/** Where it is, unless the message itself begins with the file and there is no line to name. */
function prefixOf(place: Place | undefined, message: string): string {
  if (place === undefined) return '';
  const isSaid = place.line === undefined && message.startsWith(`${place.file} `);
  return isSaid ? '' : `${formatPlace(place)}: `;
}

function indent(lines: readonly string[]): string[] {
  return lines.map((line) => `  ${line}`);
}
