import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findSession } from '../../../src/cli/report/report-command.ts';
import type { SessionReport } from '../../../src/cli/report/report.ts';
import { summarise } from '../../../src/cli/report/summarise.ts';
import { ClawaiError } from '../../../src/errors.ts';
import { type Body, recordedCall, RecordedStore } from '../../support/recorded-store.ts';
import { type CliResult, runCli } from '../../support/run-cli.ts';

let state: string;

beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), 'clawai-report-'));
});
afterEach(() => rmSync(state, { recursive: true }));

function storeFile(): string {
  return join(state, 'clawai', 'clawai.db');
}

function record(...bodies: readonly Body[]): void {
  const store = new RecordedStore(storeFile());
  store.edit('BEGIN');
  for (const body of bodies) store.add(body);
  store.edit('COMMIT');
  store.close();
}

function run(...args: readonly string[]): Promise<CliResult> {
  return runCli(['report', ...args], { env: { XDG_STATE_HOME: state, TZ: 'UTC' } });
}

async function sessionsIn(...args: readonly string[]): Promise<[string | null, readonly string[]]> {
  const { stdout } = await run('--json', ...args);
  const { session_id, sessions } = JSON.parse(stdout) as SessionReport;
  return [session_id, sessions.map((line) => line.session_id)];
}

function call(session: string, minute: number): Body {
  return recordedCall({ session_id: session, timestamp: new Date(Date.UTC(2020, 2, 1, 12, minute)).toISOString() });
}

const EMPTY = summarise([], { session: undefined, since: undefined, until: undefined });

describe('clawai report', () => {
  it('is about the session that was active last, or the one that is named', async () => {
    record(call('s-1', 0), call('s-2', 1), call('s-1', 2));
    expect(await sessionsIn()).toEqual(['s-1', ['s-1']]);
    expect(await sessionsIn('latest')).toEqual(['s-1', ['s-1']]);
    expect(await sessionsIn('s-2')).toEqual(['s-2', ['s-2']]);
    const { code, stdout, stderr } = await run('s-2');
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(
      /^Session s-2: 2020-03-01 12:01:00 to 2020-03-01 12:01:00, 0 s\n1 call to 1 server: 1 allowed, 0 denied\.\n/,
    );
    expect(stdout).not.toMatch(/\u001b|undefined|NaN/);
  });

  it('a name without a number is the session of just that name, or else the newest run of it', async () => {
    record(call('s-1', 0), call('s-1.2', 1), call('t.2', 2), call('t.10', 3), call('x', 4));
    expect(await sessionsIn('s-1')).toEqual(['s-1', ['s-1']]);
    expect(await sessionsIn('s-1.2')).toEqual(['s-1.2', ['s-1.2']]);
    expect(await sessionsIn('t')).toEqual(['t.10', ['t.10']]);
  });

  it('with a time, is about all sessions of it, and with both about the session in it', async () => {
    record(call('a', 0), call('b', 10), call('c', 20), call('b', 30));
    const noon = '2020-03-01T12';
    expect(await sessionsIn('--since', `${noon}:05`)).toEqual([null, ['b', 'c']]);
    expect(await sessionsIn('--until', `${noon}:20:00`)).toEqual([null, ['b', 'a']]);
    expect(await sessionsIn('latest', '--until', `${noon}:25`)).toEqual(['c', ['c']]);
    const { stdout } = await run('b', '--json', '--since', `${noon}:20`);
    expect(JSON.parse(stdout)).toMatchObject({
      session_id: 'b',
      since: `${noon}:20:00.000Z`,
      until: null,
      started: `${noon}:30:00.000Z`,
      events: 1,
    });
  });

  it('a session that is not there is an error, with the name that was probably meant', async () => {
    record(call('s-abc', 0));
    expect(await run('s-abd')).toEqual({
      code: 2,
      stdout: '',
      stderr: 'clawai: no session "s-abd" was recorded\n  did you mean s-abc?\n',
    });
    expect(await run('elsewhere', '--json')).toMatchObject({ code: 2, stdout: '' });
    expect(await run('s-abc', 's-abd')).toMatchObject({ code: 2, stderr: expect.stringContaining('more than one session') });
  });

  it('hazard 52: says that there is nothing, instead of an empty success', async () => {
    const none = `clawai: nothing was recorded yet: there is no store at ${storeFile()}\n`;
    expect(await run()).toEqual({ code: 0, stdout: '', stderr: none });
    expect(await run('s-1')).toMatchObject({ code: 2, stderr: expect.stringContaining('no session "s-1" was recorded') });
    const json = await run('--json');
    expect([json.code, JSON.parse(json.stdout), json.stderr]).toEqual([0, EMPTY, none]);
    record();
    expect(await run()).toEqual({ code: 0, stdout: '', stderr: 'clawai: nothing was recorded yet\n' });
    expect(JSON.parse((await run('latest', '--json')).stdout)).toEqual(EMPTY);
    record(call('s-1', 0));
    const outside = { code: 0, stdout: '', stderr: 'clawai: nothing was recorded in that time\n' };
    expect(await run('--since', '1h')).toEqual(outside);
    expect(await run('latest', '--since', '1h')).toEqual(outside);
    expect(await run('s-1', '--since', '1h')).toEqual(outside);
  });

  it('reads a store whose bodies were erased, or edited to nonsense', async () => {
    record(call('s-1', 0), call('s-1', 1), call('s-1', 2));
    const store = new RecordedStore(storeFile());
    store.edit(`UPDATE events SET body = NULL WHERE seq = 1; UPDATE events SET body = '{' WHERE seq = 2`);
    store.edit('UPDATE events SET time = 9223372036854775807 WHERE seq = 3');
    store.close();
    const { code, stdout } = await run('--json');
    expect([code, JSON.parse(stdout)]).toMatchObject([
      0,
      { events: 3, events_erased: 1, events_unreadable: 1, calls: { total: 3 }, ended: null },
    ]);
    expect((await run()).stdout).toContain('  1 event of which only the outline is left, since what they say was erased\n');
  });

  it('--json names in its help every field that it prints', async () => {
    const { stdout } = await run('--help');
    const help = stdout.replaceAll(/\s+/g, ' ');
    const fields = Object.keys(EMPTY).filter((field) => !field.endsWith('_left_off'));
    expect(fields.filter((field) => !new RegExp(`[ ,(]${field}[ ,.)]`).test(help))).toEqual([]);
  });
});

const SESSIONS = new Map([
  ['s-abcdef.2', 20],
  ['s-abcdef.10', 30],
  ['s-abcdef.x', 90],
  ['nightly', 50],
  ['s-abcd', 40],
]);

function fault(name: string, sessions: ReadonlyMap<string, number> = SESSIONS): ClawaiError {
  try {
    findSession(name, sessions);
  } catch (thrown) {
    if (thrown instanceof ClawaiError) return thrown;
    throw thrown;
  }
  throw new Error('it was found');
}

describe('a name that is no session', () => {
  it('stands for the newest run that goes by it, whatever its number', () => {
    expect(findSession('s-abcdef', SESSIONS)).toBe('s-abcdef.10');
    expect(findSession('s', new Map([['s.2', 9], ...SESSIONS, ['s.3', 5]]))).toBe('s.2');
  });

  it.each([
    ['s-abcdeg.2', 'did you mean s-abcdef.2?'],
    ['nightly.2', 'did you mean nightly?'],
    ['s-abcde', 'did you mean s-abcdef.x?'],
    ['s-abcdef.1', 'did you mean s-abcdef.10?'],
    ['elsewhere', 'the latest one is s-abcdef.x; `clawai report --since 7d` lists them'],
  ])('%s is unknown: %s', (name, hint) => {
    expect(fault(name)).toMatchObject({ code: 'usage', message: `no session "${name}" was recorded`, hint });
  });

  it('says that there are none, and shows nothing that steers a terminal', () => {
    expect(fault('s', new Map()).hint).toBe('nothing was recorded yet');
    expect(fault('\u001b[31m', new Map()).message).toBe(String.raw`no session "\\u{1B}[31m" was recorded`);
    expect(fault('a', new Map([['a\u202Eb', 1]])).hint).toBe(String.raw`did you mean a\u{202E}b?`);
  });

  it('prints a page where one is asked for, also if there was nothing, and not with --json', async () => {
    const { code, stdout } = await run('--html');
    expect([code, stdout.includes('No flow was found')]).toEqual([0, true]);
    record(call('s-1', 0));
    expect((await run('--html')).stdout).toContain('<h1>Session s-1</h1>');
    expect((await run('--html', '--json')).code).toBe(2);
  });
});
