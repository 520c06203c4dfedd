import { describe, expect, it } from 'vitest';
import { readOversized } from '../../../src/gate/messages/oversized.ts';
import { JsonScanner } from '../../../src/protocol/json-scanner.ts';

const scanner = new JsonScanner();

function cut(line: string): { length: number; head: Buffer; tail: Buffer } {
  const bytes = Buffer.from(line);
  return { length: bytes.length, head: bytes.subarray(0, 100), tail: bytes.subarray(-100) };
}

const LONG = 'x'.repeat(1000);

describe('readOversized', () => {
  it.each([
    [`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"a":"${LONG}"}}`, '7', true],
    [`{"method":"tools/call","params":{"a":"${LONG}"},"jsonrpc":"2.0","id":"a\\"b"}`, '"a\\"b"', true],
    [`{"method":"tools/call","params":{"a":"${LONG}"},"id":7,"jsonrpc":"2.0"}`, '7', true],
    [`{"result":{"a":"${LONG}"},"jsonrpc":"2.0","id":7}`, '7', false],
    [`{"jsonrpc":"2.0","id":7,"result":{"a":"${LONG}"}}`, '7', false],
    [`{"jsonrpc":"2.0","result":{"a":"${LONG}","id":7}}`, undefined, false],
    [`{"result":{"a":"${LONG}"},"jsonrpc":"2.0","id":"\\x"}`, undefined, false],
    [LONG, undefined, false],
  ])('%.60s', (line, id, isRequest) => {
    expect(readOversized(scanner, cut(line))).toEqual({ id, isRequest, isAnswer: line.includes('"result"') });
  });
});
