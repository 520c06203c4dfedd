import { describe, expect, it } from 'vitest';
import { cursorKey, cursorOf, LIST_METHODS } from '../../../src/gate/messages/list-methods.ts';
import { JsonScanner } from '../../../src/protocol/json-scanner.ts';
import { readMessage } from '../../../src/protocol/jsonrpc.ts';

function cursorIn(params: string | undefined): string | undefined {
  const bytes = Buffer.from(`{"jsonrpc":"2.0","id":1,"method":"tools/list"${params === undefined ? '' : `,"params":${params}`}}`);
  return cursorOf(readMessage(new JsonScanner(), bytes, 0, bytes.length));
}

describe('LIST_METHODS', () => {
  it('has what servers declare things with', () => {
    expect([...LIST_METHODS.keys()]).toEqual(['tools/list', 'resources/list', 'resources/templates/list', 'prompts/list']);
  });
});

describe('cursorOf', () => {
  it.each([undefined, '{}', '{"cursor":null}', '{"_meta":{"cursor":"x"}}'])('%s asks for the beginning', (params) => {
    expect(cursorIn(params)).toBe('');
  });

  it.each([
    ['{"cursor":"x"}', 'x'],
    ['{"cur\\u0073or":"\\u0078"}', 'x'],
    // An empty cursor is one too.
    ['{"cursor":""}', ''],
    [`{"cursor":"${'x'.repeat(4096)}"}`, 'x'.repeat(4096)],
  ])('%s asks for a page', (params, cursor) => {
    expect(cursorIn(params)).toBe(cursorKey(cursor));
    expect(cursorIn(params)).not.toBe('');
  });

  it.each([
    '{"cursor":1}',
    '{"cursor":{}}',
    '{"cursor":1.0}',
    '[]',
    'null',
    '"x"',
    `{"cursor":"${'x'.repeat(4097)}"}`,
    '{"cursor":"\\x"}',
  ])('of %s nobody can tell', (params) => {
    expect(cursorIn(params)).toBeUndefined();
  });
});
