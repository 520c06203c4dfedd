import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { useSandbox } from '../support/attempt.ts';
import { Declaring, tool } from '../support/declaring.ts';
import { Running } from '../support/running.ts';

const sandbox = useSandbox();

const OLD = `[defaults]
action = "allow"

[[rule]]
id = "no-drop"
action = "deny"
tool = "drop_*"

[[rule]]
id = "no-keys"
action = "deny"
tool = "**"
args."**" = "**/.ssh/**"
`;
const NEW = `${OLD}
[[rule]]
id = "no-etc"
action = "deny"
tool = "read_*"
args.path = "/etc/**"
`;

async function start(server: string, names: readonly string[], policy: string): Promise<Declaring> {
  const declaring = new Declaring(sandbox.current, { policy, server, env: { CLAWAI_SESSION: 'run-7' } });
  declaring.declare({ tools: [names.map((name) => tool(name, 'Does it.'))] });
  await declaring.start();
  await declaring.tools();
  return declaring;
}

function replay(...args: readonly string[]) {
  return sandbox.current.clawai('policy', 'replay', ...args).close();
}

interface Replayed {
  readonly calls: number;
  readonly same: number;
  readonly flips: number;
  readonly cannotTell: number;
  readonly kinds: readonly object[];
  readonly groups: readonly { readonly subject: string; readonly to: { readonly by: string } }[];
  readonly doubts: readonly { readonly why: string; readonly subject: string }[];
}

async function replayJson(...args: readonly string[]): Promise<Replayed & { readonly code: unknown }> {
  const { code, stdout, stderr } = await replay(...args, '--json');
  expect(stderr).toBe('');
  return { ...(JSON.parse(stdout) as Replayed), code };
}

describe('clawai policy replay', () => {
  it('leaves out what `clawai doctor --live` has called, and says nothing with -q where nothing flips', async () => {
    const { current } = sandbox;
    expect((await current.clawai('doctor', '--live').close()).stdout).toContain('clawai-doctor');
    const policy = current.write('new.toml', '[defaults]\naction = "deny"\n');
    // A desktop app has no variable that says where the state is.
    const env = { ...current.env, XDG_STATE_HOME: join(current.home, '.local', 'state') };
    const replayHere = (flag: string) =>
      new Running(current.command('policy', 'replay', '--policy', policy, flag), { env, cwd: current.folder }).close();
    expect(JSON.parse((await replayHere('--json')).stdout)).toMatchObject({ calls: 0, flips: 0 });
    expect(await replayHere('-q')).toMatchObject({ code: 0, stdout: '', stderr: '' });
  });

  it('tells of real calls which would flip, from the store and from what was exported', async () => {
    const files = await start('files', ['read_file', 'drop_table', 'write_file'], OLD);
    await files.call('read_file', { path: '/etc/hosts' });
    await files.call('read_file', { path: '/srv/a', password: 'hunter2hunter2' });
    await files.call('write_file', { path: '/etc/hosts' });
    await files.call('drop_table', { path: 'x' });
    await files.call('read_file', { path: '/home/user/.ssh/id_rsa' });
    await files.call('read_file', { path: '/etc/shadow' });
    await files.stop();
    const before = readFileSync(sandbox.current.storeFile);
    const next = sandbox.current.write('new.toml', NEW);
    const old = sandbox.current.write('old.toml', OLD);

    const { code, stdout, stderr } = await replay('--policy', next);
    expect([code, stderr]).toEqual([1, '']);
    const lines = stdout.split('\n');
    // What is redacted was looked at by a rule, whose answer is not known.
    expect(lines[0]).toBe("6 calls: 2 would flip (2 allow → deny), 1 can't be told");
    expect(lines[2]).toMatch(/^allow → deny {2}2 calls {2}files:read_file {2}/);
    expect(lines[3]).toBe(`  now   no-etc (${next}:15)`);
    expect(lines[4]).toBe('  then  default');
    expect(lines[5]).toMatch(/run-7 {2}\{"path":"\/etc\/hosts"\}$/);
    expect(stdout).toContain('1 call  files:read_file  its arguments are redacted or cut where a rule looks');

    const told = await replayJson('--policy', next, '--against', old);
    expect(told).toMatchObject({
      code: 1,
      calls: 6,
      same: 3,
      flips: 2,
      cannotTell: 1,
      kinds: [{ from: 'allow', to: 'deny', count: 2 }],
    });
    expect(await replayJson('--policy', old)).toMatchObject({ code: 0, calls: 6, same: 6, flips: 0, cannotTell: 0 });
    expect(await replayJson('--policy', next, '--tool', 'write_*')).toMatchObject({ code: 0, calls: 1, flips: 0 });
    expect(await replayJson('--policy', next, '--fail-on', 'looser')).toMatchObject({ code: 0, flips: 2 });
    expect(readFileSync(sandbox.current.storeFile).equals(before)).toBe(true);

    for (const command of [
      ['audit', 'export'],
      ['mcp', 'calls', '--all', '--json'],
    ]) {
      const exported = await sandbox.current.clawai(...command).close();
      const file = sandbox.current.write('events.jsonl', exported.stdout);
      expect(await replayJson('--policy', next, '--against', old, '--from', file)).toMatchObject({
        code: 1,
        calls: 6,
        same: 3,
        flips: 2,
      });
      const running = sandbox.current.clawai('policy', 'replay', '--policy', next, '--from', '-', '--json');
      running.send(exported.stdout);
      expect(JSON.parse((await running.close()).stdout)).toMatchObject({ calls: 6, flips: 2, cannotTell: 1 });
    }
  });

  it('replays flows, rates and what a person was asked about in the order of a session', async () => {
    const policy =
      '[defaults]\naction = "allow"\n[approval]\nchannels = []\n[[rule]]\nid = "ask"\naction = "prompt"\ntool = "write_*"\n';
    const database = await start('db', ['query_database'], policy);
    const mail = await start('mail', ['send_email', 'write_note'], policy);
    await database.call('query_database');
    await mail.call('send_email');
    await mail.call('write_note');
    await mail.call('send_email');
    await database.stop();
    await mail.stop();
    const flow = sandbox.current.write('flow.toml', `${policy}[flow]\naction = "deny"\n`);
    expect(await replayJson('--policy', flow)).toMatchObject({
      calls: 4,
      same: 2,
      flips: 2,
      groups: [
        {
          subject: 'send_email',
          count: 2,
          from: { action: 'allow', by: 'default' },
          to: { action: 'deny', by: 'flow:read_then_send' },
        },
      ],
    });
    const rates = sandbox.current.write(
      'rates.toml',
      `${policy}[rate_limits]\nenabled = true\ndefault_rpm = 1\ndefault_burst = 1\n`,
    );
    expect((await replayJson('--policy', rates)).groups).toMatchObject([
      { subject: 'write_note', count: 1, from: { action: 'prompt' }, to: { by: 'rate_limit' } },
      { subject: 'send_email', count: 1, to: { by: 'rate_limit' } },
    ]);
    // Nobody was there to say yes, and the policy's own word was to ask.
    const allow = sandbox.current.write('allow.toml', '[defaults]\naction = "allow"\n');
    expect(await replayJson('--policy', allow)).toMatchObject({ kinds: [{ from: 'prompt', to: 'allow', count: 1 }] });
  });

  it('knows from the registry what was trusted when', async () => {
    const alert = '[defaults]\naction = "allow"\n[pinning]\non_change = "alert"\n';
    const files = await start('files', ['read_file', 'list_files'], alert);
    await files.call('read_file');
    await files.call('list_files');
    await files.stop();
    files.declare({ tools: [[tool('read_file', 'Does another thing.'), tool('list_files', 'Does it.')]] });
    await files.start();
    await files.tools();
    await files.call('read_file');
    await files.call('list_files');
    await files.stop();
    const pinned = sandbox.current.write('pinned.toml', '[defaults]\naction = "allow"\n');
    const { flips, cannotTell, groups, doubts, same } = await replayJson('--policy', pinned);
    expect([same + flips + cannotTell, same]).toEqual([4, 2]);
    const told = [...groups.map(({ subject }) => subject), ...doubts.map(({ subject, why }) => `${subject} ${why}`)];
    expect(new Set(told.map((text) => text.split(' ')[0]))).toEqual(new Set(['read_file']));
  });
});
