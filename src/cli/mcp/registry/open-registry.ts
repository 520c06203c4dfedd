import { homedir } from 'node:os';
import { loadConfig } from '../../../config/config-file.ts';
import type { WriterOptions } from '../../../store/open-writer.ts';
import { openRegistryReader } from '../../../store/read-open.ts';
import type { RegistryReader } from '../../../store/registry-reader.ts';
import { storeFile } from '../../../store/store-file.ts';
import { note } from '../../terminal/notes.ts';

export interface OpenedRegistry {
  /** Undefined where there is none yet. */
  readonly reader: RegistryReader | undefined;
  /** What it takes to change it. */
  readonly writer: WriterOptions;
}

/** What is trusted on the first use, where nothing is known. */
const FIRST_USE = 'what a server lists first is trusted then, unless the policy says trust_first_use = false';

/** The registry in the store that `clawai proxy` writes with this config; none is made. Throws ClawaiError `config_*` and `store_*`. */
export async function openRegistry(config: string | undefined): Promise<OpenedRegistry> {
  const machine = { env: process.env, platform: process.platform, home: homedir() };
  const { stateDir, audit } = await loadConfig({ flag: config, ...machine });
  const file = storeFile(stateDir);
  return { reader: openRegistryReader(file), writer: { file, sync: audit.sync } };
}

/** Says on stderr that there is nothing, and what that means. A store that was lost is one that never was. */
export function sayEmpty({ reader, writer }: OpenedRegistry): void {
  const where = reader === undefined ? `: there is no registry at ${writer.file}` : '';
  note(`no server has listed anything yet${where}`);
  note(FIRST_USE);
}

/** Columns that a person's terminal has; without end where there is none. */
export function shownWidth(): number {
  return process.stdout.isTTY ? process.stdout.columns || 80 : Number.MAX_SAFE_INTEGER;
}
