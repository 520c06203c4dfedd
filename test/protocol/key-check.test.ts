import { describe, expect, it } from 'vitest';
import { JsonScanner } from '../../src/protocol/json-scanner.ts';
import { findDeclarationKeyProblem, findDuplicateKey, findKeyProblem, MOST_VALUES } from '../../src/protocol/key-check.ts';

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
    '{"arguments":{"\\ud83d\\udca9":"\\ud83d","\\ufffd":1}}',
    '{"arguments":{"💩":"\\ud83d","�":1}}',
    '{"arguments":{"a":{"x":1},"b":{"x":1}}}',
    '{"arguments":[{"x":1},{"x":1}]}',
    '{"context":{"arguments":{"Name":"a","URI":"b"}}}',
  ])('finds nothing in %s', (params) => {
    expect(check(params)).toBeUndefined();
  });

  it.each([
    ['{"name":"a","arguments":{"x":[{"pa\\ud83dth":1}]}}', 'half of a surrogate pair in the key "pa\\ud83dth"'],
    ['{"\\udca9\\ud83d":1}', 'half of a surrogate pair in the key "\\udca9\\ud83d"'],
    ['{"name":"a","name":"b"}', 'the key "name" occurs twice'],
    ['{"name":"a","na\\u006de":"b"}', 'the key "name" occurs twice'],
    ['{"name":"a","arguments":{"path":"/ok","path":"/etc/shadow"}}', 'the key "path" occurs twice'],
    ['{"name":"a","arguments":{"x":[[{"p":1,"p":2}]]}}', 'the key "p" occurs twice'],
    ['{"name":"a","Name":"b"}', 'the key "Name" is a variant of a protocol key'],
    ['{"uri":"a","URI":"b"}', 'the key "URI" is a variant of a protocol key'],
    ['{"name":"a","argument\u017f":{}}', 'the key "argument\u017f" is a variant of a protocol key'],
    ['{"name":"a","name\\u0000":"b"}', 'the key "name\\u0000" is a variant of a protocol key'],
    ['{"Ref":{}}', 'the key "Ref" is a variant of a protocol key'],
    ['{"ref":{"name":"a","Name":"b"}}', 'the key "Name" is a variant of a protocol key'],
    ['{"argument":{"name":"a","VALUE":"b"}}', 'the key "VALUE" is a variant of a protocol key'],
    ['{"context":{"Arguments":{}}}', 'the key "Arguments" is a variant of a protocol key'],
    [
      '{"notifications":{"resourceSubscriptions\\u0000":[]}}',
      'the key "resourceSubscriptions\\u0000" is a variant of a protocol key',
    ],
    ['{"a\\x":1}', 'not valid JSON'],
  ])('hazard 12: finds %s', (params, problem) => {
    expect(check(params)).toBe(problem);
  });
});

it('hazard 18: refuses more values than can be looked through', () => {
  // The params, the arguments, the array and its elements are values.
  const nested = (count: number): string => `{"arguments":{"a":[${Array.from({ length: count }, () => '[]').join(',')}]}}`;
  expect(check(nested(MOST_VALUES - 3))).toBeUndefined();
  expect(check(nested(MOST_VALUES - 2))).toBe('it has more than 262144 values');
});

describe('findDuplicateKey', () => {
  it('knows no names but those that occur twice', () => {
    const find = (text: string): string | undefined =>
      findDuplicateKey(scanner, Buffer.from(text), { start: 0, end: text.length });
    expect(find('{"Name":{"Uri":1},"name":2}')).toBeUndefined();
    expect(find('{"a":{"b":1,"b":2}}')).toBe('the key "b" occurs twice');
  });
});

describe('findDeclarationKeyProblem', () => {
  const find = (result: string): string | undefined => {
    const bytes = Buffer.from(result);
    return findDeclarationKeyProblem(scanner, bytes, { start: 0, end: bytes.length });
  };

  it.each([
    '{"tools":[{"name":"a","inputSchema":{"properties":{"Name":{},"NAME":{}}}}],"nextCursor":"x"}',
    '{"tools":[{"name":"a","Uri":1}],"instructions":"x","Uri":2}',
    '{"tools":{}}',
  ])('finds nothing in %s', (result) => {
    expect(find(result)).toBeUndefined();
  });

  it.each([
    ['{"tools":[],"Tools":[{"name":"a"}]}', 'Tools'],
    ['{"tools":[{"name":"a","NAME":"b"}]}', 'NAME'],
    ['{"prompts":[{"name":"a"},{"Name":"b"}]}', 'Name'],
    ['{"resources":[{"uri":"a","URI":"b"}]}', 'URI'],
    ['{"resourceTemplates":[{"uritemplate":"a"}]}', 'uritemplate'],
    ['{"instructions":"a","Instructions":"b"}', 'Instructions'],
    ['{"tools":[],"nextcursor":"b"}', 'nextcursor'],
  ])('hazard 12: finds what parsers that know no case read in %s', (result, key) => {
    expect(find(result)).toBe(`the key "${key}" is a variant of a protocol key`);
  });
});
