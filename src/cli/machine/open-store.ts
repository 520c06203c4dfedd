import { homedir } from 'node:os';
import { loadConfig } from '../../config/config-file.ts';
import { openStoreReader } from '../../store/reading/read-open.ts';
import type { StoreReader } from '../../store/reading/read.ts';
import { storeFile } from '../../store/private-file.ts';
import { note } from '../terminal/notes.ts';

/** Flags that choose a store, shared by all commands that read one. */
export const STORE_FLAGS = {
  config: { type: 'string', hint: 'FILE', description: 'The config.toml that says where the store is.' },
} as const;

/** The file of the store that `clawai proxy` writes with this config. Throws ClawaiError `config_*`. */
export async function findStore(config: string | undefined): Promise<string> {
  const machine = { env: process.env, platform: process.platform, home: homedir() };
  return storeFile((await loadConfig({ flag: config, ...machine })).stateDir);
}

/**
 * Opens that store, or notes that nothing was recorded yet and returns undefined.
 * Throws ClawaiError `config_*` and `store_*`.
 */
export async function openRecorded(config: string | undefined): Promise<StoreReader | undefined> {
  const file = await findStore(config);
  const reader = openStoreReader(file);
  if (reader === undefined) note(`nothing was recorded yet: there is no store at ${file}`);
  return reader;
}
