import { expect, it } from 'vitest';

import { createMatchContext, flip } from '../../../src/core/policy/match-context.ts';
import type { ArgStep } from '../../../src/core/policy/types.ts';
import { POSIX } from '../../support/policy.ts';

it('works out forms and selections once', () => {
  const context = createMatchContext({ a: 'x' }, POSIX, new Map());
  const path: ArgStep[] = [{ kind: 'name', name: 'a' }];
  expect(context.select(path).values).toEqual(['x']);
  expect(context.select(path)).toBe(context.select(path));
  expect(context.forms('x')).toBe(context.forms('x'));
});

it('takes a path that nobody resolved for real', () => {
  const context = createMatchContext(undefined, POSIX, new Map([['/a', '/b']]));
  expect([context.realPath('/a'), context.realPath('/c')]).toEqual(['/b', '/c']);
});

it('flips the mode', () => {
  expect([flip('possible'), flip('certain')]).toEqual(['certain', 'possible']);
});
