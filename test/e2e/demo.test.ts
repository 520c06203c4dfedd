import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Running } from '../support/running.ts';
import { Sandbox } from '../support/sandbox.ts';

let sandbox: Sandbox;
beforeEach(() => {
  sandbox = new Sandbox();
  mkdirSync(sandbox.path('tmp'));
});
afterEach(() => sandbox.remove());

function demo(...flags: readonly string[]): Running {
  const env = { ...sandbox.env, TMPDIR: sandbox.path('tmp') };
  return new Running(sandbox.command('demo', ...flags), { env, cwd: sandbox.folder });
}

function expectNothingLeft(): void {
  expect(readdirSync(sandbox.path('tmp'))).toEqual([]);
  // Compiled code is kept where the environment has no other place for it, and the SDK passes none on.
  expect(
    readdirSync(sandbox.home, { recursive: true }).filter(
      (file) => !/^\.cache(\/clawai(\/compile(\/.*)?)?)?$/.test(String(file)),
    ),
  ).toEqual([]);
  expect(existsSync(sandbox.state)).toBe(false);
}

it('shows calls that were allowed and denied, in less than ten seconds, and leaves nothing behind', async () => {
  const started = performance.now();
  const { code, stdout, stderr } = await demo().close();
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toContain('Ship the release on Friday.');
  expect(stdout).toContain('clawai denied the tool call "read_text_file"');
  expect(stdout).toContain('private-keys');
  expect(performance.now() - started).toBeLessThan(10_000);
  expectNothingLeft();
});

it('tells programs the same', async () => {
  const { code, stdout } = await demo('--json').close();
  expect(code).toBe(0);
  const { calls, audit } = JSON.parse(stdout) as {
    calls: { expected: string; actual: string }[];
    audit: Record<string, unknown>[];
  };
  expect(calls.map(({ actual }) => actual)).toEqual(['allowed', 'denied', 'denied']);
  expect(audit.filter((event) => event['tool_name'] !== undefined).map((event) => event['action'])).toEqual([
    'allow',
    'block',
    'block',
  ]);
  expectNothingLeft();
});
