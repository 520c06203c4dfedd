import { describe, expect, it } from 'vitest';
import { cancelledKey, messageText, readObject, requestIdOf } from '../../src/gate/messages/message-parts.ts';
import { JsonScanner } from '../../src/protocol/json-scanner.ts';
import { readMessage } from '../../src/protocol/jsonrpc.ts';
import type { Message } from '../../src/protocol/message.ts';

function message(line: string): Message {
  const bytes = Buffer.from(`x\n${line}\nx`);
  return readMessage(new JsonScanner(), bytes, 2, 2 + Buffer.byteLength(line));
}

describe('what is read of a message', () => {
  it.each([
    ['{"requestId":1}', 1],
    ['{"requestId":1.0}', 1],
    ['{"requestId":"a\\"b"}', '"a\\"b"'],
    ['{"requestId":9007199254740993}', '9007199254740993'],
    [`{"requestId":1,"reason":"${'x'.repeat(1024 * 1024)}"}`, undefined],
    ['{"requestId":null}', undefined],
    ['{"requestId":{"source":"1"}}', undefined],
    ['{}', undefined],
    ['[1]', undefined],
  ])('cancelledKey of %.60s', (params, id) => {
    expect(cancelledKey(message(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":${params}}`))).toBe(id);
  });

  it('text and id', () => {
    const line = '{"jsonrpc":"2.0","id":"ü","method":"ping"}';
    expect(messageText(message(line))).toBe(line);
    expect(requestIdOf(message(line))).toBe('"ü"');
    expect(requestIdOf(message('{"jsonrpc":"2.0","method":"ping"}'))).toBeUndefined();
  });

  it('an object, and nothing else', () => {
    const of = (params: string): unknown => {
      const read = message(`{"jsonrpc":"2.0","id":1,"method":"m","params":${params}}`);
      return read.params === undefined ? undefined : readObject(read, read.params);
    };
    expect(of('{"a":1}')).toEqual({ a: 1 });
    expect(of('[1]')).toBeUndefined();
    expect(of('{"a":"\\x"}')).toBeUndefined();
  });
});
