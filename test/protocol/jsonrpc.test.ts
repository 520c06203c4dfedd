import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JsonScanner } from '../../src/protocol/json-scanner.ts';
import { idText, readMessage } from '../../src/protocol/jsonrpc.ts';
import type { Message } from '../../src/protocol/message.ts';

const scanner = new JsonScanner();

function read(line: string): Message {
  // Bytes before and behind the line must not matter.
  const bytes = Buffer.from(`"}]\n${line}\n{"`);
  const start = 4;
  return readMessage(scanner, bytes, start, start + Buffer.byteLength(line));
}

describe('readMessage', () => {
  it.each([
    ['{"jsonrpc":"2.0","id":1,"method":"ping"}', 'request', 'ping', '1'],
    ['{"jsonrpc":"2.0","id":"1","method":"ping"}', 'request', 'ping', '"1"'],
    ['{"id":-7,"method":"a/b","jsonrpc":"2.0"}', 'request', 'a/b', '-7'],
    ['{"jsonrpc":"2.0","method":"notifications/initialized"}', 'notification', 'notifications/initialized', 'null'],
    ['{"jsonrpc":"2.0","id":1,"result":{}}', 'response', undefined, '1'],
    ['{"result":{"id":9,"method":"x"},"jsonrpc":"2.0","id":"é"}', 'response', undefined, '"é"'],
    ['{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":""}}', 'response', undefined, 'null'],
    [' {"method" : "ping" , "id" : 1 } ', 'request', 'ping', '1'],
    ['{"jsonrpc":"2.0","id":1,"method":"tools\\u002fcall"}', 'request', 'tools/call', '1'],
    ['{"jsonrpc":"2.0","id":1,"method":"ping"}\r', 'request', 'ping', '1'],
  ])('reads %s', (line, kind, method, id) => {
    const message = read(line);
    expect(message.kind).toBe(kind);
    expect(message.method).toBe(method);
    if (message.id !== undefined) expect(idText(message)).toBe(id);
    expect(message.problem).toBeUndefined();
  });

  it('says where params lie', () => {
    const message = read('{"id":1,"params": {"name":"x"} ,"method":"tools/call"}');
    expect(message.bytes.toString('utf8', message.params?.start, message.params?.end)).toBe('{"name":"x"}');
  });

  it.each(['', ' ', '\r', '\t '])('takes %j for blank', (line) => {
    expect(read(line).kind).toBe('blank');
  });

  it('takes an array for a batch', () => {
    expect(read('[{"jsonrpc":"2.0","id":1,"method":"ping"}]').kind).toBe('batch');
  });

  it.each([
    ['prose', 'not a JSON object'],
    ['"text"', 'not a JSON object'],
    ['\ufeff{"id":1,"method":"ping"}', 'it begins with a byte order mark'],
    ['{"id":1,"method":"ping"', 'not valid JSON'],
    ['{"id":1,"method":"ping",}', 'not valid JSON'],
    ['{"id":1,"method":"ping"}{"id":2,"method":"ping"}', 'more than one JSON value on a line'],
    ['{"id":1,"method":"ping","params":[1,\r2]}', 'not valid JSON, or nested too deeply'],
    ['{"id":1,"method":"ping","id":2}', 'the key "id" occurs twice'],
    ['{"method":"ping","id":1,"method":"tools/call"}', 'the key "method" occurs twice'],
    ['{"id":1,"method":"ping","x":1,"x":2}', 'the key "x" occurs twice'],
    ['{"id":1,"method":"ping","Method":"tools/call"}', 'the key "Method" is a variant of a JSON-RPC key'],
    ['{"id":1,"method":"ping","param\u017f":{}}', 'the key "param\u017f" is a variant of a JSON-RPC key'],
    ['{"id":1,"method":"ping","method\\u0000":"tools/call"}', 'the key "method\\u0000" is a variant of a JSON-RPC key'],
    ['{"id":1,"method":"ping","meth\\u006fd":"tools/call"}', 'the key "method" is a variant of a JSON-RPC key'],
    ['{"id":1,"method":5}', 'the method is not a string'],
    ['{"id":"\\x","method":"ping"}', 'the id is neither a string nor a number'],
    ['{"id":"\t","result":{}}', 'the id is neither a string nor a number'],
    ['{"id":true,"result":{}}', 'the id is neither a string nor a number'],
    ['{"id":1,"method":"a\\x"}', 'the method is not a string'],
    ['{"id":null,"method":"ping"}', 'the id is neither a string nor a number'],
    ['{"id":{},"method":"ping"}', 'the id is neither a string nor a number'],
    ['{"id":1,"method":"ping","result":{}}', 'both a request and an answer'],
    ['{"jsonrpc":"2.0","id":1}', 'neither a request nor an answer'],
    ['{}', 'neither a request nor an answer'],
  ])('hazard 12: refuses %s', (line, problem) => {
    const message = read(line);
    expect(message.kind).toBe('malformed');
    expect(message.problem).toBe(problem);
  });

  it('keeps the id of a malformed request, so that it can be answered', () => {
    expect(idText(read('{"id":"a","method":"ping","Method":"x"}'))).toBe('"a"');
    expect(idText(read('\ufeff{"id":"a","method":"ping"}'))).toBe('"a"');
  });

  it('reads any envelope, whatever the order of its keys and the values in it', () => {
    const envelope = fc.record({
      id: fc.oneof(fc.integer(), fc.string()),
      method: fc.string(),
      params: fc.dictionary(fc.string(), fc.jsonValue()),
    });
    fc.assert(
      fc.property(envelope, fc.shuffledSubarray(['id', 'method', 'params'] as const, { minLength: 3 }), (values, order) => {
        const line = JSON.stringify(Object.fromEntries([['jsonrpc', '2.0'], ...order.map((key) => [key, values[key]])]));
        const message = read(line);
        expect(message.kind).toBe('request');
        expect(message.method).toBe(values.method);
        expect(JSON.parse(idText(message))).toBe(values.id);
      }),
    );
  });

  it('never throws, whatever the bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (array) => {
        const bytes = Buffer.from(array);
        expect(() => readMessage(scanner, bytes, 0, bytes.length)).not.toThrow();
      }),
      { numRuns: 2000 },
    );
  });
});
