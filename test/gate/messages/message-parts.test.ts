import { describe, expect, it } from 'vitest';
import { ExactNumber } from '../../../src/core/json.ts';
import {
  cancelledKey,
  isText,
  keyOf,
  messageText,
  readList,
  readObject,
  readSmallObject,
  readSpan,
  requestIdOf,
} from '../../../src/gate/messages/message-parts.ts';
import { JsonScanner } from '../../../src/protocol/json-scanner.ts';
import { readMessage } from '../../../src/protocol/jsonrpc.ts';
import type { Message, Span } from '../../../src/protocol/message.ts';

/** A message that lies between other bytes. */
function messageFrom(line: string | Buffer): Message {
  const bytes = Buffer.concat([Buffer.from('{}\n'), Buffer.from(line), Buffer.from('\n{}')]);
  return readMessage(new JsonScanner(), bytes, 3, bytes.length - 3);
}

function withParams(params: string): Message & { params: Span } {
  const message = messageFrom(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":${params}}`);
  if (message.params === undefined) throw new Error('it has no params');
  return { ...message, params: message.params };
}

describe('objects in messages', () => {
  it.each([
    ['{}', {}],
    ['{"a":[1,"b"]}', { a: [1, 'b'] }],
    ['{"a":9007199254740993}', { a: new ExactNumber('9007199254740993') }],
    ['[]', undefined],
    ['1', undefined],
    ['null', undefined],
    ['{"a":"\\x"}', undefined],
    ['{"a":"\u0001"}', undefined],
  ])('reads %s', (params, expected) => {
    const message = withParams(params);
    const { start, end } = message.params;
    expect(readObject(message, message.params)).toEqual(expected);
    expect(readSmallObject(message, message.params)).toEqual(expected);
    expect(readSpan(message.bytes, start, end)).toEqual(expected);
    expect(readList(message.bytes, start, end)).toEqual(expected);
  });

  it('leaves big ones alone where only small ones are wanted', () => {
    const big = withParams(JSON.stringify({ a: 'x'.repeat(1024 * 1024) }));
    expect(readSmallObject(big, big.params)).toBeUndefined();
    expect(readObject(big, big.params)).toHaveProperty('a');
    expect(readList(big.bytes, big.params.start, big.params.end)).toHaveProperty('a');
    expect(readSmallObject(big, undefined)).toBeUndefined();
  });

  it('reads lists that are too big to be read at once', () => {
    const result = Buffer.from(JSON.stringify({ tools: Array.from({ length: 100 }, () => ({ name: 'x'.repeat(100_000) })) }));
    expect(readList(result, 0, result.length)).toEqual(JSON.parse(result.toString()));
    result[result.length - 1] = 0x20;
    expect(readList(result, 0, result.length)).toBeUndefined();
  });
});

describe('texts and ids', () => {
  it('gives the message as it was sent', () => {
    const line = '{"jsonrpc":"2.0", "id":"\\u0061","method":"ping"}';
    expect(messageText(messageFrom(line))).toBe(line);
  });

  it('says what is text', () => {
    expect(isText(messageFrom('{"jsonrpc":"2.0","id":1,"result":"\u20ac"}'))).toBe(true);
    expect(isText(messageFrom(Buffer.from('{"jsonrpc":"2.0","id":1,"result":"\xe2"}', 'latin1')))).toBe(false);
  });

  it.each([
    ['1', 1],
    ['1.0', 1],
    ['"\\u0061"', '"a"'],
    ['9007199254740993', '9007199254740993'],
  ])('id %s', (id, key) => {
    const message = messageFrom(`{"jsonrpc":"2.0","id":${id},"method":"ping"}`);
    expect(keyOf(message)).toBe(key);
    expect(requestIdOf(message)).toBe(id);
  });

  it('a notification has none', () => {
    const message = messageFrom('{"jsonrpc":"2.0","method":"ping"}');
    expect([keyOf(message), requestIdOf(message)]).toEqual([undefined, undefined]);
  });

  it.each([
    ['{"requestId":1}', 1],
    ['{"requestId":1.0}', 1],
    ['{"requestId":"1"}', '"1"'],
    ['{"requestId":9007199254740993}', '9007199254740993'],
    ['{"requestId":null}', undefined],
    ['{"requestId":[1]}', undefined],
    ['{}', undefined],
    ['[1]', undefined],
  ])('what %s cancels', (params, key) => {
    expect(cancelledKey(withParams(params))).toBe(key);
  });
});
