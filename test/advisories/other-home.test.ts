import { basename } from 'node:path';
import { expect, it } from 'vitest';
import { allowing, attempt, denying, readFile, useSandbox } from '../support/attempt.ts';

/** `~name/x` and `$HOME/x` are homes to Python's expanduser and expandvars; they were folders in the working directory to us. */
const sandbox = useSandbox();

it('is no folder of the project', async () => {
  const { current } = sandbox;
  // Without the homes in it: the sandbox's own lies in the working directory.
  const policy = allowing(`args.path = "${current.folder}/**"\nunless.args.path = "${current.home}/**"`);
  const { reached } = await attempt(current, policy, [
    readFile({ path: '~root/x' }, 1),
    readFile({ path: '$HOME/x' }, 2),
    readFile({ path: 'project/x' }, 3),
  ]);
  expect(reached).toEqual([3]);
});

it('is the home that it names', async () => {
  const { current } = sandbox;
  const { reached } = await attempt(current, denying(`args.path = "${current.home}/private/**"`), [
    readFile({ path: `~${basename(current.home)}/private/x` }, 1),
    readFile({ path: '$HOME/private/x' }, 2),
    readFile({ path: ['$', '{HOME}/private/x'].join('') }, 3),
    readFile({ path: '~other/private/x' }, 4),
  ]);
  expect(reached).toEqual([4]);
});
