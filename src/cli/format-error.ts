import { type ClawaiError, formatPlace } from '../errors.ts';

/** Formats an error for stderr: where and what, then what to do, indented below it. Ends with a newline. */
export function formatError({ message, place, hint }: ClawaiError): string {
  // Some messages name the file themselves; saying it twice helps nobody.
  const isPlaced =
    place === undefined || (place.line === undefined ? message.includes(place.file) : message.startsWith(formatPlace(place)));
  const lines = [`clawai: ${isPlaced ? '' : `${formatPlace(place)}: `}${message}`];
  if (hint !== undefined) lines.push(`  ${hint}`);
  return `${lines.join('\n')}\n`;
}

/** Formats what must never be thrown: its stack and causes, and that it is our fault. Ends with a newline. */
export function formatBug(thrown: unknown): string {
  const causes: string[] = [];
  let next: unknown = thrown;
  for (let depth = 0; depth < 5 && next !== undefined; depth++) {
    causes.push(next instanceof Error ? (next.stack ?? String(next)) : String(next));
    next = next instanceof Error ? next.cause : undefined;
  }
  return (
    `${causes.join('\ncaused by ')}\n` +
    'clawai: this is a bug in clawai. Please report it with the lines above, or as SECURITY.md says if it let a call through.\n'
  );
}
