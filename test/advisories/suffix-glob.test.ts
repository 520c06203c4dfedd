import { symlinkSync } from 'node:fs';
import { expect, it } from 'vitest';
import { attempt, denying, readFile, useSandbox } from '../support/attempt.ts';

/**
 * `**.pem` has no slash, so it was not about paths and saw only the text: `key.pem/.`, `key.p%65m` and a link to a key got
 * through. A pattern of `**` and an ending is about names of files.
 */
const sandbox = useSandbox();

it('an ending holds for every form of a path', async () => {
  const { current } = sandbox;
  current.write('key.pem', '');
  symlinkSync(current.path('key.pem'), current.path('innocent.txt'));
  const { reached } = await attempt(current, denying('args.path = "**.pem"'), [
    readFile({ path: '/x/key.pem' }, 1),
    readFile({ path: '/x/key.pem/.' }, 2),
    readFile({ path: '/x/key.p%65m' }, 3),
    readFile({ path: 'innocent.txt' }, 4),
    readFile({ path: 'guilty.txt' }, 5),
  ]);
  expect(reached).toEqual([5]);
});
