import { expect, it } from 'vitest';
import { Utf8Check } from '../../src/gate/interceptor.ts';

it('tells a line apart from the chunk that it came in', () => {
  const check = new Utf8Check();
  const mixed = Buffer.concat([Buffer.from('größe'), Buffer.from([0xff]), Buffer.from('abc')]);
  expect(check.isValid(mixed, 0, 7)).toBe(true);
  expect(check.isValid(mixed, 5, 8)).toBe(false);
  expect(check.isValid(mixed, 8, 11)).toBe(true);
  const valid = Buffer.from('größe');
  expect(check.isValid(valid, 0, valid.length)).toBe(true);
  expect(check.isValid(mixed, 0, mixed.length)).toBe(false);
});
