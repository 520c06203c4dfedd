import { existsSync, readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { AtTerminal, HAS_TERMINAL } from '../support/at-terminal.ts';
import { attempt, readFile, useSandbox } from '../support/attempt.ts';
import { type Ended, Running } from '../support/running.ts';

const sandbox = useSandbox();

const POLICY = `[defaults]
action = "allow"

[[rule]]
id = "etc"
action = "deny"
tool = "read_*"
args.path = "/etc/**"
description = "System files"
`;

const POLICY_FILE = ['--policy', 'policy.toml'];

function clawai(...args: readonly string[]): Promise<Ended> {
  return sandbox.current.clawai(...args).close();
}

/** Short ids of the calls so far, oldest first. */
async function ids(): Promise<string[]> {
  const { stdout } = await clawai('mcp', 'calls');
  return [...stdout.matchAll(/\b[0-9a-f]{6}\.\d+\b/g)].map(([id]) => id);
}

describe('a recorded call', () => {
  it('is listed with an id and its arguments, and shown whole with what the model was told', async () => {
    await attempt(sandbox.current, POLICY, [
      readFile({ path: '/srv/x' }, 1),
      readFile({ path: '/etc/hosts', password: 'hunter2hunter2' }, 2),
    ]);
    const listed = (await clawai('mcp', 'calls')).stdout;
    expect(listed).toMatch(/[0-9a-f]{6}\.2 +\S+ +read_file +block +etc +path="\/etc\/hosts", password="\[redacted:password\]"/);
    const [, id = ''] = await ids();
    expect((await clawai('log')).stdout).toContain(`id ${id}`);
    const { code, stdout } = await clawai('log', 'show', id);
    expect([code, stdout]).toEqual([
      0,
      expect.stringContaining('clawai denied the tool call "read_file": System files (rule "etc", argument "path").'),
    ]);
    expect(stdout).toContain('"path": "/etc/hosts"');
    expect(stdout).not.toContain('hunter2');
    const json = JSON.parse((await clawai('log', 'show', id, '--json')).stdout) as { readonly event: object };
    expect(json.event).toMatchObject({ rule: 'etc', decision: 'deny', told: expect.stringContaining('System files') });
  });

  it('has each number as it was sent, also one that a double would round', async () => {
    const sent = '{"big":9007199254740993,"beyond":1e400,"small":1}';
    await attempt(sandbox.current, POLICY, [JSON.stringify(readFile({ path: 0 }, 1)).replace('{"path":0}', sent)]);
    const [id = ''] = await ids();
    const told = await Promise.all([clawai('log', 'show', id), clawai('log', 'show', id, '--json'), clawai('log', '--calls')]);
    expect(told.map(({ code }) => code)).toEqual([0, 0, 0]);
    for (const { stdout } of told) expect(stdout).toMatch(/big"?(?:: |=)9007199254740993,\s+"?beyond"?(?:: |=)1e400/);
  });

  it.runIf(process.platform === 'linux')('is not cut short in silence where stdout is a full disk', async () => {
    const words = sandbox.current.command('log', 'show', '--help').map((word) => `'${word}'`);
    const line = `${words.join(' ')} > /dev/full`;
    const { code, stderr } = await new Running(['/bin/sh', '-c', line], { env: sandbox.current.env, cwd: sandbox.current.folder })
      .ended;
    expect([code, stderr]).toEqual([2, expect.stringMatching(/^clawai: stdout can't be written: ENOSPC.*\n$/)]);
  });

  it('an id that is unknown or that of several calls is an error', async () => {
    await attempt(sandbox.current, POLICY, [readFile({ path: '/srv/x' }, 1), readFile({ path: '/etc/hosts' }, 2)]);
    const [id = ''] = await ids();
    const several = await clawai('log', 'show', id.split('.')[0] ?? '');
    expect([several.code, several.stderr]).toEqual([2, expect.stringMatching(/is the id of 2 calls\n.*write more of it: /)]);
    const none = await clawai('log', 'show', 'ffffff.99');
    expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('there is no call "ffffff.99" on record')]);
    expect((await clawai('log', 'show')).code).toBe(2);
  });
});

describe('policy explain', () => {
  it('explains the call that was denied last, by the policy of then, and says where it has changed', async () => {
    await attempt(sandbox.current, POLICY, [readFile({ path: '/etc/hosts' }, 1), readFile({ path: '/srv/x' }, 2)]);
    const told = await clawai('policy', 'explain', '--last-denied', ...POLICY_FILE);
    expect([told.code, told.stdout]).toEqual([
      0,
      expect.stringMatching(/the policy is the one that decided then\n\ndeny by rule etc \(policy\.toml:4\)/),
    ]);
    const [, id = ''] = await ids();
    expect((await clawai('policy', 'explain', '--event', id, ...POLICY_FILE)).stdout).toContain('allow by the default');
    sandbox.current.write('policy.toml', `# changed\n${POLICY}`);
    expect((await clawai('policy', 'explain', '--last-denied', ...POLICY_FILE)).stdout).toContain('it has changed since');
  });

  it('says where redaction leaves open what a rule says, and proposes no rule then', async () => {
    await attempt(sandbox.current, `${POLICY}[[rule]]\nid = "pin"\naction = "deny"\ntool = "*"\nargs.password = "hunter2*"\n`, [
      readFile({ password: 'hunter2hunter2' }, 1),
    ]);
    const { stdout } = await clawai('policy', 'explain', '--last-denied', ...POLICY_FILE);
    expect(stdout).toMatch(/so it can't be told what they say of those/);
    const { code, stderr } = await clawai('policy', 'explain', '--last-denied', '--allow', ...POLICY_FILE);
    expect([code, stderr]).toEqual([2, expect.stringContaining('its arguments are redacted or cut on record')]);
  });

  it('--allow shows the rule, and without a person writes nothing', async () => {
    await attempt(sandbox.current, POLICY, [readFile({ path: '/etc/hosts' }, 1)]);
    const { code, stdout, stderr } = await clawai('policy', 'explain', '--last-denied', '--allow', ...POLICY_FILE);
    expect([code, stderr]).toEqual([2, expect.stringContaining('is for a person')]);
    await attempt(sandbox.current, POLICY, [readFile({ path: '/etc/a\u202eb' }, 4)]);
    const unseen = await clawai('policy', 'explain', '--last-denied', '--allow', ...POLICY_FILE);
    expect(unseen.stdout).toContain(String.raw`+args = { equals = { path = "/etc/a\u202eb" } }`);
    expect(stdout).toContain('+args = { equals = { path = "/etc/hosts" } }');
    expect(sandbox.current.read('policy.toml').toString()).toBe(POLICY);
    const self = readFile({ path: sandbox.current.storeFile }, 2);
    await attempt(sandbox.current, POLICY, [self]);
    const guarded = await clawai('policy', 'explain', '--last-denied', '--allow', ...POLICY_FILE);
    expect([guarded.code, guarded.stderr]).toEqual([2, expect.stringContaining("it reaches for clawai's own files")]);
    await attempt(sandbox.current, POLICY, [readFile({ path: '/srv/\0x' }, 3)]);
    const nul = await clawai('policy', 'explain', '--last-denied', '--allow', ...POLICY_FILE);
    expect([nul.code, nul.stderr]).toEqual([2, expect.stringContaining('has a NUL byte, which nothing allows')]);
  });

  it.runIf(HAS_TERMINAL)('--allow writes the rule and a fixture that proves it, once a person says yes', async () => {
    await attempt(sandbox.current, POLICY, [readFile({ path: '/etc/hosts' }, 1)]);
    const person = new AtTerminal(sandbox.current, ['policy', 'explain', '--last-denied', '--allow', ...POLICY_FILE], {
      columns: 120,
    });
    await person.shows('Change the policy so?');
    await setTimeout(100);
    person.send('y\r');
    expect((await person.ended).code).toBe(0);
    const policy = readFileSync(sandbox.current.path('policy.toml'), 'utf8');
    expect(policy.indexOf('remembered-')).toBeLessThan(policy.indexOf('id = "etc"'));
    expect(existsSync(sandbox.current.path('fixtures'))).toBe(true);
    const test = await clawai('policy', 'test', ...POLICY_FILE, '--fixture-dir', 'fixtures');
    expect(test.code).toBe(0);
  });
});
