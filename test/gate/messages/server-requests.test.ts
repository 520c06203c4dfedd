import { describe, expect, it } from 'vitest';
import { readInputRequests, readUrlRequests } from '../../../src/gate/messages/server-requests.ts';
import { Connection } from '../../../src/gate/connection.ts';
import type { Message } from '../../../src/protocol/message.ts';
import { readMessage } from '../../../src/protocol/jsonrpc.ts';
import { testSetup } from '../../support/gate.ts';

const connection = new Connection(testSetup(''));

function answer(member: string): Message {
  const bytes = Buffer.from(`{"jsonrpc":"2.0","id":1,${member}}`, 'latin1');
  return readMessage(connection.scanner, bytes, 0, bytes.length);
}

describe('readInputRequests', () => {
  const read = (requests: string): unknown => readInputRequests(connection, answer(`"result":{"inputRequests":${requests}}`));

  it('has the requests, whatever their names', () => {
    const requests = '{"Name":{"method":"roots/list"},"name":{"method":"elicitation/create","params":{"message":"a"}}}';
    expect(read(requests)).toEqual([
      { method: 'roots/list', params: undefined },
      { method: 'elicitation/create', params: { message: 'a' } },
    ]);
    expect(read('{}')).toEqual([]);
  });

  it.each([
    '[]',
    '1',
    '{"a":1}',
    '{"a":{"method":1}}',
    '{"a":{"params":{}}}',
    '{"a":{"method":"roots/list"},"a":{"method":"roots/list"}}',
    '{"a":{"method":"roots/list","params":{"x":1,"x":2}}}',
    '{"a":{"method":"roots/list","params":"\xff"}}',
    '{"a":{"method":"\\x"}}',
  ])('hazard 12: can not be told of %j', (requests) => {
    expect(read(requests)).toBeUndefined();
  });
});

describe('readUrlRequests', () => {
  const read = (error: string): unknown => readUrlRequests(connection, answer(`"error":${error}`));

  it.each([
    '{"code":-32603,"message":"no","data":{"elicitations":[{"url":"https://a"}]}}',
    '{"code":-32042,"message":"no"}',
    '{"code":-32042,"message":"no","data":[]}',
    '{"code":-32603,"message":"\xff"}',
  ])('has none in %j', (error) => {
    expect(read(error)).toEqual([]);
  });

  it.each(['-32042', '-32042.0', '"-32042"', '-3.2042e4', 'null'])('has those of an error with code %s', (code) => {
    expect(read(`{"code":${code},"message":"","data":{"elicitations":[{"url":"https://a"},{"url":"https://b"}]}}`)).toEqual([
      { method: 'elicitation/create', params: { url: 'https://a' } },
      { method: 'elicitation/create', params: { url: 'https://b' } },
    ]);
  });

  it.each([
    '{"code":-32042,"message":"\xff","data":{"elicitations":[]}}',
    '{"code":-32042,"message":"","data":{"elicitations":{}}}',
    '{"code":-32042,"code":1}',
    '{"code":1,"Code":-32042}',
    '[]',
  ])('hazard 12: can not be told of %j', (error) => {
    expect(read(error)).toBeUndefined();
  });
});
