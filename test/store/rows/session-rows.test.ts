import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MOST_CALLS } from '../../../src/core/facts.ts';
import type { SessionEntry, SessionLog } from '../../../src/gate/ports/session-port.ts';
import { migrate } from '../../../src/store/migrate.ts';
import { KEPT, SessionRows, KEPT_OLD, type OldCall, spareCalls } from '../../../src/store/rows/session-rows.ts';
import { SqliteStore } from '../../../src/store/sqlite-store.ts';
import { pastCall } from '../../support/past-call.ts';
import { alter, query } from '../../support/stored.ts';

const NOON = 1_700_000_000_000;
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const IDLE = 30 * MINUTE;

let folder = '';
let file = '';
let store: SqliteStore;
const opened: SqliteStore[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'clawai-sessions-'));
  file = join(folder, 'clawai.db');
  store = open();
});
afterEach(() => {
  for (const one of opened.splice(0)) one.close();
  rmSync(folder, { recursive: true });
});

function open(): SqliteStore {
  const one = new SqliteStore({ file, writerVersion: '0', sync: 'normal' });
  opened.push(one);
  return one;
}

/** One transaction. */
function within<T>(work: (log: SessionLog) => T, through = store): T {
  if (!through.begin()) throw new Error('busy');
  const result = through.inSessions(work);
  through.commit();
  return result;
}

/** Ids of entries; of those that take one back, with a minus. */
function ids(entries: readonly SessionEntry[]): string[] {
  return entries.map((entry) => (entry.kind === 'call' ? entry.call.id : `-${entry.id}`));
}

/** Ids as text: what any JavaScript string may be. */
const ODD = [
  'a',
  '',
  'a\0b',
  'a\0c',
  '\uD800',
  '\uD801',
  '\uFFFD',
  '"a"',
  '"',
  '"a\\u0000b"',
  '__proto__',
  '名前',
  'a\u202Eb',
  "'; --",
];

describe('entries', () => {
  it('come oldest first, each with all that was noted of it', () => {
    const calls = [
      pastCall('a', { turn: 'turn', categories: ['read', 'send'] }),
      pastCall('b', { server: 'mail', method: 'prompts/get', subject: '', categories: ['unknown'], time: 7 }),
    ];
    for (const call of calls) within((log) => log.addCall('s', call));
    within((log) => log.retract('s', 'a', NOON));
    const entries = within((log) => log.entries('s', 0, 10));
    expect(entries.map((entry) => (entry.kind === 'call' ? entry.call : entry.id))).toEqual([...calls, 'a']);
    expect(within((log) => log.entries('other', 0, 10))).toEqual([]);
  });

  it('hazard 39: are not those that were denied, which push out nothing however many they are', () => {
    const denied = (): number => within((log) => log.addCall('s', pastCall('denied', { isForwarded: false })));
    expect(denied()).toBe(0);
    const last = within((log) => log.addCall('s', pastCall('a')));
    within((log) => {
      for (let i = 0; i < KEPT.calls + 100; i++) log.addCall('s', pastCall('denied', { isForwarded: false }));
    });
    expect(denied()).toBe(last);
    expect(ids(within((log) => log.entries('s', 0, MOST_CALLS)))).toEqual(['a']);
  });

  it('come after a place, and of many the newest', () => {
    const places = Array.from({ length: 10 }, (_, i) => within((log) => log.addCall('s', pastCall(String(i)))));
    expect(places).toEqual(places.map((_, i) => NOON + i));
    expect(ids(within((log) => log.entries('s', 0, 3)))).toEqual(['7', '8', '9']);
    expect(ids(within((log) => log.entries('s', places[4] ?? 0, 100)))).toEqual(['5', '6', '7', '8', '9']);
    expect(ids(within((log) => log.entries('s', places[4] ?? 0, 2)))).toEqual(['8', '9']);
    expect(within((log) => log.entries('s', places[9] ?? 0, 100))).toEqual([]);
  });

  it('of whoever knows the places of a store that is gone, or of rows that have gone, are not taken for old ones', () => {
    let last = 0;
    for (let i = 0; i < 50; i++) last = within((log) => log.addCall('s', pastCall('x')));
    alter(file, 'DELETE FROM session_calls');
    within((log) => log.addCall('s', pastCall('y', { time: NOON + DAY })));
    expect(ids(within((log) => log.entries('s', last, 10)))).toEqual(['y']);
    for (const end of ['', '-wal', '-shm']) rmSync(file + end, { force: true });
    within((log) => log.addCall('s', pastCall('z', { time: NOON + DAY })));
    expect(ids(within((log) => log.entries('s', last, 10)))).toEqual(['z']);
  });

  it.each(ODD)('of names that hold anything, each its own: %j', (name) => {
    const call = pastCall(name, { server: name, method: name, subject: name, turn: name });
    for (const session of ODD) within((log) => log.addCall(session, session === name ? call : pastCall('other')));
    expect(within((log) => log.entries(name, 0, 100))).toEqual([{ n: NOON, kind: 'call', call }]);
    within((log) => log.retract(name, name, NOON));
    expect(within((log) => log.entries(name, NOON, 1))).toEqual([{ n: NOON + 1, kind: 'retracted', id: name }]);
  });

  it('that are taken back with their transaction were never there, and their places are others’', () => {
    const other = open();
    within((log) => log.addCall('s', pastCall('a')));
    expect(store.begin()).toBe(true);
    const lost = store.inSessions((log) => log.addCall('s', pastCall('lost')));
    expect(ids(store.inSessions((log) => log.entries('s', 0, 10)))).toEqual(['a', 'lost']);
    store.rollback();
    expect(within((log) => log.addCall('s', pastCall('b')), other)).toBe(lost);
    expect(ids(within((log) => log.entries('s', 0, 10)))).toEqual(['a', 'b']);
    expect(() => store.inSessions((log) => log.entries('s', 0, 10))).toThrow('no transaction has begun');
  });

  it('no number of calls of one server pushes out the few of another, and they are read first', () => {
    within((log) => {
      log.addCall('s', pastCall('read', { server: 'db' }));
      log.addCall('s', pastCall('read too', { server: 'db' }));
      for (let i = 0; i < 3 * KEPT.calls; i++) log.addCall('s', pastCall(String(i), { server: 'mail' }));
      for (let i = 0; i < 3 * KEPT.calls; i++) log.retract('s', String(i), NOON);
    });
    const [row] = query(file, 'SELECT count(*) AS n FROM session_calls');
    expect(Number(row?.['n'])).toBeLessThan(KEPT.calls + 64 + 2);
    expect(ids(within((log) => log.entries('s', 0, 3 * MOST_CALLS))).slice(0, 2)).toEqual(['read', 'read too']);
  });

  it('are as many as anybody looks back at, however many there were, and other sessions keep theirs', () => {
    within((log) => log.addCall('r', pastCall('r')));
    within((log) => log.addCall('t', pastCall('t')));
    within((log) => {
      for (let i = 0; i < 3 * KEPT.calls; i++) log.addCall('s', pastCall(String(i)));
    });
    const [row] = query(file, "SELECT count(*) AS n FROM session_calls WHERE session = 's'");
    expect(Number(row?.['n'])).toBeGreaterThanOrEqual(KEPT.calls);
    expect(Number(row?.['n'])).toBeLessThan(KEPT.calls + 64);
    const newest = Array.from({ length: MOST_CALLS }, (_, i) => String(3 * KEPT.calls - MOST_CALLS + i));
    expect(ids(within((log) => log.entries('s', 0, MOST_CALLS)))).toEqual(newest);
    expect(ids(within((log) => [...log.entries('r', 0, 9), ...log.entries('t', 0, 9)]))).toEqual(['r', 't']);
  });

  it('that are far too many are removed a few at a time', () => {
    within((log) => log.addCall('s', pastCall('a', { time: 1 })));
    alter(
      file,
      `WITH RECURSIVE place (n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM place WHERE n < 9983)
       INSERT INTO session_calls SELECT 's', n, 0, '', '', '', '', '', NULL, 1 FROM place`,
    );
    const count = (): number => Number(query(file, 'SELECT count(*) AS n FROM session_calls')[0]?.['n']);
    within((log) => log.addCall('s', pastCall('b')));
    expect(count()).toBe(9984 - 64);
    for (let i = 0; i < 4000; i++) within((log) => log.addCall('s', pastCall('b')));
    expect(count()).toBeLessThan(KEPT.calls + 64);
  });
});

describe('the version', () => {
  const version = (): number => within((log) => log.version().others);

  it('is another one once somebody else has written anything, and not for what is written here or taken back', () => {
    const other = open();
    const before = version();
    within((log) => log.addCall('s', pastCall('a')));
    expect(version()).toBe(before);
    const { lost } = within((log) => log.version());
    other.begin();
    other.inSessions((log) => log.addCall('s', pastCall('lost')));
    other.rollback();
    expect(version()).toBe(before);
    // Whoever has read in that transaction must not go on with it.
    expect(within((log) => log.version()).lost).not.toBe(lost);
    within((log) => log.addCall('s', pastCall('b')), other);
    expect(version()).not.toBe(before);
  });

  it('is another one in the very transaction that comes after another process’s', () => {
    const other = open();
    within((log) => log.addCall('s', pastCall('a')), other);
    let before = version();
    for (let i = 0; i < 20; i++) {
      within((log) => log.addCall('s', pastCall('b')), other);
      const after = version();
      expect(after).not.toBe(before);
      before = after;
    }
  });

  it('never comes again where the store is opened anew', () => {
    const seen = new Set([version()]);
    for (let i = 1; i < 5; i++) {
      for (const end of ['', '-wal', '-shm']) rmSync(file + end, { force: true });
      seen.add(version());
      expect(seen.size).toBe(i + 1);
    }
  });
});

describe('a session', () => {
  const current = (now: number, name = 's', through = store): string =>
    within((log) => log.current(name, { now, idle: IDLE }), through);

  it('goes on while anything happens in it, and the next has a number', () => {
    const times = [0, 29, 58, 87, 118, 119, 149, 180].map((minutes) => current(NOON + minutes * MINUTE));
    expect(times).toEqual(['s', 's', 's', 's', 's.2', 's.2', 's.2', 's.3']);
    expect(current(NOON, 'other')).toBe('other');
  });

  it('is over after exactly that long', () => {
    current(NOON);
    expect(current(NOON + IDLE)).toBe('s');
    expect(current(NOON + 2 * IDLE + 1)).toBe('s.2');
  });

  it('is the same for all who ask, whoever finds that the one before is over', () => {
    const other = open();
    current(NOON);
    expect(current(NOON + DAY, 's', other)).toBe('s.2');
    expect(current(NOON + DAY)).toBe('s.2');
    expect(current(NOON + 2 * DAY)).toBe('s.3');
    expect(current(NOON + 2 * DAY + 5, 's', other)).toBe('s.3');
  });

  it('that is over is not where that was rolled back', () => {
    current(NOON);
    store.begin();
    expect(store.inSessions((log) => log.current('s', { now: NOON + DAY, idle: IDLE }))).toBe('s.2');
    store.rollback();
    expect(current(NOON + MINUTE)).toBe('s');
  });

  it('is noted at most once a minute', () => {
    const last = (): unknown => query(file, 'SELECT last FROM sessions')[0]?.['last'];
    current(NOON);
    current(NOON + MINUTE - 1);
    expect(last()).toBe(NOON);
    current(NOON + MINUTE);
    expect(last()).toBe(NOON + MINUTE);
  });

  it('is not over for a call that came since that was noted', () => {
    current(NOON);
    within((log) => log.addCall('s', pastCall('a', { time: NOON + MINUTE - 1 })));
    expect(current(NOON + MINUTE - 1 + IDLE)).toBe('s');
    within((log) => log.addCall('s', pastCall('b', { time: NOON + IDLE + 2 * MINUTE })));
    expect(current(NOON + 2 * IDLE + 2 * MINUTE + 1)).toBe('s.2');
  });

  it('is over whatever the time of its newest call says that is to come', () => {
    current(NOON);
    within((log) => log.addCall('s', pastCall('a', { time: NOON + DAY })));
    expect(current(NOON + IDLE + 1)).toBe('s.2');
  });

  it('that may be idle for a moment only is noted as often as that needs', () => {
    const sessions = Array.from({ length: 200 }, (_, i) => within((log) => log.current('s', { now: NOON + i * 7, idle: 500 })));
    expect(new Set(sessions)).toEqual(new Set(['s']));
    expect(within((log) => log.current('s', { now: NOON + 199 * 7 + 501, idle: 500 }))).toBe('s.2');
  });

  it('outlives a clock that is set back or forward, and is split once at most', () => {
    const times = [0, 1, -DAY, -DAY + 1, -DAY + MINUTE, DAY, DAY + 1, 0, 1, -365 * DAY, 1].map((offset) =>
      current(NOON + offset),
    );
    expect(times).toEqual(['s', 's', 's', 's', 's', 's.2', 's.2', 's.2', 's.2', 's.2', 's.3']);
    // It is over as soon as it would be, not only when the clock has come to where it was.
    current(NOON + DAY, 'ahead');
    current(NOON, 'ahead');
    expect(current(NOON + IDLE + 1, 'ahead')).toBe('ahead.2');
  });

  it.each(ODD)('has any name: %j', (name) => {
    for (const other of ODD) if (other !== name) current(NOON, other);
    expect(current(NOON + DAY, name)).toBe(name);
    expect(current(NOON + 2 * DAY, name)).toBe(`${name}.2`);
  });

  it.each<[string, string]>([
    ['n = 9223372036854775807', `s.${2 ** 52}`],
    ['n = -9223372036854775807', 's'],
    ['n = 0', 's'],
    ['last = 9223372036854775807', 's'],
    ['last = -9223372036854775807', 's.2'],
  ])('outlives an edit to %s', (edit, expected) => {
    current(NOON);
    alter(file, `UPDATE sessions SET ${edit}`);
    expect(current(NOON + 1)).toBe(expected);
    expect(current(NOON + 2)).toBe(expected);
  });
});

describe('servers', () => {
  it('are those of the session, once each', () => {
    const servers = within((log) => {
      for (const server of [...ODD, ...ODD]) log.addServer('s', server, NOON);
      log.addServer('t', 'other', NOON);
      return log.servers('s');
    });
    expect(servers.toSorted()).toEqual(ODD.toSorted());
    expect(within((log) => log.servers('nobody'))).toEqual([]);
  });

  it('are of it as long as it goes on, and of the next of its name, also where nothing more is heard of one', () => {
    within((log) => [log.current('s', { now: NOON, idle: IDLE }), log.addServer('s', 'files', NOON)]);
    within((log) => log.current('s', { now: NOON + 5 * MINUTE, idle: IDLE }));
    expect(query(file, 'SELECT time FROM session_servers')).toEqual([{ time: NOON + 5 * MINUTE }]);
    within((log) => log.current('s', { now: NOON + DAY, idle: IDLE }));
    const times = query(file, 'SELECT session, time FROM session_servers ORDER BY session');
    expect(times).toEqual([
      { session: 's', time: NOON + 5 * MINUTE },
      { session: 's.2', time: NOON + DAY },
    ]);
    expect(within((log) => log.servers('s.2'))).toEqual(['files']);
  });

  it('that come again are written no more than once a minute', () => {
    for (const after of [0, 1, MINUTE - 1]) within((log) => log.addServer('s', 'files', NOON + after));
    expect(query(file, 'SELECT time FROM session_servers')).toEqual([{ time: NOON }]);
    within((log) => log.addServer('s', 'files', NOON - DAY));
    expect(query(file, 'SELECT time FROM session_servers')).toEqual([{ time: NOON - DAY }]);
  });

  it('are not more than anybody has', () => {
    within((log) => {
      for (let i = 0; i < KEPT.servers + 10; i++) log.addServer('s', `server${i}`, NOON);
    });
    expect(within((log) => log.servers('s'))).toHaveLength(KEPT.servers);
  });
});

describe('values', () => {
  const remembered = (source: string, hashes: readonly number[] = [1, 2, 3]) => ({
    source,
    server: 'files',
    time: NOON,
    hashes: Uint8Array.from(hashes),
  });

  it('come oldest first, after a place, and of many the newest', () => {
    for (const source of ODD) within((log) => log.addValues('s', remembered(source)));
    const all = within((log) => log.values('s', 0, 100));
    expect(all).toEqual(ODD.map((source, i) => ({ ...remembered(source), n: NOON + i })));
    expect(within((log) => log.values('s', 0, 2))).toEqual(all.slice(-2));
    expect(within((log) => log.values('s', NOON + 3, 100))).toEqual(all.slice(4));
    expect(within((log) => log.values('t', 0, 100))).toEqual([]);
  });

  it('are as many as are looked back at', () => {
    within((log) => {
      for (let i = 0; i < 3 * KEPT.values; i++) log.addValues('s', remembered(String(i)));
    });
    expect(Number(query(file, 'SELECT count(*) AS n FROM session_values')[0]?.['n'])).toBeLessThan(KEPT.values + 64);
    expect(within((log) => log.values('s', 0, 1000)).at(-KEPT.values)?.source).toBe(String(2 * KEPT.values));
  });

  it('may be none, many and of any length', () => {
    const large = Array.from({ length: 100_001 }, (_, i) => i % 256);
    for (const hashes of [[], [1], large]) within((log) => log.addValues('s', remembered('a', hashes)));
    expect(within((log) => log.values('s', 0, 10)).map(({ hashes }) => hashes.length)).toEqual([0, 1, 100_001]);
  });
});

describe('what was edited', () => {
  it.each<[string, object]>([
    ['time = 9223372036854775807', { time: 8.64e15 }],
    ['time = -9223372036854775807', { time: 0 }],
    ["categories = ''", { categories: ['unknown'] }],
    ["categories = 'nonsense'", { categories: ['unknown'] }],
    ["categories = 'telepathy send  read'", { categories: ['send', 'read'] }],
    ['forwarded = 7', { isForwarded: true }],
    ['forwarded = -1', { isForwarded: true }],
    [`server = '"no JSON', id = '"', turn = '"{', subject = '""'`, { server: '"no JSON', id: '"', turn: '"{', subject: '' }],
  ])('is read as far as it can be: %s', (edit, expected) => {
    within((log) => log.addCall('s', pastCall('a')));
    alter(file, `UPDATE session_calls SET ${edit}`);
    const [entry] = within((log) => log.entries('s', 0, 10));
    expect(entry).toMatchObject({ kind: 'call', call: expected });
    within((log) => log.addCall('s', pastCall('b')));
    expect(within((log) => log.entries('s', 0, 10))).toHaveLength(2);
  });

  it.each([9223372036854775807n, 2n ** 53n, 2n ** 52n, 0n, -1n, -9223372036854775807n])(
    'hides and stops nothing else: a place of %s',
    (n) => {
      within((log) => [
        log.addCall('s', pastCall('a')),
        log.addValues('s', { source: 'a', server: 'x', time: NOON, hashes: new Uint8Array() }),
      ]);
      alter(file, `UPDATE session_calls SET n = ${n}; UPDATE session_values SET n = ${n}`);
      for (let i = 0; i < 40; i++) within((log) => log.addCall('s', pastCall('b')));
      within((log) => log.addValues('s', { source: 'b', server: 'x', time: NOON, hashes: new Uint8Array() }));
      // The last place that there can be is the only one that something can be lost for.
      if (n === 2n ** 52n) return;
      expect(ids(within((log) => log.entries('s', 0, 100)))).toEqual(Array.from({ length: 40 }, () => 'b'));
      expect(within((log) => log.values('s', 0, 100)).map(({ source }) => source)).toEqual(['b']);
    },
  );

  it.each(['session_servers', 'session_values'])('is read as far as it can be in %s', (table) => {
    within((log) => log.addServer('s', 'files', NOON));
    within((log) => log.addValues('s', { source: 'a', server: 'files', time: NOON, hashes: new Uint8Array() }));
    alter(file, `UPDATE ${table} SET time = 9223372036854775807, server = '"{'`);
    expect(within((log) => [log.servers('s')[0], log.values('s', 0, 9)[0]?.server])).toContain('"{');
    within((log) => log.addServer('s', '"{', NOON));
  });
});

it('searches by key alone: nothing that a call asks for walks through a table, or sorts', () => {
  const database = new DatabaseSync(':memory:');
  migrate(database);
  const prepare = database.prepare.bind(database);
  const statements: string[] = [];
  database.prepare = (sql: string): StatementSync => {
    statements.push(sql);
    return prepare(sql);
  };
  const log = new SessionRows(database);
  for (let i = 0; i < 40; i++) {
    log.addCall('s', pastCall('a'));
    log.addValues('s', { source: 'a', server: 'files', time: NOON, hashes: new Uint8Array() });
    log.current('s', { now: NOON + i * DAY, idle: IDLE });
    log.current('s', { now: NOON + i * DAY + MINUTE, idle: IDLE });
  }
  log.addServer('s', 'files', NOON);
  log.servers('s');
  log.entries('s', 0, 10);
  log.values('s', 0, 10);
  log.retract('s', 'a', NOON);
  const plans = statements.flatMap((sql) => prepare(`EXPLAIN QUERY PLAN ${sql}`).all());
  const details = plans.map(({ detail }) => String(detail)).filter((detail) => !detail.startsWith('SCALAR SUBQUERY'));
  expect(statements.some((sql) => sql.startsWith('DELETE FROM session_values'))).toBe(true);
  expect(details.length).toBeGreaterThan(12);
  for (const detail of details)
    expect(detail).toMatch(/^SEARCH \w+ USING (COVERING )?(PRIMARY KEY|INDEX sqlite_autoindex_\w+) \((name|session)=\?/);
  database.close();
});

describe('recorded', () => {
  it('gives the calls that went on as the events have them, and what was edited as far as it can be told', () => {
    const event = (time: number, body: object | string, others: object = {}) => ({
      type: 'mcp_tool_called',
      time,
      session: 's',
      server: 'db',
      tool: 'query',
      action: 'allow' as const,
      body: typeof body === 'string' ? body : JSON.stringify(body),
      ...others,
    });
    const body = { id: 'x.1', server_id: 'db', method: 'tools/call', tool_name: 'query', category: 'read send', turn_id: 't' };
    if (!store.begin()) throw new Error('busy');
    store.append(event(NOON - 1, { ...body, id: 'x.0' }));
    store.append(event(NOON + 1, body));
    store.append(event(NOON + 2, { ...body, id: 'x.2', category: 'nonsense', turn_id: 7 }));
    store.append(event(NOON + 3, body, { action: 'block' }));
    store.append(event(NOON + 4, body, { session: 'other' }));
    store.append(event(NOON + 5, body, { type: 'mcp_connection_ended' }));
    store.append(event(NOON + 6, 'not JSON'));
    store.append(event(NOON + 7, '[]'));
    const skill = { ...body, id: 'x.3', method: 'skills/get', tool_name: undefined, resource_uri: 'skill://a' };
    store.append(event(NOON + 2, skill, { type: 'mcp_request_decided' }));
    store.append(event(NOON + 2, { ...skill, method: 'resources/subscribe' }, { type: 'mcp_request_decided' }));
    store.commit();
    const calls = within((log) => log.recorded('s', NOON, 10));
    expect(calls.filter(({ subject }) => subject === 'skill://a')).toMatchObject([{ id: 'x.3', method: 'skills/get' }]);
    expect(calls.slice(0, 2)).toEqual([
      {
        id: 'x.1',
        time: NOON + 1,
        server: 'db',
        method: 'tools/call',
        subject: 'query',
        categories: ['read', 'send'],
        turn: 't',
        isForwarded: true,
      },
      expect.objectContaining({ id: 'x.2', categories: ['unknown'], turn: undefined }),
    ]);
    expect(within((log) => log.recorded('s', NOON, 1))).toHaveLength(1);
    expect(within((log) => log.recorded('s', NOON + 9, 9))).toEqual([]);
  });
});

function oldCalls(count: number, server: (i: number) => string): OldCall[] {
  return Array.from({ length: count }, (_, i) => ({ n: i, server: server(i) }));
}

describe('spareCalls', () => {
  it('all but the newest of each server, oldest first, and no more than asked for', () => {
    const old = oldCalls(100, (i) => (i < 3 ? 'db' : 'mail'));
    const all = spareCalls(old, 1000);
    expect(all).toEqual(Array.from({ length: 97 - KEPT_OLD.ofOne }, (_, i) => i + 3));
    expect(spareCalls(old, 10)).toEqual(all.slice(0, 10));
    expect(spareCalls([], 10)).toEqual([]);
  });

  it('retractions, all of them', () => {
    expect(
      spareCalls(
        oldCalls(4, (i) => (i % 2 === 0 ? '' : 'db')),
        10,
      ),
    ).toEqual([0, 2]);
  });

  it('of many servers fewer each, and always one', () => {
    const hundred = oldCalls(10_000, (i) => `s${i % 100}`);
    expect(hundred.length - spareCalls(hundred, 10_000).length).toBe(KEPT_OLD.ofAll);
    const thousand = oldCalls(3000, (i) => `s${i % 1000}`);
    expect(thousand.length - spareCalls(thousand, 10_000).length).toBe(1000);
  });
});
