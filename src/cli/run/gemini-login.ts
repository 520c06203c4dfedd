import { dirname, join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { type AgentPlace, readSettings } from './claude-settings.ts';

/** How Gemini CLI logs in, as its settings say. */
export interface GeminiLogin {
  /** E.g. `gemini-api-key` or `oauth-personal`; undefined where no settings say it. */
  readonly type: string | undefined;
  /** Where it is said, or would have to be. */
  readonly file: string;
}

/** Settings of an organisation, which count more than all others. */
const MANAGED = [
  '/etc/gemini-cli/settings.json',
  '/Library/Application Support/GeminiCli/settings.json',
  String.raw`C:\ProgramData\gemini-cli\settings.json`,
];

/** Reads how Gemini CLI will log in. The settings of a project count more than the user's. Never throws. */
export function readGeminiLogin({ cwd, home, env }: Omit<AgentPlace, 'words'>): GeminiLogin {
  const users = join(homeOf(home, env), '.gemini', 'settings.json');
  const managed = env['GEMINI_CLI_SYSTEM_SETTINGS_PATH'] ?? '';
  for (const file of [...(managed === '' ? MANAGED : [managed]), join(cwd, '.gemini', 'settings.json'), users]) {
    const type = typeIn(file);
    if (type !== undefined) return { type, file };
  }
  return { type: undefined, file: users };
}

/**
 * Reads the variables that Gemini CLI takes from a file `.env`: the first that there is, from where it starts upwards, then the user's. What its
 * environment has counts more. Never throws.
 */
export function readGeminiVariables({ cwd, home, env }: Omit<AgentPlace, 'words'>): {
  readonly file: string;
  readonly values: Readonly<Record<string, string | undefined>>;
} {
  const folders = [resolve(cwd)];
  for (let folder = dirname(resolve(cwd)); folder !== folders.at(-1); folder = dirname(folder)) folders.push(folder);
  for (const folder of [...folders, homeOf(home, env)]) {
    for (const file of [join(folder, '.gemini', '.env'), join(folder, '.env')]) {
      const text = readSettings(file);
      if (text !== undefined)
        return { file, values: Object.fromEntries(Object.entries(parseEnv(text)).filter(([name]) => env[name] === undefined)) };
    }
  }
  return { file: '', values: {} };
}

function homeOf(home: string, env: AgentPlace['env']): string {
  const own = env['GEMINI_CLI_HOME'] ?? '';
  return own === '' ? home : own;
}

function typeIn(file: string): string | undefined {
  // It may have comments, and there is no other setting of that name. Older versions have another one.
  return /"(?:selectedType|selectedAuthType)"\s*:\s*"([^"]*)"/.exec(readSettings(file) ?? '')?.[1];
}
