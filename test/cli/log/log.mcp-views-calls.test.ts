import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Body, recordedCall, RecordedStore } from '../../support/recorded-store.ts';
import { type CliResult, runCli } from '../../support/run-cli.ts';

let state: string;

beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), 'clawai-calls-'));
});
afterEach(() => rmSync(state, { recursive: true }));

function record(...bodies: readonly Body[]): void {
  const store = new RecordedStore(join(state, 'clawai', 'clawai.db'));
  store.edit('BEGIN');
  for (const body of bodies) store.add(body);
  store.edit('COMMIT');
  store.close();
}

function run(...args: readonly string[]): Promise<CliResult> {
  return runCli(args, { env: { XDG_STATE_HOME: state, TZ: 'UTC' } });
}

const REFUSED = {
  type: 'mcp_message_refused',
  tool_name: undefined,
  decision: undefined,
  rule: undefined,
  latency_us: undefined,
};

describe('clawai mcp calls', () => {
  it('lists calls, oldest first, aligned, and neither cut nor coloured where it is no terminal', async () => {
    const long = `a_tool_whose_name_is_${'very_'.repeat(20)}long`;
    record(
      recordedCall({ timestamp: '2020-03-01T12:00:00.000Z' }),
      recordedCall({
        timestamp: '2020-03-01T12:00:01.000Z',
        tool_name: 'rm',
        action: 'block',
        decision: 'deny',
        rule: 'no-rm',
        latency_us: 1500,
      }),
      recordedCall({ ...REFUSED, timestamp: '2020-03-01T12:00:02.000Z', action: 'block' }),
      recordedCall({
        timestamp: '2020-03-01T12:00:03.000Z',
        tool_name: long,
        decision: 'deny',
        rule: undefined,
        reason: 'default',
      }),
    );
    const { code, stdout, stderr } = await run('mcp', 'calls');
    const pad = (text: string): string => text.padEnd(long.length);
    expect([code, stderr, stdout]).toEqual([
      0,
      '',
      [
        `TIME                 ID     SERVER  ${pad('TOOL')}  ACTION        BY       ARGUMENTS`,
        `2020-03-01 12:00:00  an-id  files   ${pad('read_file')}  allow         reading`,
        `2020-03-01 12:00:01  an-id  files   ${pad('rm')}  block         no-rm`,
        `2020-03-01 12:00:03  an-id  files   ${pad(long)}  allow (deny)  default`,
        '',
      ].join('\n'),
    ]);
  });

  it('BY names the rule of [flow] that decided, and the guard of all others', async () => {
    const decided = (reason: string, more = {}) =>
      recordedCall({ action: 'block', decision: 'deny', rule: undefined, reason, ...more });
    record(
      decided('flow', { flow: 'read_then_send burst' }),
      decided('rate_limit'),
      recordedCall({ action: 'block', decision: 'prompt', rule: 'asks', reason: 'approval_refused' }),
    );
    const { stdout } = await run('mcp', 'calls');
    expect(stdout).toMatch(/ block +flow:read_then_send\n.* block +rate_limit\n.* asks approval_refused\n$/);
  });

  it('--json prints bodies as they are stored', async () => {
    const calls = [recordedCall(), recordedCall({ tool_name: 'ü"\n\u001b' })];
    record(...calls);
    const { stdout } = await run('mcp', 'calls', '--json');
    expect(stdout).toBe(calls.map((call) => `${JSON.stringify(call)}\n`).join(''));
  });

  it('takes filters', async () => {
    record(
      recordedCall({ tool_name: 'get_a' }),
      recordedCall({ tool_name: 'get_b', server_id: 'git' }),
      recordedCall({ tool_name: 'put', action: 'block', session_id: 's' }),
      recordedCall({ tool_name: 'now', timestamp: new Date().toISOString() }),
    );
    const tools = async (...flags: string[]): Promise<unknown[]> => {
      const { stdout } = await run('mcp', 'calls', '--json', ...flags);
      return stdout
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => (JSON.parse(line) as Body)['tool_name']);
    };
    expect(await tools('--tool', 'get_*')).toEqual(['get_a', 'get_b']);
    expect(await tools('--tool', 'get_*', '--server', 'git')).toEqual(['get_b']);
    expect(await tools('--action', 'block', '--session', 's')).toEqual(['put']);
    expect(await tools('--since', '1h')).toEqual(['now']);
    expect(await tools('--until', '2026-03-01T12:00:00.001Z', '--limit', '2')).toEqual(['get_b', 'put']);
  });

  it('prints the newest hundred and says so; --all prints all', async () => {
    record(...Array.from({ length: 250 }, (_, i) => recordedCall({ id: String(i) })));
    const some = await run('mcp', 'calls', '--json');
    expect(some.stderr).toBe('clawai: these are the newest 100; --limit N or --all shows more\n');
    expect(some.stdout.match(/"id":"\d+"/g)).toEqual(Array.from({ length: 100 }, (_, i) => `"id":"${150 + i}"`));
    const all = await run('mcp', 'calls', '--all');
    expect([all.stderr, all.stdout.trimEnd().split('\n').length]).toEqual(['', 251]);
  });

  it('hazard 52: says that nothing was recorded, or nothing matches, instead of an empty success', async () => {
    expect(await run('mcp', 'calls')).toEqual({
      code: 0,
      stdout: '',
      stderr: `clawai: nothing was recorded yet: there is no store at ${join(state, 'clawai', 'clawai.db')}\n`,
    });
    record();
    expect(await run('mcp', 'calls')).toEqual({ code: 0, stdout: '', stderr: 'clawai: nothing was recorded yet\n' });
    record(recordedCall());
    expect(await run('mcp', 'calls', '--tool', 'x')).toEqual({
      code: 0,
      stdout: '',
      stderr: 'clawai: nothing of what was recorded matches\n',
    });
  });

  it('a store whose body was erased, or edited to nonsense, is listed by what else is known', async () => {
    record(recordedCall(), recordedCall({ tool_name: 'other' }));
    const store = new RecordedStore(join(state, 'clawai', 'clawai.db'));
    store.edit(`UPDATE events SET body = NULL WHERE seq = 1; UPDATE events SET body = '{' || char(10) || 'x' WHERE seq = 2`);
    store.close();
    const { stdout } = await run('mcp', 'calls', '--json');
    const known = { type: 'mcp_tool_called', timestamp: '2026-03-01T12:00:00.000Z', session_id: 'session-a', server_id: 'files' };
    expect(
      stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown),
    ).toEqual([
      { ...known, tool_name: 'read_file', action: 'allow', severity: null, body_erased: true },
      { ...known, tool_name: 'other', action: 'allow', severity: null, body_unreadable: true },
    ]);
    expect((await run('mcp', 'events')).stdout).toMatch(/read_file.*its body was erased\n.*other.*its body is not readable\n/);
  });

  it('reads the store that --config names', async () => {
    record(recordedCall());
    const { writeFileSync } = await import('node:fs');
    const config = join(state, 'config.toml');
    writeFileSync(config, `state_dir = ${JSON.stringify(join(state, 'clawai'))}\n`);
    const { code, stdout } = await runCli(['mcp', 'calls', '--config', config, '--json']);
    expect([code, JSON.parse(stdout)]).toMatchObject([0, { tool_name: 'read_file' }]);
  });

  it.each([
    [['--limit', '0'], '--limit: "0" is no number'],
    [['--since', 'soon'], '--since: "soon" is no time'],
    [['--type', 'x'], 'unknown flag --type'],
  ])('%j is refused before anything is read', async (flags, message) => {
    expect(await run('mcp', 'calls', ...flags)).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(message) });
  });
});

describe('clawai mcp events', () => {
  it('lists everything, or types and severities of it', async () => {
    record(
      recordedCall(),
      recordedCall({ ...REFUSED, action: 'block', from: 'client', reason: 'two ids' }),
      recordedCall({ type: 'mcp_detection', action: undefined, severity: 'high', family: 'exfiltration', inspectors: [] }),
      recordedCall({ type: 'mcp_connection_ended', tool_name: undefined, action: undefined, messages_from_client: 7 }),
    );
    const { stdout } = await run('mcp', 'events');
    const lines = stdout.trimEnd().split('\n');
    expect(lines.map((line) => line.split(/ {2,}/).slice(1, 2)[0])).toEqual([
      'TYPE',
      'tool_called',
      'message_refused',
      'detection',
      'connection_ended',
    ]);
    expect(lines[2]).toContain('from the client');
    expect(lines[3]).toContain('high      rule, family=exfiltration, not inspected');
    expect(lines[4]).toContain('7 messages from the client');
    const high = await run('mcp', 'events', '--severity', 'medium', '--json');
    expect(high.stdout.trimEnd().split('\n')).toHaveLength(1);
    const two = await run('mcp', 'events', '--type', 'mcp_message_refused,mcp_connection_ended', '--json');
    expect(two.stdout.trimEnd().split('\n')).toHaveLength(2);
  });
});
