import fc from 'fast-check';
import { expect, it } from 'vitest';
import { beyondAscii } from '../../../../src/core/detect/normalise/invisible-characters.ts';

it.each([
  ['', ''],
  ['plain', ''],
  ['naïve café', 'ï é'],
  ['да, нет', 'да нет'],
  ['a😀b', '😀'],
])('%j: %j', (text, expected) => {
  expect(beyondAscii(text)).toBe(expected);
});

it('has whatever run of such characters the text has', () => {
  const unit = fc.constantFrom('a', ' ', '-', 'é', '\u0301', 'д', 'Ω', '😀', '中');
  fc.assert(
    fc.property(fc.array(unit, { maxLength: 60 }), (units) => {
      const text = units.join('');
      for (const run of [/\u0301{3}/u, /[\p{Script=Cyrillic}\p{Script=Greek}]{2}/u, /😀/u])
        expect(run.test(beyondAscii(text))).toBe(run.test(text));
    }),
  );
});
