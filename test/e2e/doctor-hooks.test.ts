/** @module-tag long */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Ended, Running } from '../support/running.ts';
import { Sandbox } from '../support/sandbox.ts';

const AGENT = resolve(import.meta.dirname, '..', 'support', 'hook-agent.mjs');

let sandbox: Sandbox;
beforeEach(() => {
  sandbox = new Sandbox();
  mkdirSync(sandbox.path('programs'));
  // The command that is called must be found too, as it would be where it is run.
  for (const [name, text] of [
    ['claude', `exec "${process.execPath}" "${AGENT}"`],
    ['clawai', 'echo help'],
  ] as const)
    writeFileSync(join(sandbox.path('programs'), name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  mkdirSync(join(sandbox.home, '.claude', 'projects'), { recursive: true });
});
afterEach(() => sandbox.remove());

function clawai(words: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ended> {
  const path = `${sandbox.path('programs')}:${process.env['PATH'] ?? ''}`;
  return new Running(sandbox.command(...words), { env: { ...sandbox.env, PATH: path, ...env }, cwd: sandbox.folder }).close();
}

async function prove(env: Readonly<Record<string, string>> = {}): Promise<unknown> {
  const { stdout } = await clawai(['doctor', '--live', '--json'], env);
  const { live } = JSON.parse(stdout) as {
    readonly live: { readonly checks: readonly { readonly about: string; readonly level: string; readonly text: string }[] };
  };
  return live.checks.filter(({ about }) => about.startsWith('hook')).map(({ about, level, text }) => [about, level, text]);
}

it('doctor --live starts the clients that have a hook, and tells whether it stops a call', async () => {
  expect(await prove()).toEqual([]);
  await clawai(['wrap', '--hooks']);
  const about = 'hook of Claude Code';
  expect(await prove()).toEqual([[about, 'ok', 'a command that clawai denies was not run, and the model was told why']]);
  expect(await prove({ HOOK_AGENT: 'ignores' })).toEqual([[about, 'fail', 'a command that clawai denies was run']]);
  expect(await prove({ HOOK_AGENT: 'fails' })).toEqual([
    [about, 'fail', 'the hook was not asked about a command, which failed for another reason'],
  ]);

  writeFileSync(join(sandbox.path('programs'), 'claude'), '#!/bin/sh\nexit 1\n');
  expect(await prove()).toEqual([[about, 'warn', 'claude did not ask the model that was to try it']]);
  const settings = join(sandbox.home, '.claude', 'settings.json');
  writeFileSync(settings, readFileSync(settings, 'utf8').replace('{', '{ "disableAllHooks": true,'));
  expect(await prove()).toEqual([[about, 'fail', 'disableAllHooks switches it off']]);
  expect((await clawai(['doctor', '--live'])).code).toBe(1);
});

it('a client that is not there, or needs its window, is said to be unproved', async () => {
  for (const client of ['codex', 'cursor']) await clawai(['wrap', '--hooks', '--client', client]);
  expect(await prove({ PATH: '/usr/bin:/bin' })).toEqual([
    ['hook of Codex', 'warn', 'codex is not in the PATH, so that nothing was proved'],
    ['hook of Cursor', 'warn', 'it cannot be proved without its window'],
  ]);
});
