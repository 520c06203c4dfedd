import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type GeminiLogin, readGeminiLogin, readGeminiVariables } from '../../../src/cli/run/gemini-login.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'clawai-gemini-login-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function write(name: string, text: string): string {
  const file = join(folder, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

function find(env: NodeJS.ProcessEnv = {}): GeminiLogin {
  return readGeminiLogin({ cwd: join(folder, 'project'), home: join(folder, 'home'), env });
}

describe('readGeminiLogin', () => {
  it('finds what the settings say, those of the project first', () => {
    const users = join(folder, 'home', '.gemini', 'settings.json');
    expect(find()).toEqual({ type: undefined, file: users });
    write('home/.gemini/settings.json', '{"theme":"x"}');
    expect(find()).toEqual({ type: undefined, file: users });
    write('home/.gemini/settings.json', '// mine\n{"security":{"auth":{"selectedType": "oauth-personal"}}}');
    expect(find()).toEqual({ type: 'oauth-personal', file: users });
    const file = write('project/.gemini/settings.json', '{"selectedAuthType":"vertex-ai"}');
    expect(find()).toEqual({ type: 'vertex-ai', file });
  });

  it('looks where GEMINI_CLI_HOME says', () => {
    write('home/.gemini/settings.json', '{"selectedAuthType":"a"}');
    const file = write('own/.gemini/settings.json', '{"selectedAuthType":"b"}');
    expect(find({ GEMINI_CLI_HOME: join(folder, 'own') })).toEqual({ type: 'b', file });
  });

  it('lets the settings of an organisation count most', () => {
    write('project/.gemini/settings.json', '{"selectedAuthType":"a"}');
    const file = write('managed.json', '{"selectedAuthType":"b"}');
    expect(find({ GEMINI_CLI_SYSTEM_SETTINGS_PATH: file })).toEqual({ type: 'b', file });
  });
});

describe('readGeminiVariables', () => {
  it('finds the first file that there is, and nothing that the environment has', () => {
    const place = { cwd: join(folder, 'a', 'b'), home: join(folder, 'home'), env: {} };
    for (const name of ['home/.env', 'home/.gemini/.env', '.env', 'a/.gemini/.env', 'a/b/.env', 'a/b/.gemini/.env']) {
      const file = write(name, `# mine\nexport X="${name}"\nY=1\n{\n`);
      expect(readGeminiVariables(place)).toEqual({ file, values: { X: name, Y: '1' } });
      expect(readGeminiVariables({ ...place, env: { X: '' } }).values).toEqual({ Y: '1' });
    }
    const file = write('own/.env', 'X=own');
    const elsewhere = { cwd: '/', home: '/', env: { GEMINI_CLI_HOME: join(folder, 'own') } };
    expect(readGeminiVariables(elsewhere)).toEqual({ file, values: { X: 'own' } });
  });
});
