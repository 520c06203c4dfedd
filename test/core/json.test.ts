import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ExactNumber, hasMoreValues, isJsonObject, type JsonValue, parseJson } from '../../src/core/json.ts';

describe('parseJson', () => {
  it.each(['0', '7', '-7', '1.5', '-0.25', '123456789012345', '9007199254740991', '-9007199254740992', '1e-7', '5e-324'])(
    '%s stays a plain number',
    (text) => {
      expect(parseJson(text)).toBe(Number(text));
    },
  );

  it.each([
    '9007199254740993',
    '18446744073709551615',
    '1.0',
    '1e400',
    '-1e400',
    '1E2',
    '1e2',
    '-0',
    '-0.0',
    '0.10',
    '0.1000000000000000055',
    '1e21',
  ])('%s keeps its text', (text) => {
    expect(parseJson(text)).toEqual(new ExactNumber(text));
  });

  it('finds numbers at any depth and leaves strings that look like numbers alone', () => {
    expect(parseJson('{"a":[1,{"b":9007199254740993}],"c":"9007199254740993","d":"1.0"}')).toEqual({
      a: [1, { b: new ExactNumber('9007199254740993') }],
      c: '9007199254740993',
      d: '1.0',
    });
  });

  it.each([
    ['wherever it stands', (number: string): string => `${number}`],
    ['behind blanks', (number: string): string => ` \t\r\n${number} `],
    ['in a list', (number: string): string => `["a",${number}]`],
    ['first in a list', (number: string): string => `[\n  ${number}\n]`],
    ['in an object', (number: string): string => `{"version 2":true,"a" :\r\n\t${number}}`],
  ])('finds a number %s', (_, around) => {
    const exactOf = (value: JsonValue): readonly ExactNumber[] => {
      if (value instanceof ExactNumber) return [value];
      return typeof value === 'object' && value !== null ? Object.values(value).flatMap(exactOf) : [];
    };
    for (const number of ['1.0', '-0', '-0.0', '1e2', '-1E2', '12345678901234567890', '123456789012345.0'])
      expect(exactOf(parseJson(around(number)))).toEqual([new ExactNumber(number)]);
  });

  it('takes __proto__ for an ordinary key, with and without exact numbers', () => {
    for (const text of ['{"__proto__":{"path":"x"}}', '{"__proto__":{"path":"x"},"n":1.0}']) {
      const value = parseJson(text);
      expect(isJsonObject(value) && Object.hasOwn(value, '__proto__')).toBe(true);
      expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    }
  });

  it('throws the SyntaxError of JSON.parse on both ways', () => {
    expect(() => parseJson('{"a":1,}')).toThrow(SyntaxError);
    expect(() => parseJson('{"a":1.0,}')).toThrow(SyntaxError);
  });

  it('property: equals JSON.parse where every number is printed as JavaScript prints it', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        const plain: unknown = JSON.parse(text);
        // Printing first makes every number canonical; `-0` cannot be printed by JSON.stringify.
        expect(parseJson(JSON.stringify(plain))).toEqual(JSON.parse(JSON.stringify(plain)));
      }),
    );
  });

  it('property: a number is either plain and prints as sent, or exact and kept as sent', () => {
    const digits = fc.stringMatching(/^-?(0|[1-9]\d{0,24})(\.\d{1,20})?([eE][+-]?\d{1,3})?$/);
    fc.assert(
      fc.property(digits, (text) => {
        const value = parseJson(` [${text}] `);
        const first = Array.isArray(value) ? value[0] : undefined;
        expect(first instanceof ExactNumber ? first.source : String(first)).toBe(text);
      }),
    );
  });
});

describe('hasMoreValues', () => {
  it.each([
    ['1', 0],
    ['[]', 0],
    ['[1,2]', 2],
    ['{"a":{"b":[1.0,"x"]}}', 4],
  ])('%s has %i', (text, count) => {
    expect(hasMoreValues(parseJson(text), count)).toBe(false);
    if (count > 0) expect(hasMoreValues(parseJson(text), count - 1)).toBe(true);
  });
});
