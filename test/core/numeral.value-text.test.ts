import { describe, expect, it } from 'vitest';

import { ExactNumber, type JsonValue } from '../../src/core/json.ts';
import { readNumeral, toNumeral, toSentText, toText } from '../../src/core/numeral.ts';

describe('toText', () => {
  const TEXTS: [JsonValue, string | undefined][] = [
    ['a', 'a'],
    ['', ''],
    [1.5, '1.5'],
    [-0, '0'],
    [1e21, '1e+21'],
    [true, 'true'],
    [null, 'null'],
    [new ExactNumber('1.0'), '1'],
    [new ExactNumber('9007199254740993'), '9007199254740993'],
    [{}, undefined],
    [[], undefined],
  ];
  it.each(TEXTS)('%j is %j', (value, text) => {
    expect(toText(value)).toBe(text);
  });
});

describe('toSentText', () => {
  it('is known for numbers whose text is not canonical', () => {
    expect(toSentText(new ExactNumber('1.00'))).toBe('1.00');
    expect(toSentText(1)).toBeUndefined();
  });
});

describe('toNumeral and readNumeral', () => {
  it('reads numbers exactly, texts only when asked to', () => {
    expect(toNumeral(new ExactNumber('9007199254740993'))?.digits).toBe('9007199254740993');
    expect(toNumeral('5')).toBeUndefined();
    expect(readNumeral(' +5\n')).toEqual(toNumeral(5));
    expect(readNumeral('five')).toBeUndefined();
    expect(readNumeral('1'.repeat(5_000))).toBeUndefined();
  });
});
