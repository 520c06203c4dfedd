import { type ClawaiError, formatPlace } from '../errors.ts';

/** Formats an error for stderr: what happened, then where and what to do, indented below it. Ends with a newline. */
export function formatError(error: ClawaiError): string {
  const lines = [`clawai: ${error.message}`];
  if (error.place !== undefined) lines.push(`  at ${formatPlace(error.place)}`);
  if (error.hint !== undefined) lines.push(`  ${error.hint}`);
  return `${lines.join('\n')}\n`;
}

/** Formats what must never be thrown: its stack, and that it is our fault. Ends with a newline. */
export function formatBug(thrown: unknown): string {
  const stack = thrown instanceof Error ? (thrown.stack ?? String(thrown)) : `thrown: ${String(thrown)}`;
  const causes = thrown instanceof Error && thrown.cause !== undefined ? `\ncaused by ${String(thrown.cause)}` : '';
  return `${stack}${causes}\nclawai: this is a bug in clawai; please report it with the lines above (see CONTRIBUTING.md, or SECURITY.md if it let a call through)\n`;
}
