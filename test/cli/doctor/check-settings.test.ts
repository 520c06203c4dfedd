import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { leavePolicyMark } from '../../../src/config/policy-mark.ts';
import { checkConfig, checkPolicy, checkProjectPolicy } from '../../../src/cli/doctor/check-settings.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'clawai-doctor-'));
});
afterEach(() => rmSync(home, { recursive: true }));

function machine(env: Readonly<Record<string, string>> = {}) {
  return { env, platform: 'linux', home } as const;
}
function write(name: string, text: string, mode = 0o600): string {
  const file = join(home, '.config', 'clawai', name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  chmodSync(file, mode);
  return file;
}

describe('the policy', () => {
  it('is the shipped one where there is none, and that is fine', async () => {
    expect(await checkPolicy(machine(), undefined)).toMatchObject([
      { level: 'ok', text: expect.stringContaining('the shipped default') },
    ]);
  });

  it('that was there and is gone is a failure: every call is denied', async () => {
    const state = join(home, 'state');
    expect(await checkPolicy(machine(), state)).toMatchObject([{ level: 'ok' }]);
    leavePolicyMark(state, join(home, '.config', 'clawai', 'policy.toml'));
    expect(await checkPolicy(machine(), state)).toMatchObject([
      { level: 'fail', text: expect.stringContaining('is gone: every call is denied'), todo: 'clawai init' },
    ]);
  });

  it('counts its rules', async () => {
    const file = write('policy.toml', '[[rule]]\naction = "deny"\ntool = "x"\n');
    expect(await checkPolicy(machine(), undefined)).toEqual([
      { about: 'policy', level: 'ok', text: `${file}: 1 rule, default deny` },
    ]);
  });

  it('each fault is a failure with its place', async () => {
    const file = write('policy.toml', '[[rule]]\naction = "block"\ntool = "x"\n\n[[rule]]\nacton = "deny"\ntool = "x"\n');
    const checks = await checkPolicy(machine(), undefined);
    expect(checks.length).toBeGreaterThan(1);
    expect(checks.map(({ level }) => level)).not.toContain('ok');
    expect(checks[0]?.text).toMatch(new RegExp(`^${file}:2:\\d+: `));
  });

  it.skipIf(process.platform === 'win32')('hazard 11: one that others may write is a warning', async () => {
    const file = write('policy.toml', '', 0o660);
    expect(await checkPolicy(machine(), undefined)).toMatchObject([
      { level: 'ok' },
      { level: 'warn', todo: `chmod go-w ${file}` },
    ]);
  });

  it('one that only this shell names is a warning; one that is not there a failure', async () => {
    const file = write('other.toml', '');
    expect(await checkPolicy(machine({ CLAWAI_POLICY: file }), undefined)).toMatchObject([
      { level: 'ok' },
      { level: 'warn', text: expect.stringContaining('$CLAWAI_POLICY') },
    ]);
    expect(await checkPolicy(machine({ CLAWAI_POLICY: '/none' }), undefined)).toMatchObject([{ level: 'fail' }]);
  });
});

describe('the config', () => {
  it('is not needed', async () => {
    const { checks, config } = await checkConfig(machine());
    expect(checks).toMatchObject([{ level: 'ok' }]);
    expect(config?.stateDir).toBe(join(home, '.local', 'state', 'clawai'));
  });

  it('that makes clawai let things pass is a warning', async () => {
    write('config.toml', 'mode = "observe"\non_error = "allow"\n');
    expect((await checkConfig(machine())).checks.map(({ level }) => level)).toEqual(['ok', 'warn', 'warn']);
  });

  it('with a fault is a failure, and then there is none to go on with', async () => {
    write('config.toml', 'mod = "observe"\n');
    expect(await checkConfig(machine())).toMatchObject({ checks: [{ level: 'fail' }], config: undefined });
  });
});

describe("the project's policy", () => {
  it('is looked at where there is one, and each fault is a failure with its place', async () => {
    const cwd = join(home, 'project', 'sub');
    mkdirSync(cwd, { recursive: true });
    expect(await checkProjectPolicy({ cwd, home })).toEqual([]);
    const file = join(home, 'project', '.clawai', 'policy.toml');
    mkdirSync(dirname(file));
    writeFileSync(file, '[[rule]]\naction = "deny"\ntool = "x"\n');
    const text = `${file}: 1 rule, which can only be stricter than your own`;
    expect(await checkProjectPolicy({ cwd, home })).toEqual([{ about: 'project', level: 'ok', text }]);
    writeFileSync(file, '[[rule]]\naction = "allow"\ntool = "x"\n');
    expect(await checkProjectPolicy({ cwd, home })).toMatchObject([
      { about: 'project', level: 'fail', text: `${file}:2:1: a project's policy cannot allow anything` },
    ]);
  });
});
