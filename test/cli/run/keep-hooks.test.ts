import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { keepHooks } from '../../../src/cli/run/keep-hooks.ts';
import { HookRecords } from '../../../src/wrap/hooks/hook-records.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'clawai-keep-'));
});
afterEach(() => rmSync(home, { recursive: true }));

const warnings: string[] = [];
function keep(...words: readonly string[]): readonly string[] {
  warnings.length = 0;
  return keepHooks(words, { env: {}, platform: 'linux', home }, (line) => warnings.push(line));
}

function install(client: string): void {
  const records = new HookRecords(join(home, '.local', 'state', 'clawai', 'hooks'));
  records.write({ format: 1, client, file: join(home, client), ours: [], time: '', version: '' });
}

it('Claude Code keeps the hook that is installed', () => {
  install('claude-code');
  for (const [words, at] of [
    [['claude'], 1],
    [['/usr/local/bin/claude', '-p', 'x'], 1],
    [['npx', '@anthropic-ai/claude-code', '-p', 'x'], 2],
  ] as const) {
    const led = keep(...words);
    expect(led.toSpliced(at, 2)).toEqual(words);
    expect(led[at]).toBe('--settings');
    const command = expect.stringMatching(/clawai.* hook claude-code --timeout 600; .*exit \$c$/) as unknown;
    expect(JSON.parse(led[at + 1] ?? '')).toEqual({
      disableAllHooks: false,
      hooks: { PreToolUse: [{ matcher: '*', hooks: [{ type: 'command', command, timeout: 600, onFailure: 'block' }] }] },
    });
    expect(warnings).toEqual([]);
  }
});

it('a command stays as it is where there is no hook, another agent, or nobody knows which', () => {
  expect(keep('claude', '-p')).toEqual(['claude', '-p']);
  install('codex');
  expect(keep('claude', '-p')).toEqual(['claude', '-p']);
  install('claude-code');
  expect(keep('codex', 'exec')).toEqual(['codex', 'exec']);
  expect(keep('sh', '-c', 'claude -p')).toEqual(['sh', '-c', 'claude -p']);
  expect(warnings).toEqual([]);
});

it.each(['--settings', '--settings=x.json', '--bare', '--setting-sources'])('%s is left alone, with a warning', (option) => {
  install('claude-code');
  expect(keep('claude', option, 'x')).toEqual(['claude', option, 'x']);
  expect(warnings).toEqual([
    `Claude Code is started with ${option}: clawai cannot keep its hook on, so settings may switch it off`,
  ]);
});
