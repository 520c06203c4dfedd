import { expect, it } from 'vitest';
import { attempt, denying, readFile, useSandbox } from '../support/attempt.ts';

/** A tool that takes a folder and a name in it was handed each for itself, and neither is clawai's: `~/.config` and `clawai/policy.toml`. */
const sandbox = useSandbox();

it('a path in two arguments is one path', async () => {
  const { current } = sandbox;
  const { reached } = await attempt(current, denying('args.path = "never"'), [
    readFile({ folder: `${current.folder}/config`, name: 'clawai/policy.toml' }, 1),
    readFile({ filename: 'clawai', directory: `${current.folder}/config/` }, 2),
    readFile({ base_path: current.folder, relative_path: './config/clawai' }, 3),
    readFile({ folder: current.folder, name: 'config' }, 4),
  ]);
  expect(reached).toEqual([4]);
});
