import fc from 'fast-check';
import { expect, it } from 'vitest';
import { idKey, spanKey, spellingOf } from '../../../src/gate/messages/id-key.ts';

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

it.each([
  '0',
  '7',
  '123456789012345',
  '1234567890123456',
  '-5',
  '1.0',
  '1E2',
  '-0',
  '""',
  '"a b"',
  '"\\u0061"',
  '"é"',
  '9007199254740993',
])('by bytes, %s has the key of its text, and is spelt again as it was', (text) => {
  const bytes = Buffer.from(`[${text}]`);
  const span = { start: 1, end: bytes.length - 1 };
  const key = spanKey(bytes, span);
  expect(key).toBe(idKey(text));
  expect(spellingOf(bytes, span, key) ?? String(key)).toBe(text);
});
