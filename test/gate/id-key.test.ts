import fc from 'fast-check';
import { expect, it } from 'vitest';
import { idKey } from '../../src/gate/id-key.ts';

it.each([
  ['1', '1.0'],
  ['10', '1e1'],
  ['0', '-0'],
  ['"a"', '"\\u0061"'],
  ['"/"', '"\\/"'],
])('%s and %s are one id', (a, b) => {
  expect(idKey(a)).toBe(idKey(b));
});

it.each([
  ['1', '"1"'],
  ['"a"', '"A"'],
  ['""', '0'],
  ['9007199254740992', '9007199254740993'],
  ['"1.0"', '"1"'],
])('%s and %s are two', (a, b) => {
  expect(idKey(a)).not.toBe(idKey(b));
});

it('keeps any two values apart, and any value together', () => {
  const id = fc.oneof(fc.string(), fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }));
  fc.assert(
    fc.property(id, id, (a, b) => {
      expect(idKey(JSON.stringify(a)) === idKey(JSON.stringify(b))).toBe(a === b || (a === 0 && b === 0));
    }),
  );
});
