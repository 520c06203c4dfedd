/** @module-tag long */
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HAS_TERMINAL } from '../support/at-terminal.ts';
import { runAtTerminal } from '../support/run-at-terminal.ts';
import { type Ended, Running } from '../support/running.ts';
import { Sandbox } from '../support/sandbox.ts';

let sandbox: Sandbox;
beforeEach(() => {
  sandbox = new Sandbox();
});
afterEach(() => sandbox.remove());

const clawai = (...words: readonly string[]): Promise<Ended> =>
  words[0] === 'unwrap'
    ? runAtTerminal(sandbox, words)
    : new Running(sandbox.command(...words), { env: sandbox.env, cwd: sandbox.folder }).close();

function write(name: string, text: string): string {
  const file = join(sandbox.home, name);
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, text);
  return file;
}
const read = (name: string): string => readFileSync(join(sandbox.home, name), 'utf8');

/** Runs a hook as clients do: by a shell, with the call on stdin. */
async function ask(command: string, call: object, env: Readonly<Record<string, string>> = {}): Promise<Ended> {
  const given = { ...sandbox.env, PATH: process.env['PATH'] ?? '', ...env };
  const hook = new Running(['/bin/sh', '-c', command], { env: given, cwd: sandbox.home });
  hook.send(JSON.stringify(call));
  return hook.close();
}

const bash = (command: string): object => ({
  session_id: 's',
  cwd: sandbox.home,
  hook_event_name: 'PreToolUse',
  tool_name: 'Bash',
  tool_input: { command },
  tool_use_id: 'toolu_1',
});

const reading = (path: string): object => ({
  ...bash(''),
  tool_name: 'Read',
  tool_input: { file_path: join(sandbox.home, path) },
});

interface Settings {
  readonly hooks: Readonly<Record<string, readonly { readonly hooks: readonly { readonly command: string }[] }[]>>;
}

function commandIn(name: string, event: string): string {
  const settings = JSON.parse(read(name)) as Settings;
  return settings.hooks[event]?.at(-1)?.hooks[0]?.command ?? '';
}

const SETTINGS =
  '{\n  "model": "opus",\n  "hooks": {\n    "PreToolUse": [\n      { "matcher": "Edit", "hooks": [] }\n    ]\n  }\n}\n';

describe.runIf(HAS_TERMINAL)('wrap --hooks', () => {
  it('makes clawai the hook of the agents that have run here, which decides, and unwrap gives every byte back', async () => {
    write('.claude/settings.json', SETTINGS);
    mkdirSync(join(sandbox.home, '.codex'));
    const planned = await clawai('wrap', '--hooks', '--dry-run');
    expect(planned.stdout).toContain('2 hooks would be installed. Nothing was written.');
    expect(read('.claude/settings.json')).toBe(SETTINGS);

    const { code, stdout } = await clawai('wrap', '--hooks');
    expect([code, stdout]).toEqual([0, expect.stringContaining('Installed 2 hooks.')]);
    expect(stdout).toContain('open /hooks and trust clawai');
    expect((await clawai('wrap', '--hooks')).stdout).toContain('All hooks are as they should be.');
    expect((await clawai('doctor')).stdout).toMatch(/ok +hooks +Claude Code: ~\/\.claude\/settings\.json: it never asked/);
    const installed = read('.claude/settings.json');
    write('.claude/settings.json', installed.replace('"block"', '"allow"'));
    const doctor = await clawai('doctor');
    expect([doctor.code, doctor.stdout]).toEqual([
      1,
      expect.stringMatching(/fail +hooks +Claude Code: ~\/\.claude\/settings\.json is changed/),
    ]);
    write('.claude/settings.json', installed);

    const claude = commandIn('.claude/settings.json', 'PreToolUse');
    expect(await ask(claude, reading('notes.txt'))).toMatchObject({ code: 0, stdout: '', stderr: '' });
    const denied = await ask(claude, bash('cat ~/.ssh/id_rsa'));
    expect(JSON.parse(denied.stdout)).toMatchObject({ hookSpecificOutput: { permissionDecision: 'deny' } });
    const codex = commandIn('.codex/hooks.json', 'PreToolUse');
    expect(await ask(codex, bash('cat ~/.ssh/id_rsa'))).toMatchObject({ code: 2, stdout: '' });

    // An agent must not take it away: neither its file nor by clawai.
    const file = join(sandbox.home, '.claude', 'settings.json');
    for (const command of [`rm ${file}`, `echo '{}' > ${file}`, 'clawai unwrap --hooks'])
      expect((await ask(claude, bash(command))).stdout).toContain('"deny"');

    expect((await clawai('unwrap', '--hooks')).stdout).toContain('Removed 2 hooks, 2 of them to the byte as before.');
    expect(read('.claude/settings.json')).toBe(SETTINGS);
    expect(existsSync(join(sandbox.home, '.codex', 'hooks.json'))).toBe(false);
  });

  it('denies where clawai is gone, killed or broken', async () => {
    mkdirSync(join(sandbox.home, '.codex'));
    await clawai('wrap', '--hooks');
    const command = commandIn('.codex/hooks.json', 'PreToolUse');
    const [, entry = ''] = / (\S*clawai\.mjs) /.exec(command) ?? [];
    expect(entry).not.toBe('');
    for (const broken of [
      command.replace(entry, join(sandbox.folder, 'gone.mjs')),
      command.replace(/\S+ (?=\S*clawai\.mjs)/, '/nowhere/node '),
      command.replace(/\S+ \S*clawai\.mjs/, () => "sh -c 'kill -9 $$'"),
    ]) {
      expect(broken).not.toBe(command);
      const { code, stderr } = await ask(broken, bash('ls'));
      expect([code, stderr]).toEqual([2, expect.stringContaining('clawai denied this call')]);
    }
    const policy = join(sandbox.folder, 'config', 'clawai', 'policy.toml');
    mkdirSync(join(policy, '..'), { recursive: true });
    writeFileSync(policy, '[[rule\n');
    expect(await ask(command, reading('notes.txt'))).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('policy.toml') as unknown,
    });
    // A hook with such a policy would deny each call from the start.
    expect((await clawai('wrap', '--hooks')).code).toBe(2);
  });

  it('decides by its own policy and code, whatever variables a project has its agent hand on', async () => {
    mkdirSync(join(sandbox.home, '.codex'));
    await clawai('wrap', '--hooks');
    const command = commandIn('.codex/hooks.json', 'PreToolUse');
    const evil = sandbox.write('evil.cjs', 'process.exit(0);');
    const programs = sandbox.path('programs');
    mkdirSync(programs);
    for (const name of ['node', 'clawai', 'env', 'sh'])
      writeFileSync(join(programs, name), '#!/bin/sh\nexit 0\n', { mode: 0o755 });
    for (const env of [
      { CLAWAI_POLICY: sandbox.write('allow.toml', '[defaults]\naction = "allow"\n') },
      { CLAWAI_CONFIG: sandbox.write('observe.toml', 'mode = "observe"\n') },
      { NODE_OPTIONS: `--require ${evil}` },
      { PATH: programs },
      { HOME: programs, XDG_CONFIG_HOME: programs, XDG_STATE_HOME: programs, XDG_CACHE_HOME: programs },
    ] as readonly Readonly<Record<string, string>>[]) {
      const { code, stderr } = await ask(command, bash('cat ~/.ssh/id_rsa'), env);
      expect([Object.keys(env)[0], code, stderr]).toEqual([Object.keys(env)[0], 2, expect.stringContaining('private-keys')]);
    }
  });

  it('status tells of a hook that is there, was asked, has changed, is off, or is gone; --check fails', async () => {
    mkdirSync(join(sandbox.home, '.codex'));
    mkdirSync(join(sandbox.home, '.claude', 'projects'), { recursive: true });
    const status = async (): Promise<readonly unknown[]> => {
      const { hooks } = JSON.parse((await clawai('status', '--json')).stdout) as { readonly hooks: readonly unknown[] };
      return hooks;
    };
    expect(await status()).toMatchObject([
      { client: 'claude-code', state: 'none' },
      { client: 'codex', state: 'none' },
    ]);
    await clawai('wrap', '--hooks');
    expect((await clawai('status')).stdout).toMatch(/not seen +hook +it never asked; Codex ignores the hook until you trust it/);
    expect((await clawai('status', '--check')).code).toBe(0);
    await ask(commandIn('.codex/hooks.json', 'PreToolUse'), reading('notes.txt'));
    expect((await clawai('status')).stdout).toMatch(/installed +hook +asked /);
    expect(await status()).toMatchObject([
      { state: 'installed', last_asked: null },
      { state: 'installed', last_asked: expect.any(String) as unknown },
    ]);
    const settings = read('.claude/settings.json');
    for (const [text, state, off] of [
      [settings.replace('"hooks"', '"disableAllHooks": true, "hooks"'), 'installed', 'disableAllHooks'],
      [settings.replace('"block"', '"allow"'), 'changed', null],
      ['{}', 'removed', null],
    ] as const) {
      write('.claude/settings.json', text);
      expect([await status(), (await clawai('status', '--check')).code]).toMatchObject([
        [{ state, switched_off_by: off }, {}],
        1,
      ]);
    }
    expect((await clawai('wrap', '--hooks')).stdout).toContain('Installed 1 hook.');
    write('.claude/settings.json', read('.claude/settings.json').replace('"block"', '"allow"'));
    expect((await clawai('wrap', '--hooks')).stdout).toContain('Renewed 1 hook. `clawai unwrap --hooks` removes it.');
    expect((await clawai('status', '--check')).code).toBe(0);
  });

  it.each([
    ['servers first', ['wrap --all', 'wrap --hooks', 'unwrap --all']],
    ['hooks first', ['wrap --hooks', 'wrap --all', 'unwrap --all']],
    ['both at once', ['wrap --all --hooks', 'unwrap --hooks', 'unwrap --all']],
  ])('a file with servers and hooks gets its bytes back, %s', async (_what, commands) => {
    const text = '{\r\n\t"mcpServers": {"m": {"command": "node", "args": ["x.js"]}}, // mine\r\n\t"theme": "dark"\r\n}\r\n';
    write('.gemini/settings.json', text);
    for (const command of commands) {
      const { code } = await clawai(...command.split(' '));
      expect([command, code]).toEqual([command, 0]);
    }
    expect(read('.gemini/settings.json')).toBe(text);
    expect((await clawai('status', '--json')).stdout).toContain('"state": "none"');
  });

  it('leaves alone what it cannot read, and says where', async () => {
    write('.claude/settings.json', '{\n  "hooks": [\n');
    const { code, stdout } = await clawai('wrap', '--hooks');
    expect([code, stdout]).toEqual([1, expect.stringContaining('the hooks of Claude Code, line 3, column 1')]);
    expect(read('.claude/settings.json')).toBe('{\n  "hooks": [\n');
  });

  it('names the clients that have hooks', async () => {
    expect(await clawai('wrap', '--hooks', '--client', 'zed')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('clients: claude-code, codex') as unknown,
    });
    expect((await clawai('wrap', '--hooks', '--client', 'cursor')).stdout).toContain('Installed 1 hook.');
    expect(read('.cursor/hooks.json')).toContain('"failClosed": true');
    rmSync(join(sandbox.home, '.cursor'), { recursive: true });
    renameSync(sandbox.path('state'), sandbox.path('state.old'));
    expect((await clawai('unwrap', '--hooks')).stdout).toContain('There was no hook to remove.');
  });
});
