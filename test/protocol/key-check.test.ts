import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseJson } from '../../src/core/json.ts';
import { JsonScanner } from '../../src/protocol/json-scanner.ts';
import { readMessage } from '../../src/protocol/jsonrpc.ts';
import {
  findDeclarationKeyProblem,
  findDuplicateKey,
  findKeyProblem,
  hasClearDeclarationKeys,
  hasClearKeys,
  MOST_VALUES,
} from '../../src/protocol/key-check.ts';

const scanner = new JsonScanner();

function whole(text: string): [Buffer, number, number] {
  const bytes = Buffer.from(text);
  return [bytes, 0, bytes.length];
}

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

describe('hasClearKeys', () => {
  const isClear = (params: string): boolean => {
    const message = readMessage(scanner, ...whole(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`));
    return hasClearKeys(parseJson(params) as object, message.paramKeys);
  };

  it.each([
    '{}',
    '[]',
    '{"name":"x","arguments":{"Name":"y","NAME":"z","name":"w"},"_meta":{"a/b":1}}',
    '{"arguments":{"\\ud83d\\udca9":"\\ud83d","\\ufffd":1,"__proto__":{"a":1},"constructor":2}}',
    '{"arguments":[{"x":1},{"x":[[{"y":{}}]]}]}',
    '{"name":"x","arguments":{"a":1.0,"b":[-0,{"c":1e2}]}}',
    ' { "requestState" : "a\\"b\\":" , "inputResponses" : { } } ',
  ])('is so with %s', (params) => {
    expect(isClear(params)).toBe(true);
  });

  /** JSON text in which keys come twice, in other spellings and in variants, now and then. */
  const key = fc.constantFrom(
    'name',
    'Name',
    'n\\u0061me',
    'arguments',
    '_meta',
    'a',
    'A',
    '\\u0061',
    '__proto__',
    '\\ud83d',
    'uri\\u0000',
  );
  const { text } = fc.letrec<{ text: string }>((tie) => ({
    text: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.constantFrom('1', '1.0', '"a"', '"\\"k\\":"', '":"', 'null', '"{"', '[]', '{}'),
      fc.array(tie('text'), { maxLength: 3 }).map((elements) => `[${elements.join(' , ')}]`),
      fc
        .array(fc.tuple(key, tie('text')), { maxLength: 5 })
        .map((members) => `{${members.map(([k, v]) => `"${k}" :${v}`).join(',')}}`),
    ),
  }));

  it('hazard 12: is so only where nothing is to be found, and nearly always then', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(key, text), { maxLength: 5 }), (members) => {
        const params = `{${members.map(([k, v]) => `"${k}":${v}`).join(',')}}`;
        expect(isClear(params)).toBe(check(params) === undefined);
      }),
      { numRuns: 2000 },
    );
  });
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

  const isClear = (result: string): boolean => {
    const message = readMessage(scanner, ...whole(`{"jsonrpc":"2.0","id":1,"result":${result},"params":{"a":1}}`));
    return hasClearDeclarationKeys(parseJson(result) as object, message.resultKeys);
  };

  it.each([
    ['{"tools":[{"name":"a","inputSchema":{"properties":{"Name":{},"NAME":{}}}}],"nextCursor":"x"}', true],
    ['{}', true],
    ['{"tools":[{"name":"a","inputSchema":{"maximum":1.0}}]}', true],
    ['{"tools":[{"name":"a","name":"b"}]}', false],
    ['{"tools":[{"name":"a","name":"b","inputSchema":{"maximum":1.0}}]}', false],
    ['{"tools":[{"name":"a"}],"tools":[{"name":"b"}]}', false],
    ['{"tools":[{"name":"a","n\\u0061me":"b"}]}', false],
    ['{"tools":[{"name":"a","inputSchema":{"a":[{"b":1,"b":1}]}}]}', false],
    ['{"tools":[],"Tools":[{"name":"a"}]}', false],
    ['{"tools":[{"name":"a","NAME":"b"}]}', false],
    ['{"tools":[{"\\ud83d":"a"}]}', false],
  ])('hazard 12: it is clear of %s from the value alone: %s', (result, expected) => {
    expect(isClear(result)).toBe(expected);
    if (expected) expect(find(result)).toBeUndefined();
  });

  it('hazard 18: more values than can be looked through are never clear', () => {
    // The result and the list are values.
    const nested = (count: number): string => `{"tools":[${Array.from({ length: count }, () => '[]').join(',')}]}`;
    expect(isClear(nested(MOST_VALUES - 2))).toBe(true);
    expect(isClear(nested(MOST_VALUES - 1))).toBe(false);
    expect(find(nested(MOST_VALUES - 1))).toBe('it has more than 262144 values');
  });
});
