import { describe, expect, it } from 'vitest';
import { EnvelopeReader } from '../../src/protocol/envelope-reader.ts';
import { JsonScanner } from '../../src/protocol/json-scanner.ts';
import type { Message, Span } from '../../src/protocol/message.ts';

function read(line: string): Message {
  const scanner = new JsonScanner();
  const bytes = Buffer.from(line);
  scanner.reset(bytes, 0, bytes.length);
  return new EnvelopeReader(scanner).read();
}

function text(message: Message, span: Span | undefined): string | undefined {
  return span === undefined ? undefined : message.bytes.toString('utf8', span.start, span.end);
}

describe('EnvelopeReader', () => {
  it('says where the result lies, and the requests for input in it', () => {
    const message = read('{"result": {"resultType":"input_required","inputRequests": {"a":1} },"jsonrpc":"2.0","id":1}');
    expect(text(message, message.result)).toBe('{"resultType":"input_required","inputRequests": {"a":1} }');
    expect(text(message, message.inputRequests)).toBe('{"a":1}');
  });

  it.each([
    ['{"id":1,"result":{"input\\u0052equests":[]}}', '[]'],
    ['{"id":1,"result":{"\\u0069\\u006e\\u0070\\u0075\\u0074Requests":2}}', '2'],
    ['{"method":"notifications/tasks","params":{"x":{"inputRequests":1},"inputRequests":3}}', '3'],
    ['{"id":1,"result":{"x":{"inputRequests":1}}}', undefined],
    ['{"id":1,"result":[{"inputRequests":1}]}', undefined],
    ['{"id":1,"result":{"inputRequest\\u0073\\u0073":1}}', undefined],
    ['{"id":1,"inputRequests":1,"result":{}}', undefined],
  ])('finds requests for input at the top of a body only: %s', (line, expected) => {
    const message = read(line);
    expect(message.kind).not.toBe('malformed');
    expect(text(message, message.inputRequests)).toBe(expected);
  });

  it.each([
    '{"id":1,"result":{},"error":{}}',
    '{"error":{"code":1},"id":1,"result":0}',
    '{"id":1,"result":false,"error":""}',
    '{"id":1,"result":{},"result":null,"error":{}}',
  ])('takes no answer with a result and an error: %s', (line) => {
    expect(read(line)).toMatchObject({ kind: 'malformed', hasAnswer: true, id: {} });
  });

  it.each([
    ['{"id":1,"result":{"a":1},"error":null}', '{"a":1}', undefined],
    ['{"id":1,"error": null ,"result":[]}', '[]', undefined],
    ['{"id":1,"result":null,"error":{"code":1}}', undefined, '{"code":1}'],
    ['{"id":1,"result":null,"error":null}', 'null', undefined],
    ['{"id":1,"result":null}', 'null', undefined],
    ['{"id":1,"error":null}', undefined, 'null'],
  ])('of an answer in which one of the two is null, only the other is there: %s', (line, result, error) => {
    const message = read(line);
    expect(message.kind).toBe('response');
    expect([text(message, message.result), text(message, message.error)]).toEqual([result, error]);
  });

  it.each(['{"id":1,"result":{"a":1,}}', '{"id":1,"result":{"a"}}', '{"id":1,"result":{"a":1 "b":2}}', '{"id":1,"params":{'])(
    'sees what is malformed in a body: %s',
    (line) => {
      expect(read(line)).toMatchObject({ kind: 'malformed', problem: 'not valid JSON, or nested too deeply' });
    },
  );

  it('reads on after a doubtful key, for the id behind it, and gives no id where that is doubtful itself', () => {
    const late = read('{"method":"ping","Method":"x","id":5}');
    expect(late).toMatchObject({ kind: 'malformed', method: 'ping', problem: 'the key "Method" is a variant of a JSON-RPC key' });
    expect(text(late, late.id)).toBe('5');
    expect(read('{"id":1,"id":2,"method":"ping"}').id).toBeUndefined();
  });

  it.each([
    ['nested too deeply', `{"method":"ping","params":${'['.repeat(100_000)}${']'.repeat(100_000)},"jsonrpc":"2.0","id":5}`],
    ['malformed', '{"method":"ping","params":{"a":01,"b":"]}","c":[NaN]},"jsonrpc":"2.0","id":5}'],
  ])('hazard 18: reads on behind a value that is %s, for the id behind it', (_, line) => {
    const message = read(line);
    expect(message).toMatchObject({ kind: 'malformed', problem: 'not valid JSON, or nested too deeply' });
    expect(text(message, message.id)).toBe('5');
  });

  it.each(['{"id":"\\x","method":"ping"}', '{"id":"\\ud8","result":{}}', '{"id":"\u0001","method":"ping"}'])(
    'takes for an id only what an answer can repeat: %s',
    (line) => {
      expect(read(line)).toMatchObject({ kind: 'malformed', id: undefined });
    },
  );

  it.each(['{"method":"ping","id":12', '{"method":"ping","id":01}', '{"method":"ping","id":"a" x}'])(
    'takes for an id only what is a whole member: %s',
    (line) => {
      expect(read(line)).toMatchObject({ kind: 'malformed', id: undefined });
    },
  );

  it('takes no bytes for an id that are no text', () => {
    const scanner = new JsonScanner();
    const bytes = Buffer.from('{"id":"\u00ff","method":"ping"}', 'latin1');
    scanner.reset(bytes, 0, bytes.length);
    expect(new EnvelopeReader(scanner).read()).toMatchObject({ kind: 'malformed', id: undefined });
  });

  it.each([
    ['{"id":1,"result":{"InputRequests":{}}}', 'a key is a variant of "inputRequests"'],
    ['{"id":1,"result":{"inputRequests\\u0000x":{}}}', 'a key is a variant of "inputRequests"'],
    ['{"id":1,"result":{"inputReque\u017fts":{}}}', 'a key is a variant of "inputRequests"'],
    ['{"id":1,"result":{"\\u0049nputRequests":{}}}', 'a key is a variant of "inputRequests"'],
    ['{"id":1,"result":{"inputRequests":{},"inputRequests":{}}}', 'the key "inputRequests" occurs twice'],
    ['{"method":"notifications/tasks","params":{"INPUTREQUESTS":{}}}', 'a key is a variant of "inputRequests"'],
  ])('hazard 12: refuses %s', (line, problem) => {
    expect(read(line)).toMatchObject({ kind: 'malformed', problem });
  });

  it('tells answers that cannot be read from requests', () => {
    expect(read('{"id":1,"result":{},"result":{}}').hasAnswer).toBe(true);
    expect(read('{"id":1,"error":').hasAnswer).toBe(true);
    expect(read('{"id":1,"\\u0072esult":{}}').hasAnswer).toBe(true);
    expect(read('{"id":1,"method":"ping","Method":"x"}').hasAnswer).toBe(false);
  });

  it('bounds how many members it remembers, and how much of a key it shows', () => {
    const members = Array.from({ length: 300 }, (_, i) => `"k${i}":1`).join(',');
    expect(read(`{"method":"ping",${members},"id":1}`)).toMatchObject({ kind: 'malformed', problem: 'too many keys' });
    const key = 'x'.repeat(10_000);
    expect(read(`{"id":1,"${key}":1,"${key}":2,"method":"ping"}`).problem).toBe(`the key "${'x'.repeat(100)}…" occurs twice`);
  });
});
