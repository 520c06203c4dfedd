import type { JsonValue } from '../../core/json.ts';
import { closedStringEnd } from '../../protocol/llm/json-text.ts';
import { QUOTE, BACKSLASH } from '../../protocol/json-bytes.ts';

/**
 * The value that a JSON text begins with, of which the end is missing: what is not whole is left out, but for the beginning of a string that has
 * at least so many characters. Undefined for what is no beginning of JSON.
 *
 * @param leastString characters of a string's source that is kept without its end: a secret that ends it may not be seen to be one
 */
export function parseBeginning(text: string, leastString: number): JsonValue | undefined {
  /** What closes what is open. */
  const closers: string[] = [];
  /** Up to here it is JSON, once that is closed. */
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

/** Where no escape is cut. */
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
    // It is something else.
    return undefined;
  }
}
