import { expect, it } from 'vitest';

import { createMatchContext, createReading, flip } from '../../../src/core/match/match-context.ts';
import type { ArgStep } from '../../../src/core/policy/types.ts';
import { POSIX } from '../../support/policy.ts';

it('works out forms and selections once', () => {
  const context = createMatchContext({ a: 'x' }, { paths: POSIX, realPaths: new Map() });
  const path: ArgStep[] = [{ kind: 'name', name: 'a' }];
  expect(context.select(path).values).toEqual(['x']);
  expect(context.select(path)).toBe(context.select(path));
  expect(context.forms('x')).toBe(context.forms('x'));
});

it('takes a path that nobody resolved for real', () => {
  const context = createMatchContext(undefined, { paths: POSIX, realPaths: new Map([['/a', '/b']]) });
  expect([context.realPath('/a'), context.realPath('/c')]).toEqual(['/b', '/c']);
});

it('flips the mode', () => {
  expect([flip('possible'), flip('certain')]).toEqual(['certain', 'possible']);
});

it('goes on with what was read of the same arguments, and of no others', () => {
  const args = { a: 'x/y' };
  const reading = createReading(args);
  const place = { paths: POSIX, realPaths: new Map<string, string>(), reading };
  const path = [{ kind: 'name', name: 'a' } as const];
  const first = createMatchContext(args, place);
  const [forms, selection] = [first.forms('x/y'), first.select(path)];
  const second = createMatchContext(args, place);
  expect(second.forms('x/y')).toBe(forms);
  expect(second.select(path)).toBe(selection);
  const other = createMatchContext({ a: 'z' }, place);
  expect(other.select(path).values).toEqual(['z']);
});
