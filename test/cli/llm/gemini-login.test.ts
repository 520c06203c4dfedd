import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findMissingLogin } from '../../../src/cli/llm/gemini-login.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'clawai-gemini-login-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const SAYS = '// mine\n{"security":{"auth":{"selectedType": "gemini-api-key"}}}';

function write(name: string, text: string): void {
  const file = join(folder, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

function find(command = 'gemini', env: NodeJS.ProcessEnv = {}): string | undefined {
  return findMissingLogin({ command, cwd: join(folder, 'project'), home: join(folder, 'home'), env });
}

describe('findMissingLogin', () => {
  it.each(['home', 'project'])('finds nothing where the settings in %s say how to log in', (where) => {
    expect(find()).toBe(join(folder, 'home', '.gemini', 'settings.json'));
    write(`${where}/.gemini/settings.json`, '{"theme":"x"}');
    expect(find()).toBe(join(folder, 'home', '.gemini', 'settings.json'));
    write(`${where}/.gemini/settings.json`, SAYS);
    expect(find()).toBeUndefined();
  });

  it('looks where GEMINI_CLI_HOME says', () => {
    write('home/.gemini/settings.json', SAYS);
    const env = { GEMINI_CLI_HOME: join(folder, 'own') };
    expect(find('gemini', env)).toBe(join(folder, 'own', '.gemini', 'settings.json'));
    write('own/.gemini/settings.json', SAYS);
    expect(find('gemini', env)).toBeUndefined();
  });

  it.each(['/usr/bin/gemini', String.raw`C:\bin\GEMINI.cmd`])('%s is Gemini CLI', (command) => {
    expect(find(command)).toBeTypeOf('string');
  });

  it('is about nobody else, and not where the user has set a base URL', () => {
    expect(find('claude')).toBeUndefined();
    expect(find('gemini-like')).toBeUndefined();
    expect(find('gemini', { GOOGLE_GEMINI_BASE_URL: 'https://gateway.example' })).toBeUndefined();
  });
});
