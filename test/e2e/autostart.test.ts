import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
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
    expect(existsSync(unit())).toBe(false);
  });

  it('that cannot be renewed stays as it was, and goes even if the system cannot be asked', async () => {
    await configured();
    await clawai(['service', 'install']);
    const before = readFileSync(unit(), 'utf8');
    const fails = { FAKE_SYSTEMCTL_FAILS: '1', HTTPS_PROXY: 'http://proxy.example:3128' };
    expect((await clawai(['service', 'install'], fails)).code).toBe(2);
    expect(readFileSync(unit(), 'utf8')).toBe(before);
    await clawai(['service', 'uninstall']);
    writeFileSync(unit(), before);
    const ended = await clawai(['service', 'uninstall'], fails);
    expect([ended.code, ended.stderr, existsSync(unit())]).toEqual([2, expect.stringContaining('failed: Failed'), false]);
  });

  it("leaves a unit alone that is somebody else's", async () => {
    await configured();
    const theirs = '[Service]\nExecStart=/usr/bin/clawai serve\n';
    mkdirSync(dirname(unit()), { recursive: true });
    writeFileSync(unit(), theirs);
    for (const verb of ['install', 'uninstall']) {
      const ended = await clawai(['service', verb]);
      expect([ended.code, ended.stderr]).toEqual([2, expect.stringContaining("this file is not clawai's")]);
    }
    const shown = await clawai(['service', 'status', '--json']);
    expect(JSON.parse(shown.stdout)).toMatchObject({ file: null, running: false });
    expect(readFileSync(unit(), 'utf8')).toBe(theirs);
    rmSync(unit());
  });

  it('decides by the policy that the shell names, and reaches servers through its proxy', async () => {
    await configured();
    const policy = sandbox.current.write('mine.toml', '[defaults]\naction = "allow"\n');
    const proxy = 'http://me:pass%20word@proxy.example:3128';
    const more = { CLAWAI_POLICY: policy, https_proxy: proxy, NODE_EXTRA_CA_CERTS: 'relative.pem' };
    expect((await clawai(['service', 'install'], more)).code).toBe(0);
    const text = readFileSync(unit(), 'utf8');
    expect(text).toContain(`"--policy" "${policy}"`);
    expect(text).toContain('Environment="https_proxy=http://me:pass%%20word@proxy.example:3128"');
    expect(text).not.toContain('relative.pem');
    expect(statSync(unit()).mode & 0o777).toBe(0o600);
  });

  it('goes although its config cannot be read any more', async () => {
    await configured();
    await clawai(['service', 'install']);
    writeFileSync(join(sandbox.current.folder, 'config', 'clawai', 'config.toml'), 'listen = 1\n');
    expect((await clawai(['service', 'uninstall'])).code).toBe(0);
    expect(existsSync(unit())).toBe(false);
  });

  it('takes folders of any name, also by a link', async () => {
    await configured();
    const odd = sandbox.current.path(`a "b" %h \\ $HOME ${String.raw`\n`} 'é`);
    mkdirSync(odd);
    renameSync(sandbox.current.path('config'), join(odd, 'config'));
    symlinkSync(join(odd, 'config'), sandbox.current.path('config'));
    for (const folder of [join(odd, 'config'), sandbox.current.path('config')]) {
      const more = { XDG_CONFIG_HOME: folder };
      mkdirSync(join(folder, 'systemd', 'user'), { recursive: true });
      const installed = JSON.parse((await clawai(['service', 'install', '--json'], more)).stdout) as object;
      expect(installed).toMatchObject({ file: join(folder, 'systemd', 'user', 'clawai.service'), running: true });
      expect(JSON.parse((await clawai(['service', 'status', '--json'], more)).stdout)).toMatchObject({ changed: false });
      expect((await clawai(['service', 'uninstall'], more)).code).toBe(0);
    }
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
