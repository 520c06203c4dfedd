import { expect, it } from 'vitest';
import { givenSession } from '../../src/session/session.ts';

it('a session that somebody has named keeps its name', () => {
  const session = givenSession('nightly');
  session.follow((name) => `${name}.2`);
  expect([session.id(), session.isGiven()]).toEqual(['nightly', true]);
});
