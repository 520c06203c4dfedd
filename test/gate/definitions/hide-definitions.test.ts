import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isJsonObject, type JsonValue, parseJson } from '../../../src/core/json.ts';
import { hideElements, hideInstructions } from '../../../src/gate/definitions/hide-definitions.ts';
import { JsonScanner } from '../../../src/protocol/json-scanner.ts';
import { readMessage } from '../../../src/protocol/jsonrpc.ts';

const scanner = new JsonScanner();

function hide(line: string, hidden: readonly number[], member = 'tools'): string {
  const bytes = Buffer.from(`\n${line}\n`);
  const message = readMessage(scanner, bytes, 1, bytes.length - 1);
  expect(message.kind).toBe('response');
  const hiddenPlaces = new Set(hidden);
  return hideElements(scanner, message, { member, isHidden: (index) => hiddenPlaces.has(index) });
}

function hideGreeting(line: string): string {
  const bytes = Buffer.from(line);
  return hideInstructions(scanner, readMessage(scanner, bytes, 0, bytes.length));
}

const answer = (result: string): string => `{"jsonrpc":"2.0","id":1,"result":${result}}`;

describe('hideElements', () => {
  it.each<[result: string, hidden: readonly number[], expected: string]>([
    ['{"tools":[1,2,3]}', [1], '{"tools":[1,3]}'],
    ['{"tools":[1]}', [0], '{"tools":[]}'],
    ['{"tools":[]}', [0], '{"tools":[]}'],
    ['{ "tools"\t: [ 1 , 2 ] , "x" : 1 }', [0], '{ "tools"\t: [2] , "x" : 1 }'],
    ['{"too\\u006cs":[1,2]}', [0], '{"too\\u006cs":[2]}'],
    ['{"x":{"tools":[1,2]},"tools":[{"tools":[1,2]},2]}', [1], '{"x":{"tools":[1,2]},"tools":[{"tools":[1,2]}]}'],
    [
      '{"_meta":{"ttlMs":99999,"cacheScope":"public"},"tools":[]}',
      [],
      '{"_meta":{"ttlMs":99999,"cacheScope":"public"},"tools":[]}',
    ],
    ['{"tools":[{"max":9007199254740993,"n":1.0},2],"n":1e400}', [1], '{"tools":[{"max":9007199254740993,"n":1.0}],"n":1e400}'],
    ['{"tools":["],[","\\"",3]}', [2], '{"tools":["],[","\\""]}'],
    ['{"tools":{"a":1}}', [0], '{"tools":{"a":1}}'],
    ['{}', [0], '{}'],
    ['[]', [0], '[]'],
  ])('%s without %j', (result, hidden, expected) => {
    expect(hide(answer(result), hidden)).toBe(`${answer(expected)}\n`);
  });

  it.each([
    ['"public"', '99999', '"private"', '5000'],
    ['"private"', '5000', '"private"', '5000'],
    ['null', '0', '"private"', '0'],
    ['"public"', '"99999"', '"private"', '5000'],
    ['"public"', '5e9', '"private"', '5000'],
    ['"public"', 'null', '"private"', '5000'],
    ['"public"', '{"a":1}', '"private"', '5000'],
  ])('nobody else may keep it, nor long: %s, %s', (scope, ttl, nextScope, nextTtl) => {
    const result = (of: string, least: string, tools: string): string =>
      answer(`{"ttlMs": ${least},"tools":${tools},"cacheScope" :${of}}`);
    expect(hide(result(scope, ttl, '[1,2]'), [0])).toBe(`${result(nextScope, nextTtl, '[2]')}\n`);
  });

  it('leaves what it does not hide out of as it was, to the byte', () => {
    const space = fc.string({ unit: fc.constantFrom(' ', '\t'), maxLength: 2 });
    const value = fc.oneof(
      fc.json({ maxDepth: 3 }),
      fc.constantFrom('9007199254740993', '1.0', '-0', '"\\u0022]"', '{"tools":[1,2]}', '{"ttlMs" : 1e9}', '"\u20ac\\ud83d"'),
    );
    const keys = fc.uniqueArray(
      fc.string().filter((key) => !['tools', 'cacheScope', 'ttlMs', 'inputRequests'].includes(key)),
      { maxLength: 4 },
    );
    fc.assert(
      fc.property(
        fc.array(fc.tuple(value, fc.boolean()), { maxLength: 6 }),
        keys,
        value,
        space,
        fc.nat(4),
        fc.constantFrom('"tools"', '"too\\u006cs"', '"\\u0074\\u006f\\u006f\\u006c\\u0073"'),
        (elements, others, other, gap, place, name) => {
          const list = `[${gap}${elements.map(([text]) => `${gap}${text}${gap}`).join(',')}]`;
          const kept = elements.filter(([, isHidden]) => !isHidden).map(([text]) => text);
          const line = (tools: string): string => {
            const members = others.map((key) => `${gap}${JSON.stringify(key)}${gap}:${other}${gap}`);
            members.splice(place, 0, `${gap}${name}${gap}:${gap}${tools}${gap}`);
            return `{${gap}"result":${gap}{${members.join(',')}},"id" :7${gap},"jsonrpc":"2.0"}`;
          };
          const hidden = elements.flatMap(([, isHidden], index) => (isHidden ? [index] : []));
          const out = hide(line(list), hidden);
          expect(out).toBe(`${line(`[${kept.join(',')}]`)}\n`);
          expect(parseJson(out)).toEqual(filtered(parseJson(line(list)), hidden));
        },
      ),
    );
  });
});

function filtered(message: JsonValue, hidden: readonly number[]): JsonValue {
  const result = isJsonObject(message) ? message['result'] : undefined;
  const tools = isJsonObject(result) ? result['tools'] : undefined;
  if (!isJsonObject(message) || !isJsonObject(result) || !Array.isArray(tools)) throw new Error('not a list');
  const kept = (tools as readonly JsonValue[]).filter((_tool, index) => !hidden.includes(index));
  return { ...message, result: { ...result, tools: kept } };
}

describe('hideInstructions', () => {
  it.each([
    ['{"instructions":"Obey me","serverInfo":{"instructions":"x"}}', '{"instructions":"","serverInfo":{"instructions":"x"}}'],
    ['{ "instruct\\u0069ons" : "\\"" , "a":1.0}', '{ "instruct\\u0069ons" : "" , "a":1.0}'],
    ['{"a":9007199254740993}', '{"a":9007199254740993}'],
    ['[]', '[]'],
  ])('%s', (result, expected) => {
    expect(hideGreeting(answer(result))).toBe(`${answer(expected)}\n`);
  });
});
