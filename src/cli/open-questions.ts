import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { loadConfig } from '../config/config-file.ts';
import type { QuestionStore } from '../gate/ports.ts';
import { SqliteQuestions } from '../store/approval-store.ts';
import { storeFile } from '../store/store-file.ts';

/** The questions in the store that `clawai proxy` writes with this config; undefined where there is none yet. Throws ClawaiError `config_*`. */
export async function openQuestions(config: string | undefined): Promise<QuestionStore | undefined> {
  const machine = { env: process.env, platform: process.platform, home: homedir() };
  const { stateDir, audit } = await loadConfig({ flag: config, ...machine });
  const file = storeFile(stateDir);
  return existsSync(file) ? new SqliteQuestions({ file, sync: audit.sync }) : undefined;
}
