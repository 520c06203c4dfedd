import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Where an agent starts. */
export interface AgentPlace {
  /** Its command as it was typed, with all its words. */
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
const MANAGED = ['/etc/claude-code', '/Library/Application Support/ClaudeCode', String.raw`C:\Program Files\ClaudeCode`];

/**
 * Reads the variables that Claude Code will have: those in its settings files count more than those of its environment, and each file more than
 * those behind it. Never throws.
 */
export function readClaudeVariables(
  { words, cwd, home, env }: AgentPlace,
  managed: readonly string[] = MANAGED,
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
      // It keeps its state here, and variables as well.
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
    // There are none.
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
