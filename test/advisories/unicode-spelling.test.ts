import { expect, it } from 'vitest';
import { attempt, denying, readFile, useSandbox } from '../support/attempt.ts';

/**
 * server-filesystem opens the composed name for a decomposed one and the other way round, and Python writes bytes that are no
 * characters to it as lone surrogates and opens those bytes. Names with such letters were compared code by code.
 */
const sandbox = useSandbox();

it('a letter is denied in every encoding', async () => {
  const policy = denying('args.path = "/srv/privé/**"');
  expect(policy).toBe(policy.normalize('NFC'));
  const { reached } = await attempt(sandbox.current, policy, [
    readFile({ path: '/srv/priv\u00e9/x' }, 1),
    readFile({ path: '/srv/prive\u0301/x' }, 2),
    readFile({ path: '/srv/priv\udcc3\udca9/x' }, 3),
    readFile({ path: '/srv/prive/x' }, 4),
  ]);
  expect(reached).toEqual([4]);
});
