import { join } from 'node:path';
import type { LocatedFile } from '../../clients/locate.ts';
import { removeAbandoned } from '../../host/atomic-write.ts';
import { groupConfigs } from './read-config.ts';
import type { StateFolder } from './state-folder.ts';

/**
 * Removes the temporary files of commands that were killed while they wrote a config or what is remembered of it: they have the config's
 * secrets, and some are where a team commits what it finds. Never throws for what people could mend.
 */
export function removeLeftovers(located: readonly LocatedFile[], state: StateFolder): void {
  const { records, names } = state.list();
  const configs = [...groupConfigs(located).groups.map(({ realFile }) => realFile), ...records.map(({ file }) => file)];
  for (const config of new Set(configs)) removeAbandoned(config);
  const written = names.flatMap((name) => /^\.(.+)\.clawai-\d+-[0-9a-f]+\.tmp$/.exec(name)?.[1] ?? []);
  for (const name of new Set(written)) removeAbandoned(join(state.path, name));
}
