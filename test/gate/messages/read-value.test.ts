import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ExactNumber, parseJson } from '../../../src/core/json.ts';
import { readValue } from '../../../src/gate/messages/read-value.ts';

/** Beyond the size from which a text is read piece by piece. */
const PADDING = 'x'.repeat(300_000);

function read(json: string): unknown {
  const bytes = Buffer.from(`..${json}..`);
  return readValue(bytes, 2, bytes.length - 2);
}

/** With white space, which JSON.stringify would not write. */
function big(json: string): string {
  return `{ "a" : ${json} ,"padding":"${PADDING}\\n"}`;
}

describe('readValue', () => {
  it.each([
    '{}',
    '[]',
    '[ ]',
    '{ }',
    '[1,2.5,-0,1e3,9007199254740993]',
    '[true,false,null]',
    '{"b":[{"c":{}}],"":1}',
    '"é\\u00e9"',
    `"${'\\n中'.repeat(20_000)}"`,
    '{"__proto__":{"x":1},"constructor":2,"1":3,"0":4}',
    `${'['.repeat(500)}1${']'.repeat(500)}`,
  ])('reads %.60s in a big text as in a small one', (json) => {
    const value = read(big(json)) as Record<string, unknown>;
    expect(value).toEqual(parseJson(big(json)));
    expect(Object.keys(value)).toEqual(['a', 'padding']);
  });

  it('keeps __proto__ an ordinary key and numbers exact', () => {
    const value = read(big('{"__proto__":{"x":1},"n":[1.0]}')) as { a: Record<string, unknown> };
    expect(Object.hasOwn(value.a, '__proto__')).toBe(true);
    expect(value.a['x']).toBeUndefined();
    expect(value.a['n']).toEqual([new ExactNumber('1.0')]);
  });

  it.each([
    '{"a":1,}',
    '[1,]',
    '[,1]',
    '{,}',
    '[1 2]',
    '{"a" 1}',
    '{"a":1 "b":2}',
    '{1:2}',
    '[1}',
    '[',
    '{"a":[}',
    '1 2',
    '',
    '{"a"}',
    '"\\x"',
    '01',
    'tru',
    '"\u0001"',
  ])('refuses %j', (json) => {
    expect(() => read(big(json))).toThrow(SyntaxError);
    expect(() => read(json)).toThrow(SyntaxError);
  });

  it('reads any value as parseJson does', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), fc.nat(3), (value, indent) => {
        const json = big(JSON.stringify(value, undefined, ' '.repeat(indent)).replaceAll('\n', ' '));
        expect(read(json)).toEqual(parseJson(json));
      }),
      { numRuns: 50 },
    );
  });
});
