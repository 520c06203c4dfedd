import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { numberText } from '../../src/core/registry/fingerprint.ts';
import { type JsonValue, canonicalJson, exactJson, parseJson, visitCanonicalJson } from '../../src/core/json.ts';

describe('canonicalJson', () => {
  it.each([
    ['{ "b": 1, "a": [ true, null ] }', '{"a":[true,null],"b":1}'],
    // The order of RFC 8785 3.2.3 is that of UTF-16 code units: U+1F600 (D83D …) comes before U+FB33.
    ['{"\\ufb33":1,"\\ud83d\\ude00":2,"\\u20ac":3,"\\r":4,"1":5}', '{"\\r":4,"1":5,"€":3,"😀":2,"\ufb33":1}'],
    ['"\\u003c\\/\\u0007"', '"</\\u0007"'],
    ['{"__proto__":1,"a":2}', '{"__proto__":1,"a":2}'],
  ])('%s', (text, canonical) => {
    expect(canonicalJson(parseJson(text))).toBe(canonical);
  });

  it('never makes one of two numbers that differ as text', () => {
    const numbers = ['1', '1.0', '1e0', '9007199254740992', '9007199254740993', '-0', '0', '1e400', '1e500'];
    expect(new Set(numbers.map((text) => canonicalJson(parseJson(text)))).size).toBe(numbers.length);
  });

  it('is the same whatever the order of members, and reads as the same value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value);
        const canonical = canonicalJson(parseJson(text));
        expect(JSON.parse(canonical)).toEqual(JSON.parse(text));
        expect(canonicalJson(parseJson(canonical))).toBe(canonical);
      }),
    );
  });

  it('writes a name in the same way however many were written before', () => {
    const name = (index: number): string => `${'"'.repeat(index % 80)}${index}`;
    for (let index = 0; index < 2000; index++) {
      const expected = `{${JSON.stringify(name(index))}:1}`;
      expect([canonicalJson({ [name(index)]: 1 }), canonicalJson({ [name(index)]: 1 })]).toEqual([expected, expected]);
    }
  });
});

describe('visitCanonicalJson', () => {
  function pieces(value: JsonValue): string[] {
    const all: string[] = [];
    visitCanonicalJson(value, (piece) => all.push(piece), numberText);
    return all;
  }

  it('gives the text of canonicalJson', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (json) => {
        const value = parseJson(JSON.stringify(json));
        expect(pieces(value).join('')).toBe(canonicalJson(value, numberText));
      }),
    );
    const value = parseJson('{"b":[1.0,1e3,{"__proto__":[]}],"a":{},"10":2,"9":1}');
    expect(pieces(value).join('')).toBe(canonicalJson(value, numberText));
  });

  it('comes in pieces if it is long, each of them well-formed', () => {
    const odd = '\ud83d\ude00"\\\n\ud83d';
    const value = [{ a: `x${'\ud83d\ude00'.repeat(100_000)}`, b: odd.repeat(50_000) }, 'y'.repeat(1 << 20), odd];
    const all = pieces(value);
    expect(all.join('')).toBe(canonicalJson(value));
    expect(all.length).toBeGreaterThan(20);
    expect(Math.max(...all.map(({ length }) => length))).toBeLessThan(600_000);
    expect(all.every((piece) => piece.isWellFormed())).toBe(true);
  });
});

describe('exactJson', () => {
  it('keeps order and spelling', () => {
    expect(exactJson(parseJson('{ "b": 1.0, "a": ["\\u202e", 9007199254740993] }'))).toBe(
      '{"b":1.0,"a":["\u202e",9007199254740993]}',
    );
  });
});
