import { expect, it } from 'vitest';
import { nearestLaunch } from '../../../src/core/registry/diff.ts';

const launch = (fingerprint: string, ...args: readonly string[]) => ({
  fingerprint,
  text: JSON.stringify({ args, command: 'npx' }),
});

it('is the launch from which another one differs least, with what differs', () => {
  const known = [launch('far', 'x', 'y', 'z'), launch('near', 'files', '/a')];
  const { previous, changes } = nearestLaunch(known, launch('', 'files', '/b').text) ?? {};
  expect([previous, changes?.map(({ field }) => field)]).toEqual(['near', ['args[1]']]);
  expect(nearestLaunch([], '{}')).toBeUndefined();
});
