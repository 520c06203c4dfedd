import { decodeString } from './json-key.ts';
import type { JsonScanner } from './json-scanner.ts';
import type { Span } from './message.ts';
import { COMMA, OPEN_BRACKET, OPEN_BRACE } from './json-bytes.ts';

/**
 * Where the values of an object's members lie, by their names; undefined where the span holds no object.
 *
 * @param span lies in `bytes` and is valid JSON
 */
export function memberSpans(scanner: JsonScanner, bytes: Buffer, span: Span): ReadonlyMap<string, Span> | undefined {
  scanner.reset(bytes, span.start, span.end);
  if (scanner.peek() !== OPEN_BRACE) return undefined;
  scanner.pos++;
  const members = new Map<string, Span>();
  for (;;) {
    scanner.peek();
    const from = scanner.pos;
    if (!scanner.skipString()) return members;
    const name = decodeString(bytes, from, scanner.pos);
    scanner.peek();
    scanner.pos++;
    const value = skipped(scanner);
    if (value === undefined) return members;
    if (name !== undefined) members.set(name, value);
    if (scanner.peek() !== COMMA) return members;
    scanner.pos++;
  }
}

/** Where the elements of an array lie; undefined where the span holds none. @param span as above */
export function elementSpans(scanner: JsonScanner, bytes: Buffer, span: Span): readonly Span[] | undefined {
  scanner.reset(bytes, span.start, span.end);
  if (scanner.peek() !== OPEN_BRACKET) return undefined;
  scanner.pos++;
  const elements: Span[] = [];
  for (;;) {
    const element = skipped(scanner);
    if (element === undefined) return elements;
    elements.push(element);
    if (scanner.peek() !== COMMA) return elements;
    scanner.pos++;
  }
}

function skipped(scanner: JsonScanner): Span | undefined {
  scanner.peek();
  const start = scanner.pos;
  return scanner.skipValue(1) ? { start, end: scanner.pos } : undefined;
}
