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
