import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { useSandbox } from '../support/attempt.ts';
import { freePort } from '../support/http-server.ts';
import { type Ended, Running } from '../support/running.ts';
import { support } from '../support/sandbox.ts';
import { Serving } from '../support/serving.ts';

// systemd has no session here: a stand-in does what the unit says.
const sandbox = useSandbox();
const unit = (): string => join(sandbox.current.folder, 'config', 'systemd', 'user', 'clawai.service');

function clawai(args: readonly string[], more: Readonly<Record<string, string>> = {}): Promise<Ended> {
  const { env, folder } = sandbox.current;
  const tools = join(folder, 'tools');
  if (!existsSync(tools)) {
    mkdirSync(tools);
    mkdirSync(join(folder, 'config', 'systemd', 'user'), { recursive: true });
    chmodSync(support('fake-systemctl.mjs'), 0o755);
    symlinkSync(support('fake-systemctl.mjs'), join(tools, 'systemctl'));
  }
  const path = [tools, env['PATH']].join(delimiter);
  return new Running(sandbox.current.command(...args), { env: { ...env, PATH: path, ...more }, cwd: folder }).close();
}

async function configured(): Promise<string> {
  const port = await freePort();
  mkdirSync(join(sandbox.current.folder, 'config', 'clawai'), { recursive: true });
  writeFileSync(join(sandbox.current.folder, 'config', 'clawai', 'config.toml'), `listen = "127.0.0.1:${port}"\n`);
  return `http://127.0.0.1:${port}`;
}

afterEach(async () => {
  if (existsSync(unit())) await clawai(['service', 'uninstall']);
});

describe.runIf(process.platform === 'linux')('serve that starts at login', () => {
  it('is installed, renewed, shown and taken back', async () => {
    const url = await configured();
    expect((await clawai(['service', 'status'])).code).toBe(1);
    const dry = await clawai(['service', 'install', '--dry-run']);
    expect([dry.code, dry.stdout, existsSync(unit())]).toEqual([0, expect.stringContaining('ExecStart='), false]);

    const installed = await clawai(['service', 'install']);
    expect([installed.code, installed.stdout]).toEqual([0, `clawai serve runs at ${url}, and starts when you log in\n`]);
    expect((await (await fetch(`${url}/healthz`)).json()) as object).toMatchObject({ status: 'ok' });
    const shown = await clawai(['service', 'status', '--json']);
    expect([shown.code, JSON.parse(shown.stdout)]).toEqual([0, { file: unit(), changed: false, running: true, url }]);

    const again = JSON.parse((await clawai(['service', 'install', '--json'])).stdout) as object;
    expect(again).toEqual({ file: unit(), running: true, url });

    const removed = await clawai(['service', 'uninstall']);
    expect([removed.code, existsSync(unit())]).toEqual([0, false]);
    expect((await clawai(['service', 'status'])).code).toBe(1);
    expect((await clawai(['service', 'uninstall'])).stdout).toBe('clawai serve was not installed\n');
    const calls = readFileSync(join(unit(), '..', 'calls.log'), 'utf8').split('\n');
    expect(calls.filter((call) => call.startsWith('enable'))).toHaveLength(2);
  });

  it('an agent may not install it or take it back', async () => {
    await configured();
    for (const verb of ['install', 'uninstall']) {
      const ended = await clawai(['service', verb], { CLAUDECODE: '1' });
      expect([ended.code, ended.stderr]).toEqual([2, expect.stringContaining('an agent has started it')]);
    }
    expect(existsSync(unit())).toBe(false);
  });

  it('is not installed with a config that serve could not read', async () => {
    await configured();
    writeFileSync(join(sandbox.current.folder, 'config', 'clawai', 'config.toml'), 'listen = 1\n');
    const ended = await clawai(['service', 'install']);
    expect([ended.code, existsSync(unit())]).toEqual([2, false]);
  });

  it('says what the system says', async () => {
    await configured();
    const ended = await clawai(['service', 'install'], { FAKE_SYSTEMCTL_FAILS: '1' });
    expect([ended.code, ended.stderr]).toEqual([
      2,
      expect.stringContaining('`systemctl --user daemon-reload` failed: Failed to connect to bus'),
    ]);
  });

  it('does not take the place of one that somebody has started', async () => {
    const serving = await Serving.start(sandbox.current);
    try {
      const ended = await clawai(['service', 'install']);
      expect([ended.code, ended.stderr]).toEqual([2, expect.stringContaining('clawai serve runs already, as process')]);
    } finally {
      await serving.stop();
    }
  });
});
