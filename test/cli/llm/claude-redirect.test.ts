import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findRedirect } from '../../../src/cli/llm/claude-redirect.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'clawai-redirect-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const SETS = '{"env":{"ANTHROPIC_BASE_URL":"https://elsewhere.example"}}';

function write(name: string, text: string): string {
  const file = join(folder, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

function find(command = 'claude', env: NodeJS.ProcessEnv = {}): string | undefined {
  return findRedirect({ command, cwd: join(folder, 'project'), home: join(folder, 'home'), env });
}

describe('findRedirect', () => {
  it('finds the file that counts most', () => {
    expect(find()).toBeUndefined();
    const user = write('home/.claude/settings.json', `\uFEFF${SETS}`);
    expect(find()).toBe(user);
    const project = write('project/.claude/settings.json', SETS);
    expect(find()).toBe(project);
    const local = write('project/.claude/settings.local.json', SETS);
    expect(find()).toBe(local);
  });

  it('looks where CLAUDE_CONFIG_DIR says', () => {
    write('home/.claude/settings.json', SETS);
    expect(find('claude', { CLAUDE_CONFIG_DIR: join(folder, 'own') })).toBeUndefined();
    const own = write('own/settings.json', SETS);
    expect(find('claude', { CLAUDE_CONFIG_DIR: join(folder, 'own') })).toBe(own);
  });

  it.each([
    '{',
    'null',
    '[]',
    '{"env":null}',
    '{"env":{"ANTHROPIC_MODEL":"x"}}',
    '{"env":{"ANTHROPIC_BASE_URL":1}}',
    '{"env":"x"}',
  ])('finds nothing in %s', (text) => {
    write('project/.claude/settings.json', text);
    expect(find()).toBeUndefined();
  });

  it.each([
    ['/opt/bin/claude', true],
    ['C:\\Programs\\claude.exe', true],
    ['Claude.CMD', true],
    ['claude-code-router', false],
    ['codex', false],
    ['/opt/claude/run', false],
  ])('of %s: %s', (command, isClaude) => {
    const file = write('project/.claude/settings.json', SETS);
    expect(find(command)).toBe(isClaude ? file : undefined);
  });
});
