import { readFileSync } from 'node:fs';
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

/** Settings of an organisation, which count more than all others. */
const MANAGED = [
  '/etc/claude-code/managed-settings.json',
  '/Library/Application Support/ClaudeCode/managed-settings.json',
  String.raw`C:\Program Files\ClaudeCode\managed-settings.json`,
];

/**
 * Reads the variables that Claude Code will have: those in its settings files count more than those of its environment, and each file more than
 * those behind it. Never throws.
 */
export function readClaudeVariables({ words, cwd, home, env }: AgentPlace): (name: string) => FoundVariable | undefined {
  const own = env['CLAUDE_CONFIG_DIR'] ?? '';
  const at = words.findIndex((word) => word === '--settings' || word.startsWith('--settings='));
  const told = words[at]?.startsWith('--settings=') === true ? words[at]?.slice('--settings='.length) : words[at + 1];
  const sources = [
    ...MANAGED.map((file) => ({ file, text: read(file) })),
    // A file, or what would be in one.
    ...(at === -1 || told === undefined
      ? []
      : [{ file: '--settings', text: told.trim().startsWith('{') ? told : (read(join(cwd, told)) ?? read(told)) }]),
    ...[
      join(cwd, '.claude', 'settings.local.json'),
      join(cwd, '.claude', 'settings.json'),
      join(own === '' ? join(home, '.claude') : own, 'settings.json'),
    ].map((file) => ({ file, text: read(file) })),
  ].map(({ file, text }) => ({ file, variables: variablesIn(text) }));
  return (name) => {
    for (const { file, variables } of sources) {
      const value = variables[name];
      if (typeof value === 'string') return { value, file };
    }
    const value = env[name];
    return value === undefined ? undefined : { value, file: undefined };
  };
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    // There is none.
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
