import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { compareNumerals, formatNumeral, parseNumeral, type Numeral } from '../../src/core/numeral.ts';

function read(text: string): Numeral {
  const numeral = parseNumeral(text);
  if (numeral === undefined) throw new Error(`no numeral: ${text}`);
  return numeral;
}

const order = (a: string, b: string): number => Math.sign(compareNumerals(read(a), read(b)));

describe('parseNumeral', () => {
  it.each(['', '-', '.5', '1.', '+1', '0x10', '1e', 'NaN', 'Infinity', ' 1', '1 ', '1_000', '１'])('%j is none', (text) => {
    expect(parseNumeral(text)).toBeUndefined();
  });
});

describe('compareNumerals', () => {
  it.each([
    ['9007199254740993', '9007199254740992', 1],
    ['1', '1.0', 0],
    ['-0', '0', 0],
    ['1e2', '100', 0],
    ['0.1e-5', '1e-6', 0],
    ['1e400', '1e399', 1],
    ['-1e400', '1', -1],
    ['-2', '-10', 1],
    ['0.30000000000000004', '0.3', 1],
    ['123', '13', 1],
  ])('%s against %s is %i', (a, b, expected) => {
    expect(order(a, b)).toBe(expected);
    expect(order(b, a) + expected).toBe(0);
  });

  it('orders integers of any size as bigint does', () => {
    const big = fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n });
    fc.assert(
      fc.property(big, big, (a, b) => {
        expect(order(String(a), String(b))).toBe(a === b ? 0 : a > b ? 1 : -1);
      }),
    );
  });
});

describe('formatNumeral', () => {
  it.each([
    ['9007199254740993', '9007199254740993'],
    ['1.0', '1'],
    ['-0.0', '0'],
    ['1E2', '100'],
    ['1e21', '1e+21'],
    ['123456789012345678901234', '1.23456789012345678901234e+23'],
    ['0.0000001', '1e-7'],
    ['1e400', '1e+400'],
  ])('writes %s as %s', (text, canonical) => {
    expect(formatNumeral(read(text))).toBe(canonical);
  });

  it('writes doubles as JSON does', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        expect(formatNumeral(read(String(value)))).toBe(JSON.stringify(value));
      }),
      { numRuns: 1_000 },
    );
  });
});
