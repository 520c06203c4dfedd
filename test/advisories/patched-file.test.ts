import { expect, it } from 'vitest';
import { attempt, denying, readFile, useSandbox } from '../support/attempt.ts';

/** A patch names in its text the files that it changes; as a whole it is no path, so it could change the policy. */
const sandbox = useSandbox();

it('the files that a patch names are looked at', async () => {
  const { current } = sandbox;
  const own = `${current.folder}/config/clawai/policy.toml`;
  const { reached } = await attempt(current, denying('args.path = "never"'), [
    readFile({ patch: `*** Begin Patch\n*** Update File: ${own}\n@@\n-a\n+b\n*** End Patch` }, 1),
    readFile({ diff: `--- a/config/clawai/policy.toml\n+++ b/config/clawai/policy.toml\n@@ -1 +1 @@\n-a\n+b\n` }, 2),
    readFile({ patch: `*** Begin Patch\n*** Update File: README.md\n@@\n-a\n+see ${own}\n*** End Patch` }, 3),
  ]);
  expect(reached).toEqual([3]);
});
