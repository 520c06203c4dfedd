import { decodeString } from './json-key.ts';
import type { JsonScanner } from './json-scanner.ts';
import type { Span } from './message.ts';
import { COLON, COMMA, OPEN_BRACKET, OPEN_BRACE } from './json-bytes.ts';

/**
 * The spans of an object's values, by the names of the members; undefined if the span holds no object.
 *
 * @param span lies in `bytes` and is valid JSON
 */
export function memberSpans(scanner: JsonScanner, bytes: Buffer, span: Span): ReadonlyMap<string, Span> | undefined {
  scanner.reset(bytes, span.start, span.end);
  if (!scanner.take(OPEN_BRACE)) return undefined;
  const members = new Map<string, Span>();
  do {
    scanner.peek();
    const from = scanner.pos;
    if (!scanner.skipString()) return members;
    const name = decodeString(bytes, from, scanner.pos);
    const value = scanner.take(COLON) ? scanner.takeValue(1) : undefined;
    if (value === undefined) return members;
    if (name !== undefined) members.set(name, value);
  } while (scanner.take(COMMA));
  return members;
}

/** The spans of an array's elements; undefined if the span holds no array. @param span as above */
export function elementSpans(scanner: JsonScanner, bytes: Buffer, span: Span): readonly Span[] | undefined {
  scanner.reset(bytes, span.start, span.end);
  if (!scanner.take(OPEN_BRACKET)) return undefined;
  const elements: Span[] = [];
  do {
    const element = scanner.takeValue(1);
    if (element === undefined) return elements;
    elements.push(element);
  } while (scanner.take(COMMA));
  return elements;
}
