import { describe, expect, it } from 'vitest';
import { messagesIn, requestKeys } from '../../../src/gate/messages/message-parts.ts';
import { JsonScanner } from '../../../src/protocol/json-scanner.ts';
import { readBatch, readMessage } from '../../../src/protocol/jsonrpc.ts';

const scanner = new JsonScanner();

function keysIn(text: string): unknown[] {
  const messages = messagesIn(scanner, Buffer.from(text), ({ bytes, start, end }) =>
    readBatch(scanner, bytes, start, end)?.map((span) => readMessage(scanner, bytes, span.start, span.end)),
  );
  return requestKeys(messages.flatMap((line) => line.messages));
}

describe('the keys of the requests in lines', () => {
  it.each([
    ['', []],
    ['\n\n', []],
    ['{"id":1,"method":"ping"}', [1]],
    ['{"id":1,"method":"ping"}\r\n{"id":"b","method":"ping"}\n', [1, '"b"']],
    ['{"method":"notifications/initialized"}\n{"id":2,"method":"ping"}', [2]],
    ['{"id":1,"result":{}}\n{"id":2,"error":{}}', []],
    // When only observing, these go on too.
    ['prose\n{"id":1,"method":"ping","Method":"x"}', [1]],
    ['[{"id":1,"method":"ping"},{"id":2,"result":{}},{"id":3,"method":"ping"}]\n{"id":4,"method":"ping"}', [1, 3, 4]],
    ['[1,', []],
  ])('of %j are %j', (text, expected) => {
    expect(keysIn(text)).toEqual(expected);
  });
});
