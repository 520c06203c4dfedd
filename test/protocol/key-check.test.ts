import { describe, expect, it } from 'vitest';
import { JsonScanner } from '../../src/protocol/json-scanner.ts';
import { findKeyProblem } from '../../src/protocol/key-check.ts';

const scanner = new JsonScanner();

function check(params: string): string | undefined {
  const bytes = Buffer.from(`{"params":${params}}`);
  return findKeyProblem(scanner, bytes, { start: 10, end: bytes.length - 1 });
}

describe('findKeyProblem', () => {
  it.each([
    '{}',
    '[]',
    '1',
    '{"name":"x","arguments":{"Name":"y","NAME":"z","name":"w"}}',
    '{"arguments":{"a":{"x":1},"b":{"x":1}}}',
    '{"arguments":[{"x":1},{"x":1}]}',
  ])('finds nothing in %s', (params) => {
    expect(check(params)).toBeUndefined();
  });

  it.each([
    ['{"name":"a","name":"b"}', 'the key "name" occurs twice'],
    ['{"name":"a","na\\u006de":"b"}', 'the key "name" occurs twice'],
    ['{"name":"a","arguments":{"path":"/ok","path":"/etc/shadow"}}', 'the key "path" occurs twice'],
    ['{"name":"a","arguments":{"x":[[{"p":1,"p":2}]]}}', 'the key "p" occurs twice'],
    ['{"name":"a","Name":"b"}', 'the key "Name" is a variant of a protocol key'],
    ['{"uri":"a","URI":"b"}', 'the key "URI" is a variant of a protocol key'],
    ['{"name":"a","argument\u017f":{}}', 'the key "argument\u017f" is a variant of a protocol key'],
    ['{"name":"a","name\\u0000":"b"}', 'the key "name\\u0000" is a variant of a protocol key'],
    ['{"a\\x":1}', 'not valid JSON'],
  ])('hazard 12: finds %s', (params, problem) => {
    expect(check(params)).toBe(problem);
  });
});
