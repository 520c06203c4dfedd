import type { JsonScanner } from '../../protocol/json-scanner.ts';
import type { Message, Span } from '../../protocol/message.ts';
import { decodeString } from '../../protocol/json-key.ts';
import { COLON, COMMA, OPEN_BRACKET, OPEN_BRACE } from '../../protocol/json-bytes.ts';

/** Milliseconds for which a client may keep a shortened list, since an approval may come at any moment. */
const LONGEST_TTL = 5000;

interface Edit extends Span {
  readonly text: string;
}

/**
 * The answer to a list without some of its elements, as a line. All other bytes stay as they were sent, except for how long and by whom the
 * list may be cached (MCP 2026-07-28).
 *
 * @param member the list's name in the result
 * @param isHidden takes the element's position in the list, from 0
 */
export function hideElements(
  scanner: JsonScanner,
  { bytes, start, end, result }: Message,
  { member, isHidden }: { readonly member: string; readonly isHidden: (index: number) => boolean },
): string {
  const members = result === undefined ? undefined : memberSpans(scanner, bytes, result);
  const list = members?.get(member);
  const elements = list === undefined ? undefined : elementSpans(scanner, bytes, list);
  const edits: Edit[] = [];
  if (list !== undefined && elements !== undefined) {
    const kept = elements.filter((_element, index) => !isHidden(index));
    edits.push({ ...list, text: `[${kept.map((element) => textOf(bytes, element)).join(',')}]` });
  }
  const scope = members?.get('cacheScope');
  if (scope !== undefined) edits.push({ ...scope, text: '"private"' });
  const ttl = members?.get('ttlMs');
  if (ttl !== undefined && !(Number(textOf(bytes, ttl)) <= LONGEST_TTL)) edits.push({ ...ttl, text: String(LONGEST_TTL) });
  return `${applied(bytes, { start, end }, edits)}\n`;
}

/** The answer to `initialize` or `server/discover` without the server's instructions, as a line. */
export function hideInstructions(scanner: JsonScanner, { bytes, start, end, result }: Message): string {
  const span = result === undefined ? undefined : memberSpans(scanner, bytes, result)?.get('instructions');
  return `${applied(bytes, { start, end }, span === undefined ? [] : [{ ...span, text: '""' }])}\n`;
}

function applied(bytes: Buffer, whole: Span, edits: readonly Edit[]): string {
  let text = '';
  let at = whole.start;
  for (const edit of edits.toSorted((a, b) => a.start - b.start)) {
    text += bytes.toString('utf8', at, edit.start) + edit.text;
    at = edit.end;
  }
  return text + bytes.toString('utf8', at, whole.end);
}

function textOf(bytes: Buffer, { start, end }: Span): string {
  return bytes.toString('utf8', start, end);
}

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
