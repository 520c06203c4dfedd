import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type FoundVariable,
  readClaudeVariables,
  readSettings,
  type GeminiLogin,
  readGeminiLogin,
  readGeminiVariables,
} from '../../../src/cli/run/claude-settings.ts';

describe('claude settings', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'clawai-redirect-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  function write(name: string, value: string): string {
    const file = join(folder, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `\uFEFF${JSON.stringify({ env: { X: value } })}`);
    return file;
  }

  function find(env: NodeJS.ProcessEnv = {}, words: readonly string[] = ['claude']): FoundVariable | undefined {
    return readClaudeVariables({ words, cwd: join(folder, 'project'), home: join(folder, 'home'), env }, [
      join(folder, 'managed'),
    ]).get('X');
  }

  it.skipIf(process.platform === 'win32')('a pipe is left for the agent', () => {
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    expect(readSettings(pipe)).toBeUndefined();
  });

  describe('readClaudeVariables', () => {
    it('finds the value that counts most', () => {
      expect(find()).toBeUndefined();
      expect(find({ X: 'e' })).toEqual({ value: 'e', file: undefined });
      for (const name of [
        'home/.claude.json',
        'home/.claude/settings.json',
        'project/.claude/settings.json',
        'project/.claude/settings.local.json',
        'project/own.json',
        'managed/managed-settings.json',
        'managed/managed-settings.d/10.json',
        'managed/managed-settings.d/20.json',
        'home/.claude/remote-settings.json',
      ]) {
        const file = write(name, name);
        const words = name.endsWith('own.json') ? ['claude', '--settings', 'own.json'] : ['claude'];
        expect(find({ X: 'e' }, words)).toEqual({ value: name, file: name.endsWith('own.json') ? '--settings' : file });
      }
    });

    it('takes the text of --settings for a file', () => {
      write('project/.claude/settings.json', 'a');
      expect(find({}, ['npx', 'claude', '--settings={"env":{"X":"1"}}'])).toEqual({ value: '1', file: '--settings' });
    });

    it('looks where CLAUDE_CONFIG_DIR says', () => {
      write('home/.claude/settings.json', 'a');
      expect(find({ CLAUDE_CONFIG_DIR: join(folder, 'own') })).toBeUndefined();
      const state = write('own/.claude.json', 'c');
      expect(find({ CLAUDE_CONFIG_DIR: join(folder, 'own') })).toEqual({ value: 'c', file: state });
      const file = write('own/settings.json', 'b');
      expect(find({ CLAUDE_CONFIG_DIR: join(folder, 'own') })).toEqual({ value: 'b', file });
    });

    it('takes numbers for the texts that Claude Code makes of them', () => {
      const file = write('project/.claude/settings.json', '');
      writeFileSync(file, '{"env":{"X":1}}');
      expect(find()).toEqual({ value: '1', file });
    });

    it.each(['{', 'null', '[]', '{"env":null}', '{"env":{"Y":"x"}}', '{"env":{"X":[1]}}', '{"env":"x"}'])(
      'finds nothing in %s',
      (text) => {
        writeFileSync(write('project/.claude/settings.json', ''), text);
        expect(find()).toBeUndefined();
      },
    );
  });
});

describe('gemini login', () => {
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
});
