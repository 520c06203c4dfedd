import { appendFileSync, existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openStoreReader } from '../../src/store/reading/read-open.ts';
import { useSandbox } from '../support/attempt.ts';
import { writeConfig } from '../support/client-configs.ts';
import { HAS_TERMINAL } from '../support/at-terminal.ts';
import { runAtTerminal } from '../support/run-at-terminal.ts';
import { type Ended, Running } from '../support/running.ts';
import { support } from '../support/sandbox.ts';

const sandbox = useSandbox();

function doctor(...flags: readonly string[]): Promise<Ended> {
  return sandbox.current.clawai('doctor', ...flags).close();
}

interface Report {
  readonly ok: boolean;
  readonly checks: readonly { about: string; level: string; text: string }[];
  readonly live: {
    checks: readonly { about: string; level: string; text: string }[];
    command: string[];
    events: Record<string, unknown>[];
  };
}

/** As a desktop app has it: neither XDG variables nor the developer's own search path. */
async function live(): Promise<{ readonly code: number | null; readonly report: Report }> {
  const { code, stdout } = await doctor('--live', '--json');
  return { code, report: JSON.parse(stdout) as Report };
}

it("never waits for a project's policy that is no file", async () => {
  mkdirSync(sandbox.current.path('.clawai'));
  symlinkSync('/dev/zero', sandbox.current.path('.clawai/policy.toml'));
  const { code, stdout } = await doctor();
  expect([code, stdout]).toEqual([1, expect.stringMatching(/fail +project +.*the policy is a pipe or a device/)]);
});

it('prints all other checks where the folder of the state is a file', async () => {
  mkdirSync(sandbox.current.state, { recursive: true });
  writeFileSync(join(sandbox.current.state, 'clawai'), '');
  const { code, stdout } = await doctor();
  expect(code).toBe(1);
  for (const line of [/^ok +node /m, /^ok +policy /m, /^fail +store .*is no folder/m, /^fail +servers .*cannot be read/m])
    expect(stdout).toMatch(line);
});

describe('hazard 1: clawai doctor --live', () => {
  it('proves interception with a server of its own, and shows the rows that are in the store of the user', async () => {
    const { code, report } = await live();
    expect([code, report.ok]).toEqual([0, true]);
    expect(report.live.checks.map(({ about, level }) => [about, level])).toEqual(
      ['start', 'allowed', 'denied', 'server', 'audit'].map((about) => [about, 'ok']),
    );
    expect(report.live.command).toContain('proxy');
    const reader = openStoreReader(join(sandbox.current.home, '.local', 'state', 'clawai', 'clawai.db'));
    const rows = Array.from(reader?.events({}) ?? [], ({ body }) => JSON.parse(body ?? 'null') as Record<string, unknown>);
    reader?.close();
    const calls = rows.filter(({ type }) => type === 'mcp_tool_called');
    expect(report.live.events).toEqual(calls);
    expect(calls).toMatchObject([
      { server_id: 'clawai-doctor', tool_name: 'canary_sing', action: 'allow' },
      { server_id: 'clawai-doctor', tool_name: 'canary_trap', action: 'block', rule: 'canary-trap' },
    ]);
  });

  it('prints the same for people, may be run again, and leaves nothing behind', async () => {
    const leftovers = (): string[] => readdirSync(tmpdir()).filter((name) => name.startsWith('clawai-doctor-'));
    const before = leftovers();
    await doctor('--live');
    const { code, stdout } = await doctor('--live');
    expect(code).toBe(0);
    expect(stdout).toMatch(/ok +server +the canary got the one call and not the other/);
    expect(stdout).toMatch(/clawai-doctor +canary_trap +block +canary-trap/);
    expect(stdout).toContain('started by: ');
    expect(leftovers().filter((name) => !before.includes(name))).toEqual([]);
  });

  it('fails where the policy does not hold: when it only observes', async () => {
    writeConfig(sandbox.current, 'home/.config/clawai/config.toml', 'mode = "observe"\n');
    const { code, report } = await live();
    expect([code, report.ok]).toEqual([1, false]);
    const failed = report.live.checks.filter(({ level }) => level === 'fail');
    expect(failed.map(({ about }) => about)).toEqual(['denied', 'server', 'audit']);
    expect(failed[1]?.text).toBe('the canary got a call that the policy denies');
  });

  it('fails where nothing can be recorded', async () => {
    writeConfig(sandbox.current, 'home/.local/state/clawai', 'in the way');
    const { code, report } = await live();
    expect(code).toBe(1);
    expect(report.live.checks.filter(({ level }) => level === 'fail').length).toBeGreaterThan(0);
  });

  it('fails where a desktop app would find a config with a mistake', async () => {
    writeConfig(sandbox.current, 'home/.config/clawai/config.toml', 'mod = "observe"\n');
    const { code, report } = await live();
    expect(code).toBe(1);
    expect(report.live.checks).toMatchObject([{ about: 'start', level: 'fail' }]);
  });
});

describe.runIf(process.platform === 'linux')('what --live would find', () => {
  it('a disk on which no store has room fails, as does what a desktop app would record in', async () => {
    const { current } = sandbox;
    const line = current.command('doctor').map((word) => `'${word}'`);
    const full = await new Running(['/bin/sh', '-c', `ulimit -f 64; ${line.join(' ')}`], {
      env: current.env,
      cwd: current.folder,
    }).ended;
    expect([full.code, full.stdout]).toEqual([1, expect.stringMatching(/fail +store +.*, so every call would be denied/)]);
    writeConfig(current, 'home/.local/state/clawai', 'in the way');
    expect(await doctor()).toMatchObject({ code: 1, stdout: expect.stringMatching(/fail +store +.*home\/\.local/) });
  });

  it('of a store that is damaged, --live prints all other checks', async () => {
    writeConfig(sandbox.current, 'home/.local/state/clawai/clawai.db', 'no store at all'.repeat(1000));
    const { code, stdout, stderr } = await doctor('--live');
    expect([code, stderr]).toEqual([1, '']);
    expect(stdout).toMatch(/ok +policy(.*\n)+ok +servers(.*\n)+fail +audit +.*clawai\.db is not a clawai store/);
  });
});

describe('clawai doctor', () => {
  it('is content with a fresh home, and writes nothing', async () => {
    const { code, stdout } = await doctor();
    expect([code, stdout]).toEqual([0, expect.stringMatching(/ 0 failed\n$/)]);
    expect(existsSync(sandbox.current.state)).toBe(false);
  });

  it('a policy that was in use and is gone fails, and clawai init helps', async () => {
    const { current } = sandbox;
    await current.clawai('init').close();
    await current.clawai('proxy', '--', process.execPath, support('recording-server.mjs'), current.path('seen')).close();
    rmSync(current.path('config/clawai/policy.toml'));
    expect(await doctor()).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/fail +policy +.*is gone: every call is denied/),
    });
    expect((await current.clawai('status').close()).stdout).toMatch(/^policy: .*is gone: every call is denied/m);
    await current.clawai('init').close();
    expect((await doctor()).code).toBe(0);
  });

  it('says each fault of the policy with its place, and fails', async () => {
    writeConfig(sandbox.current, 'config/clawai/policy.toml', '[[rule]]\nacton = "deny"\ntool = "x"\n');
    const { code, stdout } = await doctor();
    expect(code).toBe(1);
    expect(stdout).toMatch(/fail +policy +.*policy\.toml:\d+:\d+: /);
    const status = (await sandbox.current.clawai('status').close()).stdout;
    expect(status).toMatch(/^policy: .*policy\.toml:\d+:\d+: .*; nothing that is wrapped can start$/m);
  });

  it("says where a client's config is broken, and what to do", async () => {
    writeConfig(sandbox.current, '.cursor/mcp.json', '{ "mcpServers": { "x": }');
    expect((await doctor()).stdout).toMatch(/warn +configs +.*mcp\.json:1:24: .*\n +-> correct it, then: clawai wrap --all/);
  });

  it('hazard 3: names what is not wrapped, never seen, not found, edited or removed since', async () => {
    const { current } = sandbox;
    const servers = {
      a: { command: 'true' },
      b: { command: 'true' },
      c: { command: 'true' },
      lost: { command: '/nowhere/server' },
    };
    writeConfig(current, 'home/.cursor/mcp.json', JSON.stringify({ mcpServers: servers }));
    expect((await doctor()).stdout).toMatch(/warn +servers +not wrapped: a, b, c, lost\n +-> clawai wrap --all/);
    await current.clawai('wrap', '--all').close();
    expect((await doctor()).stdout).toMatch(
      /warn +seen +wrapped, and never seen: a \(Cursor\), b \(Cursor\), c \(Cursor\), lost \(Cursor\)/,
    );
    const value = JSON.parse(current.read('home/.cursor/mcp.json').toString());
    value.mcpServers.a = { command: 'other' };
    delete value.mcpServers.b;
    value.mcpServers.c.command = '/nowhere/node';
    writeConfig(current, 'home/.cursor/mcp.json', JSON.stringify(value));
    const { code, stdout } = await doctor();
    expect(code).toBe(1);
    expect(stdout).toMatch(/warn +edited +wrapped once, and given another command or URL since: a\n/);
    expect(stdout).toMatch(/warn +state +wrapped once, and removed since: b\n/);
    expect(stdout).toMatch(/fail +command +c in ~\/\.cursor\/mcp\.json starts \/nowhere\/node, which is missing/);
    expect(stdout).toMatch(/warn +command +the command of lost in .* is not found: \/nowhere\/server/);
  });

  it('names a policy that an entry starts with and that is gone', async () => {
    const { current } = sandbox;
    writeConfig(current, 'home/.cursor/mcp.json', JSON.stringify({ mcpServers: { a: { command: 'true' } } }));
    current.write('mine.toml', '');
    await current.clawai('wrap', '--all', '--policy', 'mine.toml').close();
    expect((await doctor()).code).toBe(0);
    rmSync(current.path('mine.toml'));
    const { code, stdout } = await doctor();
    expect([code, stdout]).toEqual([1, expect.stringMatching(/fail +policy +.*mine\.toml/)]);
  });

  it.skipIf(!HAS_TERMINAL)('names a record that is damaged; unwrapping works all the same', async () => {
    const { current } = sandbox;
    writeConfig(current, 'home/.cursor/mcp.json', JSON.stringify({ mcpServers: { a: { command: 'true' } } }));
    await current.clawai('wrap', '--all').close();
    const folder = join(current.state, 'clawai', 'wrap');
    const record = readdirSync(folder).find((name) => name.endsWith('.json')) ?? '';
    appendFileSync(join(folder, record), 'x');
    expect((await doctor()).stdout).toMatch(/warn +state +the record of .* is damaged/);
    expect((await runAtTerminal(current, ['unwrap', '--all'])).code).toBe(0);
    expect(JSON.parse(current.read('home/.cursor/mcp.json').toString()).mcpServers.a.command).toBe('true');
  });
});
