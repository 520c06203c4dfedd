import fc from 'fast-check';
import { JsonScanner } from '../../src/protocol/json-scanner.ts';
import { readMessage } from '../../src/protocol/jsonrpc.ts';
import type { Message, Span } from '../../src/protocol/message.ts';
import { damaged, object } from './wire-text.ts';

const VALUE = fc.oneof(
  fc.json({ maxDepth: 4 }),
  fc.constantFrom(
    '1e5',
    '-0',
    '0.10',
    '"\\u00e9"',
    '"\\\\\\""',
    ' [ ] ',
    '{"a":{"a":1}}',
    `"${'x'.repeat(40)}\\"${'y'.repeat(100)}"`,
  ),
  fc.string().map((text) => JSON.stringify(text)),
);

/** JSON texts, messages mostly, some of them damaged. */
export const JSON_TEXT: fc.Arbitrary<Buffer> = damaged(
  fc.oneof(
    { weight: 1, arbitrary: VALUE },
    {
      weight: 2,
      arbitrary: object([
        ['jsonrpc', VALUE],
        ['id', VALUE],
        ['method', VALUE],
        ['params', VALUE],
      ]),
    },
    {
      weight: 1,
      arbitrary: object([
        ['id', VALUE],
        ['result', VALUE],
        ['more', VALUE],
      ]),
    },
    {
      weight: 1,
      arbitrary: object([
        ['id', VALUE],
        ['result', fc.oneof(VALUE, fc.constant('null'))],
        ['error', fc.oneof(VALUE, fc.constant('null'))],
      ]),
    },
  ),
);

const MOST_DEPTH = 128;
const scanner = new JsonScanner(MOST_DEPTH);

/**
 * Compares what we read with what JSON.parse reads. The scanner may take more, since it looks into no strings, but then only there,
 * and it may take less where white space is a carriage return or what is nested too deeply; a message that it takes has the same parts.
 */
export function checkJson(bytes: Buffer): void {
  const text = bytes.toString();
  const isExact = Buffer.from(text).equals(bytes);
  const parsed = parse(text);
  const withPlainStrings = parse(text.replaceAll(/"(?:[^"\\]|\\[^])*"/g, '""'));
  scanner.reset(bytes, 0, bytes.length);
  const isTaken = scanner.skipValue() && scanner.peek() === -1;
  if (isTaken && withPlainStrings === undefined) throw new Error('the scanner takes what is no JSON');
  const mayRefuse = text.includes('\r') || !isExact || text.includes('['.repeat(5));
  if (!isTaken && parsed !== undefined && !mayRefuse) throw new Error('the scanner refuses JSON');
  const message = readMessage(scanner, bytes, 0, bytes.length);
  if (parsed !== undefined && isExact && ['request', 'notification', 'response'].includes(message.kind))
    compare(message, parsed.value);
}

function compare(message: Message, value: unknown): void {
  const parsed = value as Record<string, unknown>;
  const part = (span: Span | undefined): unknown =>
    span === undefined ? undefined : JSON.parse(message.bytes.toString('utf8', span.start, span.end));
  const id = parsed['id'] === null ? undefined : parsed['id'];
  const { result, error } = parsed;
  if (isSaid(result) && isSaid(error)) throw new Error('an answer has a result and an error');
  const pairs: [string, unknown, unknown][] = [
    ['method', message.method, parsed['method']],
    ['id', part(message.id), id],
    ['params', part(message.params), parsed['params']],
    ['result', part(message.result), isSaid(error) ? undefined : result],
    ['error', part(message.error), isSaid(error) || result === undefined ? error : undefined],
  ];
  for (const [name, ours, theirs] of pairs) {
    if (JSON.stringify(ours) !== JSON.stringify(theirs))
      throw new Error(`${name}: ${JSON.stringify(ours)} is not ${JSON.stringify(theirs)}`);
  }
}

function isSaid(member: unknown): boolean {
  return member !== undefined && member !== null;
}

function parse(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}
