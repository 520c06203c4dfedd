import { ClawaiError } from '../../errors.ts';
import { printable } from '../terminal/printable.ts';

/** What went wrong, in one line. */
export function formatNotice(thrown: unknown): string {
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  const hint = thrown instanceof ClawaiError && thrown.hint !== undefined ? ` (${thrown.hint})` : '';
  return printable(`${message}${hint}`);
}
