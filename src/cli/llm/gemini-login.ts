import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentPlace } from './claude-settings.ts';

/** How Gemini CLI logs in, as its settings say. */
export interface GeminiLogin {
  /** E.g. `gemini-api-key` or `oauth-personal`; undefined where no settings say it. */
  readonly type: string | undefined;
  /** Where it is said, or would have to be. */
  readonly file: string;
}

/** Reads how Gemini CLI will log in. The settings of a project count more than the user's. Never throws. */
export function readGeminiLogin({ cwd, home, env }: Omit<AgentPlace, 'words'>): GeminiLogin {
  const own = env['GEMINI_CLI_HOME'] ?? '';
  const users = join(own === '' ? home : own, '.gemini', 'settings.json');
  for (const file of [join(cwd, '.gemini', 'settings.json'), users]) {
    const type = typeIn(file);
    if (type !== undefined) return { type, file };
  }
  return { type: undefined, file: users };
}

function typeIn(file: string): string | undefined {
  try {
    // It may have comments, and there is no other setting of that name. Older versions have another one.
    return /"(?:selectedType|selectedAuthType)"\s*:\s*"([^"]*)"/.exec(readFileSync(file, 'utf8'))?.[1];
  } catch {
    // None, or none that can be read.
    return undefined;
  }
}
