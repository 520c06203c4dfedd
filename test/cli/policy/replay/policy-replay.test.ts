import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Body, recordedCall, RecordedStore } from '../../../support/recorded-store.ts';
import { type CliResult, runCli } from '../../../support/run-cli.ts';

let state: string;

beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), 'clawai-replay-'));
});
afterEach(() => rmSync(state, { recursive: true }));

function record(...bodies: readonly Body[]): void {
  const store = new RecordedStore(join(state, 'clawai', 'clawai.db'));
  for (const body of bodies) store.add(body);
  store.close();
}

function edit(sql: string): void {
  const store = new RecordedStore(join(state, 'clawai', 'clawai.db'));
  store.edit(sql);
  store.close();
}

function write(name: string, text: string): string {
  const file = join(state, name);
  writeFileSync(file, text);
  return file;
}

function run(...args: readonly string[]): Promise<CliResult> {
  return runCli(['policy', 'replay', ...args], {
    env: { XDG_STATE_HOME: state, XDG_CONFIG_HOME: join(state, 'config'), TZ: 'UTC' },
  });
}

async function json(...args: readonly string[]): Promise<Record<string, unknown>> {
  const { stdout, stderr, code } = await run(...args, '--json');
  expect(stderr).toBe('');
  return { ...(JSON.parse(stdout) as Record<string, unknown>), code };
}

const OPEN = '[defaults]\naction = "allow"\n';
const CLOSED = '[defaults]\naction = "deny"\n';

function rule(lines: string, action = 'deny', id = 'it'): string {
  return `[[rule]]\nid = "${id}"\naction = "${action}"\n${lines}\n`;
}

describe('a report', () => {
  it('shows the beginning of names that are long', async () => {
    record(recordedCall({ tool_name: 't'.repeat(100_000), session_id: 's'.repeat(100_000), rule: 'r'.repeat(100_000) }));
    const { stdout } = await run('--policy', write('new.toml', CLOSED));
    expect(stdout).toContain(`files:${'t'.repeat(200)}…`);
    expect(stdout.length).toBeLessThan(2000);
  });

  it("says that no more is known of a project's policy than what it has decided", async () => {
    const file = write('new.toml', OPEN);
    const said = /a project's policy counts only for what it has decided/;
    const from = (body: Body): string => write('events.jsonl', JSON.stringify(body));
    expect((await run('--policy', file, '--from', from(recordedCall()))).stdout).not.toMatch(said);
    const denied = recordedCall({ rule: 'project: x', decision: 'deny', action: 'block' });
    expect((await run('--policy', file, '--from', from(denied))).stdout).toMatch(said);
  });

  it('sums up, groups by what decides now and decided then, and shows examples, without colour', async () => {
    record(
      recordedCall({ timestamp: '2020-03-01T12:00:00.000Z', input: { path: '/a' } }),
      recordedCall({ timestamp: '2020-03-01T12:00:01.000Z', input: { path: '/b\u001b[2J' }, server_id: 'fi\u001bles' }),
      recordedCall({ timestamp: '2020-03-01T12:00:02.000Z', input: { path: '/a' } }),
      recordedCall({ timestamp: '2020-03-01T12:00:03.000Z', tool_name: 'rm', action: 'block', decision: 'deny', rule: 'no-rm' }),
    );
    const file = write('new.toml', OPEN + rule('tool = "read_*"', 'prompt', 'ask'));
    const { code, stdout, stderr } = await run('--policy', file);
    expect([code, stderr]).toEqual([1, '']);
    expect(stdout.split('\n').slice(0, -3)).toEqual([
      '4 calls: 4 would flip (3 allow → prompt, 1 deny → allow)',
      '',
      'allow → prompt  2 calls  files:read_file  2020-03-01 12:00:00 to 2020-03-01 12:00:02',
      `  now   ask (${file}:3)`,
      '  then  reading',
      '  2020-03-01 12:00:00  session-a  {"path":"/a"}',
      '',
      'allow → prompt  1 call  fi\uFFFDles:read_file  2020-03-01 12:00:01',
      `  now   ask (${file}:3)`,
      '  then  reading',
      '  2020-03-01 12:00:01  session-a  {"path":"/b\\u001b[2J"}',
      '',
      'deny → allow  1 call  files:rm  2020-03-01 12:00:03',
      '  now   default',
      '  then  no-rm',
      '  2020-03-01 12:00:03  session-a  no arguments',
      '',
    ]);
  });

  it('as JSON has everything, and the exit code follows --fail-on', async () => {
    record(recordedCall(), recordedCall({ tool_name: 'rm', action: 'block', decision: 'deny', rule: 'no-rm' }));
    const file = write('new.toml', CLOSED + rule('tool = "rm"', 'allow'));
    const { policy, groups, ...rest } = await json('--policy', file);
    expect(policy).toEqual({ file, hash: expect.stringMatching(/^[0-9a-f]{64}$/) as unknown });
    expect(groups).toEqual([
      expect.objectContaining({
        from: { action: 'allow', by: 'reading' },
        to: { action: 'deny', by: 'default' },
        server: 'files',
        subject: 'read_file',
        count: 1,
        first: '2026-03-01T12:00:00.000Z',
        last: '2026-03-01T12:00:00.000Z',
        place: null,
      }),
      expect.objectContaining({ to: { action: 'allow', by: 'it' }, place: `${file}:3` }),
    ]);
    expect(rest).toMatchObject({
      code: 1,
      against: null,
      calls: 2,
      same: 0,
      flips: 2,
      cannotTell: 0,
      doubts: [],
      notReplayed: { erased: 0, unreadable: 0 },
    });
    const codes = ['any', 'stricter', 'looser', 'none'].map(
      async (kind) => (await run('--policy', file, '--fail-on', kind)).code,
    );
    expect(await Promise.all(codes)).toEqual([1, 1, 1, 0]);
    expect((await run('--policy', file, '--tool', 'rm', '--fail-on', 'stricter')).code).toBe(0);
    expect((await run('--policy', file, '--tool', 'rm', '--fail-on', 'looser')).code).toBe(1);
  });
});

describe('which calls', () => {
  it.each<[readonly string[], number]>([
    [[], 4],
    [['--server', 'ma*'], 1],
    [['--tool', 'read_file'], 3],
    [['--session', 'session-b'], 1],
    [['--since', '2026-03-02'], 2],
    [['--until', '2026-03-02'], 2],
    [['--limit', '3'], 3],
    [['--limit', '1', '--tool', 'rm'], 1],
    [['--since', '2030-01-01'], 0],
  ])('%j: %d, from a store and from a file', async (flags, calls) => {
    const bodies = [
      recordedCall(),
      recordedCall({ server_id: 'mail' }),
      recordedCall({ timestamp: '2026-03-02T12:00:00.000Z', tool_name: 'rm' }),
      recordedCall({ timestamp: '2026-03-03T12:00:00.000Z', session_id: 'session-b' }),
    ];
    record(...bodies);
    // Rates have all calls replayed, whichever are asked for.
    const policies = [CLOSED, `${CLOSED}[rate_limits]\nenabled = true\n`].map((text, at) => write(`${at}.toml`, text));
    const lines = write('events.jsonl', `\uFEFF${bodies.map((body) => JSON.stringify(body)).join('\r\n\n')}`);
    const runs = policies.map((policy) => json('--policy', policy, ...flags));
    for (const replayed of await Promise.all([...runs, json('--policy', policies[0] ?? '', '--from', lines, ...flags)])) {
      expect(replayed).toMatchObject({ calls, flips: calls });
    }
  });

  it('one that was seen twice is one call', async () => {
    const model = { type: 'mcp_tool_call_intercepted', id: 'first' };
    record(
      recordedCall(model),
      recordedCall({ id: 'second', sighting_of: 'first' }),
      recordedCall({ id: 'third', sighting_of: 'erased' }),
    );
    expect(await json('--policy', write('p.toml', CLOSED))).toMatchObject({ calls: 2, flips: 2 });
  });
});

describe('bad input', () => {
  const lines = (...texts: readonly string[]): string => write('events.jsonl', texts.join('\n'));

  it('rows that are damaged or erased are counted, and the rest is replayed', async () => {
    record(recordedCall(), recordedCall(), recordedCall(), recordedCall());
    edit(`UPDATE events SET body = '{"type":"mcp_tool_called",' WHERE seq = 1; UPDATE events SET body = NULL WHERE seq = 2;
      UPDATE events SET body = '[]' WHERE seq = 3`);
    const { code, stdout } = await run('--policy', write('p.toml', OPEN));
    expect(code).toBe(0);
    expect(stdout).toContain('1 call: none would flip\n');
    expect(stdout).toContain('1 event not replayed: erased by retention\n');
    expect(stdout).toContain('2 events not replayed: unreadable\n  seq 1: it is no JSON object\n  seq 3: it is no JSON object\n');
  });

  it('lines that are no events are counted, by their places', async () => {
    const call = JSON.stringify(recordedCall());
    const deep = `{"type":"mcp_tool_called","input":${'['.repeat(200_000)}`;
    const file = lines(
      '{"a":1}',
      call,
      'nonsense',
      deep,
      '{"writer":"a","n":1,"event":null}',
      `{"writer":"a","n":2,"event":${call}}`,
      '{"writer":"a","checkpoint":{}}',
    );
    const { code, stdout } = await run('--policy', write('p.toml', OPEN), '--from', file);
    expect(code).toBe(0);
    expect(stdout).toContain('2 calls: none would flip\n');
    expect(stdout).toContain(`  ${file}:1: it is no event of clawai\n  ${file}:3: it is no JSON object\n`);
    expect((await run('--policy', write('p.toml', OPEN), '--from', lines('nonsense'))).code).toBe(2);
  });

  it.each<[string, () => readonly string[], RegExp]>([
    ['no policy', () => [], /--policy is missing/],
    ['no such policy', () => ['--policy', join(state, 'none.toml')], /none\.toml/],
    [
      'policies that do not parse, both of them',
      () => ['--policy', write('a.toml', 'x = 1'), '--against', write('b.toml', '[[rule')],
      /a\.toml:1:1: [^]*b\.toml:1:/,
    ],
    ['no time', () => ['--policy', write('p.toml', OPEN), '--since', 'soon'], /--since: "soon" is no time/],
    ['no span', () => ['--policy', write('p.toml', OPEN), '--since', '1h', '--until', '2h'], /--since is not before --until/],
    ['no number', () => ['--policy', write('p.toml', OPEN), '--limit', '0'], /--limit: "0" is no number/],
    [
      'two sources',
      () => ['--policy', write('p.toml', OPEN), '--from', '-', '--config', 'c.toml'],
      /--from and --config contradict each other/,
    ],
    ['a relative home', () => ['--policy', write('p.toml', OPEN), '--home', 'me'], /--home: "me" is no absolute path/],
    [
      'no such file',
      () => ['--policy', write('p.toml', OPEN), '--from', join(state, 'none')],
      /none: the events can't be read: it does not exist/,
    ],
    ['a folder', () => ['--policy', write('p.toml', OPEN), '--from', state], /it is a directory/],
    [
      'no store',
      () => ['--policy', write('p.toml', OPEN)],
      /nothing was recorded yet, so nothing can be replayed: there is no store at .*clawai\.db/,
    ],
  ])('%s', async (_, args, message) => {
    const { code, stdout, stderr } = await run(...args());
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(message);
  });

  it('a store of a newer version is left alone', async () => {
    record(recordedCall());
    edit('PRAGMA user_version = 999');
    const { code, stderr } = await run('--policy', write('p.toml', OPEN));
    expect(code).toBe(2);
    expect(stderr).toContain('was written by a newer clawai');
  });

  it('one that an older version has made is replayed, without being brought up to date', async () => {
    record(recordedCall());
    edit('DROP TABLE registry_looks; DROP TABLE registry; DROP TABLE registry_servers; PRAGMA user_version = 3');
    expect(await json('--policy', write('p.toml', CLOSED))).toMatchObject({ calls: 1, flips: 1 });
    const store = new RecordedStore(join(state, 'clawai', 'clawai.db'));
    expect(store.database.prepare('PRAGMA user_version').get()?.['user_version']).toBe(3);
    store.close();
  });
});

describe('paths', () => {
  it('are read for the home and the folder that are named', async () => {
    record(
      recordedCall({ input: { path: '~/projects/a' } }),
      recordedCall({ input: { path: '/home/me/projects/a' } }),
      recordedCall({ input: { path: 'a' } }),
    );
    const file = write('p.toml', CLOSED + rule('tool = "*"\nargs.path = "~/projects/**"', 'allow'));
    expect(await json('--policy', file, '--home', '/home/me', '--cwd', '/home/me/projects')).toMatchObject({ same: 3, flips: 0 });
    expect(await json('--policy', file, '--home', '/home/other')).toMatchObject({ same: 1, flips: 2 });
  });
});
