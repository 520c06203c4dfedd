import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findUnseenModels } from '../../../src/cli/llm/unseen-model.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'clawai-unseen-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function write(name: string, value: unknown): string {
  const file = join(folder, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(value));
  return file;
}

function find(words: readonly string[], env: NodeJS.ProcessEnv = {}, leadsGemini = true): readonly string[] {
  return findUnseenModels({ words, cwd: join(folder, 'project'), home: join(folder, 'home'), env, leadsGemini });
}

it.each([
  ['codex'],
  ['/opt/bin/codex'],
  ['copilot'],
  ['cursor-agent'],
  ['sh', '-c', 'cd x; codex exec hi'],
  ['npx', '@openai/codex'],
])('what the model of %s %s %s says does not come by', (...words) => {
  expect(find(words)).toEqual([expect.stringContaining('is not looked at, since it asks')]);
});

it.each([['claude'], ['opencode'], ['node', 'x.mjs'], ['my-codex'], ['sh', '-c', 'true']])(
  '%s %s %s is led to us, or nobody knows',
  (...words) => {
    expect(find(words)).toEqual([]);
  },
);

describe('Claude Code', () => {
  it.each([
    ['CLAUDE_CODE_USE_BEDROCK', '1', 'Amazon Bedrock'],
    ['CLAUDE_CODE_USE_VERTEX', 'true', 'Google Vertex AI'],
    ['CLAUDE_CODE_USE_FOUNDRY', 'yes', 'Microsoft Foundry'],
  ])('that asks a cloud by %s=%s is told of', (name, value, cloud) => {
    const told = [`${name} is set, so that Claude Code asks ${cloud}: what its model calls there is not looked at`];
    // Nobody knows what a script starts.
    for (const words of [['claude'], ['./start.sh']]) expect(find(words, { [name]: value })).toEqual(told);
    expect(find(['claude'], { [name]: '0' })).toEqual([]);
    expect(find(['codex'], { [name]: value })).toHaveLength(1);
    const file = write('project/.claude/settings.json', { env: { [name]: value } });
    for (const words of [
      ['claude'],
      ['env', 'A=b', 'claude'],
      ['npx', '-y', '@anthropic-ai/claude-code'],
      ['bash', '-lc', 'claude -p x'],
    ])
      expect(find(words)).toEqual([told[0]?.replace(`${name} is set`, `${file} sets ${name}`)]);
    expect(find(['./start.sh'])).toEqual([]);
    // Settings count more than the environment.
    write('project/.claude/settings.json', { env: { [name]: '0' } });
    expect(find(['claude'], { [name]: value })).toEqual([]);
  });

  it('that has another address in its settings is told of', () => {
    expect(find(['claude'], { ANTHROPIC_BASE_URL: 'http://x' })).toEqual([]);
    const file = write('home/.claude/settings.json', { env: { ANTHROPIC_BASE_URL: 'https://elsewhere.example' } });
    expect(find(['claude'])).toEqual([expect.stringContaining(`${file} sets ANTHROPIC_BASE_URL, which counts more`)]);
    expect(find(['codex'])).toHaveLength(1);
  });
});

describe('Gemini CLI', () => {
  it('that logs in otherwise than with a key is told of', () => {
    const key = { GEMINI_API_KEY: 'k' };
    const file = write('home/.gemini/settings.json', { security: { auth: { selectedType: 'oauth-personal' } } });
    expect(find(['gemini'], key)).toEqual([expect.stringContaining(`${file} has Gemini CLI use a login at Google's`)]);
    expect(find(['claude'])).toEqual([]);
    write('home/.gemini/settings.json', { security: { auth: { selectedType: 'gemini-api-key' } } });
    expect(find(['gemini'], key)).toEqual([]);
    expect(find(['gemini'], {}, false)).toEqual([expect.stringContaining('no GEMINI_API_KEY')]);
    for (const words of [['gemini'], ['./start.sh']]) {
      expect(find(words, { GOOGLE_GENAI_USE_VERTEXAI: 'true' })).toEqual([expect.stringContaining('Vertex AI')]);
      expect(find(words, { GOOGLE_GENAI_USE_GCA: 'true' })).toEqual([expect.stringContaining("a login at Google's")]);
    }
  });

  it('that would fail without a terminal is told of, unless the user has set a base URL', () => {
    const file = join(folder, 'home', '.gemini', 'settings.json');
    expect(find(['gemini'])).toEqual([expect.stringContaining(`selectedType is in ${file}: "gemini-api-key"`)]);
    expect(find(['gemini'], { GOOGLE_GEMINI_BASE_URL: 'https://gateway.example' })).toEqual([]);
  });
});
