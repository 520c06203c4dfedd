import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, dirname, resolve } from 'node:path';
import { parseEnv } from 'node:util';

/** The command, the folder and the environment of an agent. */
export interface AgentPlace {
  /** The agent's command as it was typed, with all its words. */
  readonly words: readonly string[];
  readonly cwd: string;
  readonly home: string;
  readonly env: Readonly<NodeJS.ProcessEnv>;
}

/** A value of a variable, and the settings file that has it; undefined for the environment. */
export interface FoundVariable {
  readonly value: string;
  readonly file: string | undefined;
}

/** Folders with settings of an organisation, which count more than all others. */
const CLAUDE_MANAGED = ['/etc/claude-code', '/Library/Application Support/ClaudeCode', String.raw`C:\Program Files\ClaudeCode`];

/**
 * Reads the variables that Claude Code will have: those in its settings files count more than those of its environment, and each file more than
 * those behind it. Never throws.
 */
export function readClaudeVariables(
  { words, cwd, home, env }: AgentPlace,
  managed: readonly string[] = CLAUDE_MANAGED,
): ReadonlyMap<string, FoundVariable> {
  const own = env['CLAUDE_CONFIG_DIR'] ?? '';
  const folder = own === '' ? join(home, '.claude') : own;
  const at = words.findIndex((word) => word === '--settings' || word.startsWith('--settings='));
  const told = words[at]?.startsWith('--settings=') === true ? words[at]?.slice('--settings='.length) : words[at + 1];
  const sources = [
    ...[join(folder, 'remote-settings.json'), ...managed.flatMap(managedFiles)].map((file) => ({
      file,
      text: readSettings(file),
    })),
    // A file, or what would be in one.
    ...(at === -1 || told === undefined
      ? []
      : [
          {
            file: '--settings',
            text: told.trim().startsWith('{') ? told : (readSettings(join(cwd, told)) ?? readSettings(told)),
          },
        ]),
    ...[
      join(cwd, '.claude', 'settings.local.json'),
      join(cwd, '.claude', 'settings.json'),
      join(folder, 'settings.json'),
      // Claude Code keeps its state here, and variables as well.
      join(own === '' ? home : own, '.claude.json'),
    ].map((file) => ({ file, text: readSettings(file) })),
  ];
  const found = new Map<string, FoundVariable>();
  for (const [name, value] of Object.entries(env)) if (value !== undefined) found.set(name, { value, file: undefined });
  for (const { file, text } of sources.toReversed())
    for (const [name, value] of Object.entries(variablesIn(text))) {
      // Claude Code makes texts of them.
      if (['string', 'number', 'boolean'].includes(typeof value)) found.set(name, { value: String(value), file });
    }
  return found;
}

/** The files of an organisation's folder. Those that others put beside the first count more, the last of them most. */
function managedFiles(folder: string): readonly string[] {
  const beside = join(folder, 'managed-settings.d');
  let names: readonly string[] = [];
  try {
    names = readdirSync(beside).filter((name) => name.endsWith('.json'));
  } catch {
    // The folder is missing or can't be read.
  }
  return [
    ...names
      .toSorted()
      .toReversed()
      .map((name) => join(beside, name)),
    join(folder, 'managed-settings.json'),
  ];
}

/** Reads a file of an agent's settings; undefined where there is none. A pipe is left for the agent: it would be waited for, and then be empty. */
export function readSettings(file: string): string | undefined {
  try {
    return statSync(file).isFile() ? readFileSync(file, 'utf8') : undefined;
  } catch {
    // None, or none that can be read.
    return undefined;
  }
}

function variablesIn(text = ''): Readonly<Record<string, unknown>> {
  try {
    const settings: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
    const variables = isObject(settings) ? settings['env'] : undefined;
    return isObject(variables) ? variables : {};
  } catch {
    // None, or none that Claude Code could read.
    return {};
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

/** The login of Gemini CLI in its settings. */
export interface GeminiLogin {
  /** E.g. `gemini-api-key` or `oauth-personal`; undefined where no settings say it. */
  readonly type: string | undefined;
  /** The file that says it, or would have to. */
  readonly file: string;
}

/** Settings of an organisation, which count more than all others. */
const GEMINI_MANAGED = [
  '/etc/gemini-cli/settings.json',
  '/Library/Application Support/GeminiCli/settings.json',
  String.raw`C:\ProgramData\gemini-cli\settings.json`,
];

/** Reads how Gemini CLI will log in. The settings of a project count more than the user's. Never throws. */
export function readGeminiLogin({ cwd, home, env }: Omit<AgentPlace, 'words'>): GeminiLogin {
  const users = join(homeOf(home, env), '.gemini', 'settings.json');
  const managed = env['GEMINI_CLI_SYSTEM_SETTINGS_PATH'] ?? '';
  for (const file of [...(managed === '' ? GEMINI_MANAGED : [managed]), join(cwd, '.gemini', 'settings.json'), users]) {
    const type = typeIn(file);
    if (type !== undefined) return { type, file };
  }
  return { type: undefined, file: users };
}

/** Variables of a file, and that file; empty if there is none. */
export interface DotEnv {
  readonly file: string;
  readonly values: Readonly<Record<string, string | undefined>>;
}

/**
 * Reads the variables that Gemini CLI takes from a file `.env`: the first that there is, from where it starts upwards, then the user's. What its
 * environment has counts more. Never throws.
 */
export function readGeminiVariables(place: Omit<AgentPlace, 'words'>): DotEnv {
  return readDotEnv(place, { folder: '.gemini', home: homeOf(place.home, place.env) });
}

/** The same for an agent that keeps its settings in a folder of another name. */
export function readDotEnv(
  { cwd, env }: Omit<AgentPlace, 'words'>,
  own: { readonly folder: string; readonly home: string },
): DotEnv {
  const folders = [resolve(cwd)];
  for (let folder = dirname(resolve(cwd)); folder !== folders.at(-1); folder = dirname(folder)) folders.push(folder);
  for (const folder of [...folders, own.home]) {
    for (const file of [join(folder, own.folder, '.env'), join(folder, '.env')]) {
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
  // The file may have comments, and no other setting has that name. Older versions have another name.
  return /"(?:selectedType|selectedAuthType)"\s*:\s*"([^"]*)"/.exec(readSettings(file) ?? '')?.[1];
}
