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

it('a rule is about the files that a patch names, whatever the argument is called, and not about what it puts into them', async () => {
  const { reached } = await attempt(sandbox.current, denying('args."**" = "**/.ssh/**"'), [
    readFile({ patchText: '*** Begin Patch\n*** Add File: /home/u/.ssh/authorized_keys\n+x\n*** End Patch' }, 1),
    readFile({ diff: '--- a/.ssh/config\n+++ b/.ssh/config\n@@ -1 +1 @@\n-a\n+b\n' }, 2),
    readFile({ patch: 'diff --git a/x b/.ssh/x\nrename from x\nrename to "\\056ssh/x"\n' }, 3),
    readFile({ patch: '--- a/README.md\n+++ b/README.md\n@@ -1 +1 @@\n-a\n+see ~/.ssh/config\n' }, 4),
  ]);
  expect(reached).toEqual([4]);
});
