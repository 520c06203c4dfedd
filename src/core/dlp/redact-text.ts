import { findAssignments } from './find-assignments.ts';
import { findForms } from './find-forms.ts';
import type { SecretFinder } from './find-secrets.ts';
import { scanText } from './scan-text.ts';
import type { SecretSpan } from './secret-forms.ts';
import { unite } from './unite.ts';

/**
 * Characters beyond the kept part that are read: enough to recognise every secret that begins within that part, except for those that only
 * their end reveals; these count on suspicion (`findForms`).
 */
const BEYOND = 1024;

export interface RedactedText {
  /** Well-formed Unicode; a secret is replaced by `[redacted:KIND]`, the rest of a cut text by `…(N more)`. */
  readonly text: string;
  /** True if not all of it was kept. */
  readonly isCut: boolean;
  /** Number of characters that were read. */
  readonly read: number;
}

/**
 * Replaces the secrets in a text that show by their form or by a name beside them, and keeps at most `most` characters of it. Reads only a
 * little more than that: it takes time in proportion to the kept part. Secrets in other encodings (base64, percent signs) or without a
 * recognisable form are not found.
 *
 * @param most in UTF-16 units, of the original text
 * @param finder of a policy, for more kinds of secrets
 */
export function redactText(text: string, most: number, finder?: SecretFinder): RedactedText {
  const isLong = text.length > most + BEYOND;
  const seen = isLong ? text.slice(0, most + BEYOND) : text;
  const scan = scanText(seen);
  const spans = [...findForms(seen, isLong, scan), ...findAssignments(seen, scan), ...(finder?.find(seen) ?? [])];
  if (spans.length === 0 && text.length <= most) return { text: text.toWellFormed(), isCut: false, read: text.length };
  return { ...replaced(text, spans.length > 1 ? unite(spans) : spans, most), read: seen.length };
}

/** The replacement for a secret value. */
export function redactedMark(kind: string): string {
  return `[redacted:${kind}]`;
}

function replaced(text: string, spans: readonly SecretSpan[], most: number): Omit<RedactedText, 'read'> {
  let output = '';
  let at = 0;
  for (const { start, end, kind } of spans) {
    if (start >= most) break;
    output += text.slice(at, start) + redactedMark(kind);
    at = end;
  }
  const end = at >= most ? at : Math.min(text.length, most);
  output += text.slice(at, end);
  const more = text.length - end;
  return { text: (more > 0 ? `${output}…(${more} more)` : output).toWellFormed(), isCut: more > 0 };
}
