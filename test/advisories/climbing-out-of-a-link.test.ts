import { mkdirSync, symlinkSync } from 'node:fs';
import { expect, it } from 'vitest';
import { allowing, attempt, denying, readFile, useSandbox } from '../support/attempt.ts';

/**
 * `link/../x` is `x` as a text, and what lies beside the link's target on disk. Only the text was looked at, so with any link to
 * a folder a server that opens paths as they are (Python's `open`) could be led out of an allowed folder, or into a denied one.
 */
const sandbox = useSandbox();

function prepare(): string {
  const { current } = sandbox;
  mkdirSync(current.path('project'));
  mkdirSync(current.path('secret/deep'), { recursive: true });
  symlinkSync(current.path('secret/deep'), current.path('project/link'));
  return current.folder;
}

it('is not allowed for the text alone', async () => {
  const root = prepare();
  const { reached } = await attempt(sandbox.current, allowing(`args.path = "${root}/project/**"`), [
    readFile({ path: `${root}/project/link/../key` }, 1),
    readFile({ path: 'project/link/../key' }, 2),
    readFile({ path: `${root}/project/./link/./../key` }, 3),
    readFile({ path: `${root}/project/a/../b` }, 4),
  ]);
  expect(reached).toEqual([4]);
});

it('is denied for where it leads', async () => {
  const root = prepare();
  const { reached } = await attempt(sandbox.current, denying(`args.path = "${root}/secret/**"`), [
    readFile({ path: `${root}/project/link/../key` }, 1),
    readFile({ path: `file://${root}/project/link/%2e%2e/key` }, 2),
    readFile({ path: `${root}/project/key` }, 3),
  ]);
  expect(reached).toEqual([3]);
});
