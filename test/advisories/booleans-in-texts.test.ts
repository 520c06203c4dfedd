import { expect, it } from 'vitest';
import { attempt, denying, readFile, useSandbox } from '../support/attempt.ts';

/** Python servers take `1`, `"yes"` and `"True"` where they expect a boolean. A rule about `true` saw only that and `"true"`. */
const sandbox = useSandbox();

it('a denied boolean is denied in every spelling', async () => {
  const spellings = [true, 'true', 'True', 'yes', 'ON', 't', ' y ', 1, '1'];
  const calls = spellings.map((force, i) => readFile({ force }, i));
  const other = [false, 0, 'no', 2, null].map((force) => readFile({ force }, `${force}`));
  const { reached } = await attempt(sandbox.current, denying('args.force = true'), [...calls, ...other]);
  expect(reached).toEqual(['false', '0', 'no', '2', 'null']);
});
