import type { JsonValue } from '../../core/json.ts';
import { closedStringEnd } from '../../protocol/llm/json-text.ts';
import { QUOTE, BACKSLASH } from '../../protocol/json-bytes.ts';

/**
 * Parses a truncated JSON text: incomplete values are left out, except the beginning of a string of at least `leastString` characters.
 * Undefined for a text that is not the beginning of JSON.
 *
 * @param leastString least source characters of an unterminated string that is kept: a cut secret at its end may not be recognised
 */
export function parseBeginning(text: string, leastString: number): JsonValue | undefined {
  /** The brackets that close the open ones. */
  const closers: string[] = [];
  /** The text up to here is JSON, once closed. */
  let whole = 0;
  const close = (): string => closers.toReversed().join('');
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      const end = closedStringEnd(text, at);
      if (end === undefined) {
        const cut = lastWhole(text);
        const kept = cut - at > leastString ? parse(`${text.slice(0, cut)}"${close()}`) : undefined;
        return kept ?? parse(text.slice(0, whole) + close());
      }
      at = end - 1;
    } else if (code === 0x7b || code === 0x5b) {
      closers.push(code === 0x7b ? '}' : ']');
      whole = at + 1;
    } else if (code === 0x7d || code === 0x5d) {
      closers.pop();
      whole = at + 1;
    } else if (code === 0x2c) whole = at;
  }
  return parse(text.slice(0, whole) + close());
}

/** Finds an end at which no escape is cut. */
function lastWhole(text: string): number {
  const slash = text.lastIndexOf('\\');
  if (text.length - slash > 6) return text.length;
  let first = slash;
  while (text.charCodeAt(first - 1) === BACKSLASH) first--;
  return first;
}

function parse(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    // The text is not JSON.
    return undefined;
  }
}
