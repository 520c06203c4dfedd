import { mkdirSync, symlinkSync } from 'node:fs';
import { expect, it } from 'vitest';
import { allowing, attempt, readFile, useSandbox } from '../support/attempt.ts';

/**
 * A link whose target is missing has no real path, so it counted as a new file where it lies; writing to it creates the target,
 * which may be anywhere. Such links come with any cloned repository.
 */
const sandbox = useSandbox();

it('is followed to where writing would create a file', async () => {
  const { current } = sandbox;
  mkdirSync(current.path('project'));
  symlinkSync(current.path('autostart/x'), current.path('project/config'));
  symlinkSync('config', current.path('project/second'));
  symlinkSync('inside', current.path('project/fine'));
  const { reached } = await attempt(current, allowing(`args.path = "${current.folder}/project/**"`), [
    readFile({ path: current.path('project/config') }, 1),
    readFile({ path: current.path('project/second') }, 2),
    readFile({ path: current.path('project/fine') }, 3),
    readFile({ path: current.path('project/new') }, 4),
  ]);
  expect(reached).toEqual([3, 4]);
});
