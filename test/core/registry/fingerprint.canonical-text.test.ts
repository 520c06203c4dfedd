import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseJson, type JsonValue } from '../../../src/core/json.ts';
import { canonicalText } from '../../../src/core/registry/fingerprint.ts';

describe('canonicalText', () => {
  it.each([
    // The example of RFC 8785 3.2.2, its strings and literals as there; of its numbers, those that lose no digit.
    [
      '{"numbers":[1E30,4.50,2e-3,0.000000000000000000000000001],"string":"\\u20ac$\\u000F\\u000aA\'\\u0042\\u0022\\u005c\\\\\\"\\/","literals":[null,true,false]}',
      '{"literals":[null,true,false],"numbers":[1e+30,4.5,0.002,1e-27],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    ],
    // RFC 8785 3.2.3.
    [
      '{"\\u20ac":"Euro Sign","\\r":"Carriage Return","\\ufb33":"Hebrew Letter Dalet With Dagesh","1":"One","\\ud83d\\ude00":"Emoji: Grinning Face","\\u0080":"Control","\\u00f6":"Latin Small Letter O With Diaeresis"}',
      '{"\\r":"Carriage Return","1":"One","\u0080":"Control","ö":"Latin Small Letter O With Diaeresis","€":"Euro Sign","😀":"Emoji: Grinning Face","\ufb33":"Hebrew Letter Dalet With Dagesh"}',
    ],
    ['{"10":1,"9":2,"":3}', '{"":3,"10":1,"9":2}'],
    ['{"__proto__":1,"constructor":{"toString":null}}', '{"__proto__":1,"constructor":{"toString":null}}'],
    ['["\\ud800","\\udc00\\ud800"]', '["\\ud800","\\udc00\\ud800"]'],
    ['{"\\udfff":1}', '{"\\udfff":1}'],
    ['"\\b\\t\\n\\f\\r\\u001f\\u007f\\u2028"', '"\\b\\t\\n\\f\\r\\u001f\u007f\u2028"'],
    ['[{},[],"",0,-0,null,[[]]]', '[{},[],"",0,0,null,[[]]]'],
    ['["",""]', '["",""]'],
  ])('%s', (text, canonical) => {
    expect(canonicalText(parseJson(text))).toBe(canonical);
  });

  it('hazard 37: the order of members, white space and the spelling of a number are no change', () => {
    const reverse = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(reverse);
      if (typeof value !== 'object' || value === null) return value;
      return Object.fromEntries(
        Object.entries(value)
          .toReversed()
          .map(([name, member]) => [name, reverse(member)]),
      );
    };
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = canonicalText(parseJson(JSON.stringify(value)));
        expect(canonicalText(parseJson(JSON.stringify(reverse(JSON.parse(JSON.stringify(value))), undefined, 2)))).toBe(text);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value), (_key, part: unknown) => (part === 0 ? 0 : part)));
      }),
    );
    expect(canonicalText(parseJson('{"a":1.0,"b":1e3}'))).toBe(canonicalText(parseJson('{"b":1000,"a":1}')));
  });

  it('two numbers beyond 2^53 differ', () => {
    expect(canonicalText(parseJson('{"default":9007199254740993}'))).not.toBe(
      canonicalText(parseJson('{"default":9007199254740992}')),
    );
  });

  it('two values that differ have two texts', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
        const parsed = [one, other].map((value) => JSON.parse(JSON.stringify(value)) as JsonValue);
        const isSame = canonicalText(parsed[0] ?? null) === canonicalText(parsed[1] ?? null);
        expect(isSame ? parsed[0] : true).toEqual(isSame ? parsed[1] : true);
      }),
    );
  });

  it('survives what is deeper than any message may be', () => {
    const depth = 1000;
    const text = `${'{"a":['.repeat(depth)}${']}'.repeat(depth)}`;
    expect(canonicalText(parseJson(text))).toBe(text);
  });
});
