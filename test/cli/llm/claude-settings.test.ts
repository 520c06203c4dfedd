import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type FoundVariable, readClaudeVariables } from '../../../src/cli/llm/claude-settings.ts';

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
  return readClaudeVariables({ words, cwd: join(folder, 'project'), home: join(folder, 'home'), env })('X');
}

describe('readClaudeVariables', () => {
  it('finds the value that counts most', () => {
    expect(find()).toBeUndefined();
    expect(find({ X: 'e' })).toEqual({ value: 'e', file: undefined });
    for (const name of [
      'home/.claude/settings.json',
      'project/.claude/settings.json',
      'project/.claude/settings.local.json',
      'project/own.json',
    ]) {
      const file = write(name, name);
      const words = name.endsWith('own.json') ? ['claude', '--settings', 'own.json'] : ['claude'];
      expect(find({ X: 'e' }, words)).toEqual({ value: name, file: name.endsWith('own.json') ? '--settings' : file });
    }
    expect(find({}, ['npx', 'claude', '--settings={"env":{"X":"1"}}'])).toEqual({ value: '1', file: '--settings' });
  });

  it('looks where CLAUDE_CONFIG_DIR says', () => {
    write('home/.claude/settings.json', 'a');
    expect(find({ CLAUDE_CONFIG_DIR: join(folder, 'own') })).toBeUndefined();
    const file = write('own/settings.json', 'b');
    expect(find({ CLAUDE_CONFIG_DIR: join(folder, 'own') })).toEqual({ value: 'b', file });
  });

  it.each(['{', 'null', '[]', '{"env":null}', '{"env":{"Y":"x"}}', '{"env":{"X":1}}', '{"env":"x"}'])(
    'finds nothing in %s',
    (text) => {
      writeFileSync(write('project/.claude/settings.json', ''), text);
      expect(find()).toBeUndefined();
    },
  );
});
