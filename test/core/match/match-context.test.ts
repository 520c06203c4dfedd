import { expect, it } from 'vitest';

import { createMatchContext, flip } from '../../../src/core/match/match-context.ts';
import { Reading } from '../../../src/core/match/reading.ts';
import { POSIX } from '../../support/policy.ts';

it('takes a path that nobody resolved for real', () => {
  const context = createMatchContext(undefined, { reading: new Reading(POSIX), realPaths: new Map([['/a', '/b']]) });
  expect([context.realPath('/a'), context.realPath('/c')]).toEqual(['/b', '/c']);
});

it('flips the mode', () => {
  expect([flip('possible'), flip('certain')]).toEqual(['certain', 'possible']);
});

it('goes on with what was selected of the same arguments, and of no others', () => {
  const place = { reading: new Reading(POSIX), realPaths: new Map<string, string>() };
  const args = { a: 'x/y' };
  const path = [{ kind: 'name', name: 'a' }] as const;
  const selection = createMatchContext(args, place).select(path);
  expect(selection.values).toEqual(['x/y']);
  expect(createMatchContext(args, place).select(path)).toBe(selection);
  expect(createMatchContext({ a: 'z' }, place).select(path).values).toEqual(['z']);
});
