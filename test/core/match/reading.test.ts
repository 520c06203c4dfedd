import { expect, it } from 'vitest';

import { Reading } from '../../../src/core/match/reading.ts';
import { POSIX } from '../../support/policy.ts';

const PATH = [{ kind: 'name', name: 'a' }] as const;

it('works out each thing once', () => {
  const reading = new Reading(POSIX);
  const args = { a: 'x/y', b: '[1]' };
  expect(reading.forms('x/y').absolute).toEqual(['/home/user/project/x/y']);
  expect(reading.forms('x/y')).toBe(reading.forms('x/y'));
  expect(reading.choices('{a,b}')).toEqual(['a', 'b']);
  expect(reading.choices('{a,b}')).toBe(reading.choices('{a,b}'));
  expect(reading.container('[1]')).toEqual([1]);
  expect(reading.container('[1]')).toBe(reading.container('[1]'));
  expect(reading.container('x/y')).toBeUndefined();
  expect(reading.select(args, PATH).values).toEqual(['x/y']);
  expect(reading.select(args, PATH)).toBe(reading.select(args, PATH));
});

it('tells arguments apart', () => {
  const reading = new Reading(POSIX);
  expect(reading.select({ a: 'x' }, PATH).values).toEqual(['x']);
  expect(reading.select({ a: 'z' }, PATH).values).toEqual(['z']);
  expect(reading.select(undefined, PATH).values).toEqual([]);
});
