import { expect, it } from 'vitest';
import { allowing, attempt, denying, readFile, useSandbox } from '../support/attempt.ts';

/**
 * `.` in a regular expression is no line end, so `a<LF>/../.ssh/id_rsa` was not `^.*\.ssh.*$`, while servers drop `a<LF>/..`.
 * A deny rule takes `.` for any character; an allow rule does not, or it would let a second line of a command through.
 */
const sandbox = useSandbox();

it('a deny rule sees past line ends', async () => {
  const { reached } = await attempt(sandbox.current, denying("args.path = { regex = '^.*/\\.ssh/.*$' }"), [
    readFile({ path: '/home/u/.ssh/id_rsa' }, 1),
    readFile({ path: '/home/a\n/../u/.ssh/id_rsa' }, 2),
    readFile({ path: '/home/a\n/x' }, 3),
  ]);
  expect(reached).toEqual([3]);
});

it('an allow rule does not', async () => {
  const { reached } = await attempt(sandbox.current, allowing("args.path = { regex = '^ls .*$' }"), [
    readFile({ path: 'ls x' }, 1),
    readFile({ path: 'ls x\nrm y' }, 2),
  ]);
  expect(reached).toEqual([1]);
});
