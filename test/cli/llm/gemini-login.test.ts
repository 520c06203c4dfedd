import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type GeminiLogin, readGeminiLogin } from '../../../src/cli/llm/gemini-login.ts';

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
});
