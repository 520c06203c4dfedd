import { expect, it } from 'vitest';

import { Reading } from '../../../src/core/match/reading.ts';
import { POSIX } from '../../support/policy.ts';

it('works out each thing once', () => {
  const reading = new Reading(POSIX);
  expect(reading.forms('x/y').absolute).toEqual(['/home/user/project/x/y']);
  expect(reading.forms('x/y')).toBe(reading.forms('x/y'));
  expect(reading.choices('{a,b}')).toEqual(['a', 'b']);
  expect(reading.choices('{a,b}')).toBe(reading.choices('{a,b}'));
  expect(reading.container('[1]')).toEqual([1]);
  expect(reading.container('[1]')).toBe(reading.container('[1]'));
  expect(reading.container('x/y')).toBeUndefined();
});
