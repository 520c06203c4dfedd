import type { SecretFinder } from '../../core/dlp/find-secrets.ts';
import { findSecretsInArguments } from '../../core/outgoing/find-secrets-in-arguments.ts';
import { namedStrings } from '../../gate/model/secrets/named-strings.ts';

/** A secret in a file, without its value. */
export interface FoundSecret {
  /** From 1. */
  readonly line: number;
  /** From 1, in UTF-16 units. */
  readonly column: number;
  readonly kind: string;
  /** Length in UTF-16 units, without escapes. */
  readonly length: number;
  /** The disguise, from the outside in, such as `url, base64`; then place and length are those of the whole text. */
  readonly hiding?: string;
}

/**
 * The secrets of a text, in order. JSON is read string by string, as arguments and requests are: a member's name, or a label
 * beside it, tells about its value, names may be secrets, and numbers are none. Anything else is one text. Disguises are undone in each of them.
 */
export function findInText(text: string, finder: SecretFinder): readonly FoundSecret[] {
  const place = createPlaces(text);
  if (!isJson(text)) {
    const plain = finder.find(text).map(({ start, end, kind }) => ({ ...place(start), kind, length: end - start }));
    return [...plain, ...disguised(text, finder).map((secret) => ({ line: 1, column: 1, length: text.length, ...secret }))];
  }
  const whole = { start: text.startsWith('\uFEFF') ? 1 : 0, end: text.length };
  return namedStrings(text, whole).flatMap(({ span: { start, end }, name }) => {
    const raw = text.slice(start + 1, end - 1);
    const value = JSON.parse(text.slice(start, end)) as string;
    const from = place(start + 1);
    const hidden = disguised(value, finder).map((secret) => ({ ...from, length: value.length, ...secret }));
    const plain = finder.find(value, name).map((span) => ({
      ...place(start + 1 + (value === raw ? span.start : rawOffset(raw, span.start))),
      kind: span.kind,
      length: span.end - span.start,
    }));
    return [...plain, ...hidden];
  });
}

/** Secrets that show only in a reading of the text, as the guard of calls reads it. */
function disguised(text: string, finder: SecretFinder): readonly Pick<FoundSecret, 'kind' | 'hiding'>[] {
  return findSecretsInArguments({ text }, { finder, byName: false }).flatMap(({ kind, hiding }) => {
    if (hiding === undefined) return kind === 'too_long' ? [{ kind }] : [];
    return [{ kind, hiding }];
  });
}

function isJson(text: string): boolean {
  if (!/^[\s\uFEFF]*[[{"]/.test(text)) return false;
  try {
    JSON.parse(text.replace(/^\uFEFF/, ''));
    return true;
  } catch {
    // Only whole JSON is read as such; anything else is a text.
    return false;
  }
}

/** The offset in a string as it is written, by the one in its value. */
function rawOffset(raw: string, offset: number): number {
  let at = 0;
  for (let count = 0; count < offset; count += 1) {
    if (raw.charAt(at) !== '\\') at += 1;
    else at += raw.charAt(at + 1) === 'u' ? 6 : 2;
  }
  return at;
}

/** Creates a search for the line and column of an offset; offsets must rise, so that a long text is read once. */
function createPlaces(text: string): (offset: number) => Pick<FoundSecret, 'line' | 'column'> {
  let line = 1;
  let start = 0;
  // Kept, since a line may be all of the text and have many secrets.
  let end = text.indexOf('\n');
  return (offset) => {
    for (; end !== -1 && end < offset; end = text.indexOf('\n', start)) {
      line += 1;
      start = end + 1;
    }
    return { line, column: offset - start + 1 };
  };
}
