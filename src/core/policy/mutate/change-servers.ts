import { mutateGlob } from './mutate-glob.ts';
import type { Mutation } from './mutant.ts';
import { changeSettings, type SettingChange } from './setting-changes.ts';

/** Which servers there may be: no word about them, and each glob of the lists that count changed or gone. */
export const changeServers: Mutation = {
  kind: 'change-servers',
  changes(policy) {
    const { serverPolicy } = policy;
    const { mode } = serverPolicy;
    if (mode === 'none') return [];
    const lists = mode === 'allowlist' ? (['allow', 'deny'] as const) : (['deny'] as const);
    return changeSettings(policy, [
      {
        path: ['server_policy', 'policy'],
        settings: { serverPolicy: { ...serverPolicy, mode: 'none' } },
        what: 'policy = "none" in [server_policy]',
        need: 'a call to a server that there may not be',
      },
      ...lists.flatMap((name) =>
        changesOfList(serverPolicy[name]).map(({ list, index, what }): SettingChange => ({
          path: ['server_policy', name, index],
          settings: { serverPolicy: { ...serverPolicy, [name]: list } },
          what: `${name} in [server_policy] ${what}`,
          need: `a call to a server whose name only one of them matches, ${what}`,
        })),
      ),
    ]);
  },
};

interface ListChange {
  readonly list: readonly string[];
  readonly index: number;
  readonly what: string;
}

/** Each glob of a list gone, and each changed. */
export function changesOfList(globs: readonly string[]): readonly ListChange[] {
  return globs.flatMap((glob, index) => [
    { list: globs.toSpliced(index, 1), index, what: `without ${JSON.stringify(glob)}` },
    ...mutateGlob(glob).map((other) => ({
      list: globs.with(index, other),
      index,
      what: `with ${JSON.stringify(other)} for ${JSON.stringify(glob)}`,
    })),
  ]);
}
