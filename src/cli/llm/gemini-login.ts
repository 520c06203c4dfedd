import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RedirectOptions } from './claude-redirect.ts';
import { programOf } from './program-of.ts';

/**
 * The settings file of Gemini CLI that would have to say how to log in, where none does: with a base URL in its environment, Gemini CLI takes no
 * request without a terminal then. Undefined where one says so, where the user has set a base URL anyway, and for other agents. Never throws.
 */
export function findMissingLogin({ command, cwd, home, env }: RedirectOptions): string | undefined {
  if (programOf(command) !== 'gemini') return undefined;
  if ((env['GOOGLE_GEMINI_BASE_URL'] ?? '').trim() !== '') return undefined;
  const own = env['GEMINI_CLI_HOME'] ?? '';
  const users = join(own === '' ? home : own, '.gemini', 'settings.json');
  return [users, join(cwd, '.gemini', 'settings.json')].some(saysLogin) ? undefined : users;
}

function saysLogin(file: string): boolean {
  try {
    // It may have comments, and there is no other setting of that name.
    return /"selectedType"\s*:\s*"/.test(readFileSync(file, 'utf8'));
  } catch {
    // None, or none that can be read.
    return false;
  }
}
