import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { programOf } from './program-of.ts';

export interface RedirectOptions {
  /** The agent's command, as it was typed. */
  readonly command: string;
  readonly cwd: string;
  readonly home: string;
  readonly env: Readonly<NodeJS.ProcessEnv>;
}

/**
 * The settings file of Claude Code that sends it to another address than its environment does: such a file counts more. Undefined where there
 * is none, and for agents that are not Claude Code. Never throws.
 */
export function findRedirect({ command, cwd, home, env }: RedirectOptions): string | undefined {
  if (programOf(command) !== 'claude') return undefined;
  const own = env['CLAUDE_CONFIG_DIR'] ?? '';
  const files = [
    join(cwd, '.claude', 'settings.local.json'),
    join(cwd, '.claude', 'settings.json'),
    join(own === '' ? join(home, '.claude') : own, 'settings.json'),
  ];
  return files.find(setsUrl);
}

function setsUrl(file: string): boolean {
  try {
    const settings: unknown = JSON.parse(readFileSync(file, 'utf8').replace(/^\uFEFF/, ''));
    const variables = isObject(settings) ? settings['env'] : undefined;
    return isObject(variables) && typeof variables['ANTHROPIC_BASE_URL'] === 'string';
  } catch {
    // None, or none that Claude Code could read.
    return false;
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
