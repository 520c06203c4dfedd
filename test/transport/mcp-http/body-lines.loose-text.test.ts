import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JsonScanner } from '../../../src/protocol/json-scanner.ts';
import { readMessage } from '../../../src/protocol/jsonrpc.ts';
import { toLooseText } from '../../../src/transport/mcp-http/body-lines.ts';

const dataOf = (text: string): unknown => {
  const { line } = toLooseText(Buffer.from(text));
  return (JSON.parse(line.toString()) as { error: { data: unknown } }).error.data;
};

describe('toLooseText', () => {
  it.each<[string, unknown]>([
    ['words', 'words'],
    ['two\nlines', 'two\nlines'],
    ['{"a": "b"}', { a: 'b' }],
    ['[1,\n2]', [1, 2]],
    ['"a \\u0062"', 'a b'],
    ['7', 7],
    ['{"a":', '{"a":'],
    ['{"a":1}}', '{"a":1}}'],
    ['"}}', '"}}'],
    ['\ufeff{}', '\ufeff{}'],
  ])('%j is %j', (text, data) => {
    expect(dataOf(text)).toEqual(data);
  });

  it('is one message of one line, whatever the text, and an answer to nothing', () => {
    fc.assert(
      fc.property(fc.oneof(fc.uint8Array().map(Buffer.from), fc.json().map(Buffer.from)), (text) => {
        const { line } = toLooseText(text);
        expect(line.includes('\n')).toBe(false);
        const message = readMessage(new JsonScanner(), line, 0, line.length);
        expect(message).toMatchObject({ kind: 'response', id: undefined, result: undefined });
      }),
    );
  });

  it.each([
    ['words', '"some"', 'some'],
    ['"words"', '"some"', '"some"'],
    ['{"a":"words"}', '{"a":"some"}', '{"a":"some"}'],
  ])('what is left of %j', (text, data, expected) => {
    const rest = toLooseText(Buffer.from(text)).restOf(`{"jsonrpc":"2.0","error":{"code":0,"message":"","data":${data}}}\n`);
    expect(rest.toString()).toBe(expected);
  });
});
