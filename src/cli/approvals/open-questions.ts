import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { loadConfig } from '../../config/config-file.ts';
import type { QuestionStore } from '../../gate/question-port.ts';
import { SqliteQuestions } from '../../store/approval-store.ts';
import { storeFile } from '../../store/store-file.ts';

export interface OpenedQuestions {
  readonly store: QuestionStore;
  /** Where clawai keeps its state. */
  readonly stateDir: string;
  /** Is there a store yet? Whoever only looks had better not make one. */
  isThere(): boolean;
}

/** The questions in the store that `clawai proxy` writes with this config; nothing is touched yet. Throws ClawaiError `config_*`. */
export async function openQuestions(config: string | undefined): Promise<OpenedQuestions> {
  const machine = { env: process.env, platform: process.platform, home: homedir() };
  const { stateDir, audit } = await loadConfig({ flag: config, ...machine });
  const file = storeFile(stateDir);
  return { store: new SqliteQuestions({ file, sync: audit.sync }), stateDir, isThere: () => existsSync(file) };
}
