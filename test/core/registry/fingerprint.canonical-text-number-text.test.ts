import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { numberText } from '../../../src/core/registry/fingerprint.ts';

describe('numberText', () => {
  it.each([
    ['0', '0'],
    ['-0', '0'],
    ['-0.000e5', '0'],
    ['0e99999999999999999999', '0'],
    ['1.0', '1'],
    ['1e0', '1'],
    ['10E-1', '1'],
    ['-1.50', '-1.5'],
    ['1e2', '100'],
    ['0.1', '0.1'],
    ['1e-6', '0.000001'],
    ['1e-7', '1e-7'],
    ['1E20', '100000000000000000000'],
    ['1e21', '1e+21'],
    ['4.50', '4.5'],
    ['2e-3', '0.002'],
    ['333333333.33333329', '333333333.33333329'],
    ['9007199254740993', '9007199254740993'],
    ['9007199254740993.0', '9007199254740993'],
    ['1180591620717411303424', '1.180591620717411303424e+21'],
    ['1e400', '1e+400'],
    ['10e399', '1e+400'],
    ['-1e-400', '-1e-400'],
    ['1e99999999999999999999', '1e99999999999999999999'],
  ])('%s is %s', (source, text) => {
    expect(numberText(source)).toBe(text);
  });

  it('is the text of ECMAScript for every number that a double holds as it was sent', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.nat(20), (number, digits) => {
        expect(numberText(String(number))).toBe(String(Object.is(number, -0) ? 0 : number));
        expect(numberText(number.toExponential())).toBe(String(Object.is(number, -0) ? 0 : number));
        const fixed = Number(number.toFixed(digits));
        if (Math.abs(fixed) < 1e15 && Math.abs(fixed) > 1) {
          expect(numberText(`${fixed}${String(fixed).includes('.') ? '' : '.'}000`)).toBe(String(fixed));
        }
      }),
    );
  });

  const number = fc
    .record({ digits: fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), exponent: fc.integer({ min: -40, max: 40 }) })
    .map(({ digits, exponent }) => ({ digits, exponent, source: `${digits}e${exponent}` }));

  it('is the same for two spellings of a number, another for another number', () => {
    const scaled = ({ digits, exponent }: { digits: bigint; exponent: number }) => digits * 10n ** BigInt(exponent + 40);
    const near = fc.tuple(number, fc.constantFrom(-1n, 0n, 1n), fc.nat(5)).map(([one, step, zeros]) => {
      const digits = (one.digits + step) * 10n ** BigInt(zeros);
      const exponent = one.exponent - zeros;
      return [one, { digits, exponent: Math.max(exponent, -40), source: `${digits}e${Math.max(exponent, -40)}` }] as const;
    });
    fc.assert(
      fc.property(near, ([one, other]) => {
        expect(numberText(one.source) === numberText(other.source)).toBe(scaled(one) === scaled(other));
      }),
      { numRuns: 1000 },
    );
  });

  it('is a JSON number and its own text', () => {
    fc.assert(
      fc.property(number, ({ source }) => {
        const text = numberText(source);
        expect(JSON.parse(text)).toBe(Number(source) + 0);
        expect(numberText(text)).toBe(text);
      }),
    );
  });
});
