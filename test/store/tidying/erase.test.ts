import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SessionLog } from '../../../src/gate/ports/session-port.ts';
import { migrate } from '../../../src/store/migrate.ts';
import { SessionRows } from '../../../src/store/rows/session-rows.ts';
import { SqliteStore } from '../../../src/store/sqlite-store.ts';
import { eraseSessions } from '../../../src/store/tidying/erase.ts';
import { tidy, KEEP_ALL } from '../../../src/store/tidying/tidy.ts';
import { pastCall } from '../../support/past-call.ts';
import { chainFaults, query, storedEvent, alter } from '../../support/stored.ts';

describe('erase', () => {
  const KEEP = { retain: Number.POSITIVE_INFINITY, maxSize: Number.POSITIVE_INFINITY };

  let folder = '';
  let file = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'clawai-bodies-'));
    file = join(folder, 'clawai.db');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  /** An event at each of these times, in turn of a request, a call, and an answer. */
  function fill(times: readonly number[], size = 10): void {
    const store = new SqliteStore({ file, writerVersion: '0', sync: 'normal' });
    store.begin();
    for (const [i, time] of times.entries()) {
      const type = ['llm_request_body', 'mcp_tool_called', 'llm_answer_body'][i % 3] ?? '';
      store.append(
        storedEvent(`${i}`, {
          type,
          time,
          isBody: i % 3 !== 1,
          body: JSON.stringify({ id: `${i}`, text: 'x'.repeat(i % 3 === 1 ? 1 : size) }),
        }),
      );
    }
    store.commit();
    store.close();
  }

  function left(): unknown[] {
    return query(file, 'SELECT time FROM events WHERE body IS NOT NULL ORDER BY seq').map(({ time }) => time);
  }

  describe('bodies', () => {
    it('go when they are as old as they may be; their events and all others stay, and so do the chains', () => {
      fill([1, 2, 3, 101, 102, 103]);
      tidy(file, { ...KEEP, bodies: 50 }, { now: 110 });
      expect(left()).toEqual([2, 101, 102, 103]);
      expect(query(file, 'SELECT count(*) AS n FROM events')).toEqual([{ n: 6 }]);
      expect(chainFaults(file)).toEqual([]);
    });

    it('stay as long as their events where nothing is said', () => {
      fill([1, 2, 3]);
      tidy(file, KEEP, { now: 9e12 });
      expect(left()).toEqual([1, 2, 3]);
    });

    it('go before any event does where the store is too large', () => {
      fill(
        Array.from({ length: 90 }, (_, i) => i + 1),
        100_000,
      );
      const before = query(file, 'SELECT count(*) AS n FROM events');
      tidy(file, { ...KEEP, maxSize: 2_000_000 }, { now: 1000 });
      expect(query(file, 'SELECT count(*) AS n FROM events')).toEqual(before);
      const kept = left();
      expect(kept).toContain(2);
      expect(kept).not.toContain(1);
      expect(kept).toContain(90);
    });

    it('are forgotten along with their events', () => {
      fill([1, 2, 3, 101, 102, 103]);
      tidy(file, { ...KEEP, retain: 50 }, { now: 110 });
      expect(left()).toEqual([101, 102, 103]);
      expect(query(file, 'SELECT time FROM bodies ORDER BY seq')).toEqual([{ time: 101 }, { time: 103 }]);
      tidy(file, { ...KEEP, bodies: 0 }, { now: 110 });
      expect(query(file, 'SELECT count(*) AS n FROM bodies')).toEqual([{ n: 0 }]);
      expect(left()).toEqual([102]);
    });
  });
});

describe('erase sessions', () => {
  const NOON = 1_700_000_000_000;
  const HOUR = 60 * 60 * 1000;
  const DAY = 24 * HOUR;
  const TABLES = ['session_calls', 'session_values', 'session_servers', 'sessions'] as const;

  let folder = '';
  let file = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'clawai-sessions-'));
    file = join(folder, 'clawai.db');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  /** Something in each of the tables. */
  function fill(log: SessionLog, session: string, { time, rows = 3 }: { readonly time: number; readonly rows?: number }): void {
    log.current(session, { now: time, idle: HOUR });
    log.addServer(session, 'files', time);
    for (let i = 0; i < rows; i++) {
      log.addCall(session, pastCall('a', { time }));
      log.addValues(session, { source: 'a', server: 'files', time, hashes: new Uint8Array(100) });
    }
  }

  function filled(sessions: Readonly<Record<string, number>>, rows = 3): void {
    const store = new SqliteStore({ file, writerVersion: '0', sync: 'normal' });
    if (!store.begin()) throw new Error('busy');
    store.inSessions((log) => {
      for (const [session, time] of Object.entries(sessions)) fill(log, session, { time, rows });
    });
    store.commit();
    store.close();
  }

  /** The sessions of which there is something, in each of the tables. */
  function left(): Record<string, string[]> {
    const names = TABLES.map((table): [string, string[]] => {
      const column = table === 'sessions' ? 'name' : 'session';
      return [table, query(file, `SELECT DISTINCT ${column} AS name FROM ${table} ORDER BY 1`).map(({ name }) => String(name))];
    });
    return Object.fromEntries(names);
  }

  const inAll = (...sessions: readonly string[]): Record<string, string[]> =>
    Object.fromEntries(TABLES.map((table) => [table, sessions.toSorted()]));

  describe('tidying', () => {
    it('removes what sessions left behind that ended a day ago, from all tables', () => {
      filled({ '': NOON, old: NOON, 'a\0b': NOON, '\uD800': NOON, young: NOON + 2 * HOUR, zero: 0 });
      const retention = { retain: HOUR, maxSize: Number.POSITIVE_INFINITY };
      tidy(file, retention, { now: NOON + DAY });
      expect(left()).toEqual(inAll('', 'old', '"a\\u0000b"', '"\\ud800"', 'young'));
      tidy(file, retention, { now: NOON + DAY + 1 });
      expect(left()).toEqual(inAll('young'));
      tidy(file, retention, { now: NOON + 3 * DAY });
      expect(left()).toEqual(inAll());
    });

    it('keeps all of a session that goes on, however old the oldest of it is', () => {
      filled({ s: NOON });
      filled({ s: NOON + DAY });
      tidy(file, KEEP_ALL, { now: NOON + DAY + HOUR });
      expect(query(file, 'SELECT count(*) AS n FROM session_calls')).toEqual([{ n: 6 }]);
      expect(query(file, 'SELECT count(*) AS n FROM session_values')).toEqual([{ n: 6 }]);
    });

    it('keeps the number of a session as long as events are kept, and in the end it goes', () => {
      const sessions = (retain: number, after: number): unknown => {
        filled({ s: NOON });
        tidy(file, { retain, maxSize: Number.POSITIVE_INFINITY }, { now: NOON + after });
        return left()['sessions'];
      };
      expect(sessions(90 * DAY, 90 * DAY)).toEqual(['s']);
      expect(sessions(90 * DAY, 90 * DAY + 1)).toEqual([]);
      expect(sessions(0, DAY)).toEqual(['s']);
      expect(sessions(Number.POSITIVE_INFINITY, 366 * DAY)).toEqual(['s']);
      expect(sessions(Number.POSITIVE_INFINITY, 366 * DAY + 1)).toEqual([]);
    });

    it('removes what a clock left behind that was far ahead, and what was edited to be', () => {
      filled({ ahead: NOON + DAY, 'far-ahead': NOON + DAY + 1, edited: NOON });
      alter(
        file,
        TABLES.map((table) => {
          const [name, time] = table === 'sessions' ? ['name', 'last'] : ['session', 'time'];
          return `UPDATE ${table} SET ${time} = 9223372036854775807 WHERE ${name} = 'edited';`;
        }).join(''),
      );
      alter(file, "UPDATE session_calls SET n = 9223372036854775807 - n WHERE session = 'edited'");
      tidy(file, KEEP_ALL, { now: NOON });
      expect(left()).toEqual(inAll('ahead'));
    });

    it('is not kept from all else by names that cannot be read', () => {
      filled({ '': NOON, z: NOON });
      for (const table of TABLES) {
        const [name, rest] = {
          sessions: ['name', '1, 0'],
          session_servers: ['session', "'x', 0"],
          session_calls: ['session', "1, 0, '', '', '', '', '', NULL, 1"],
          session_values: ['session', "1, '', '', 0, x''"],
        }[table];
        alter(
          file,
          `WITH RECURSIVE i (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM i WHERE i < 299)
         INSERT INTO ${table} SELECT CAST(unhex(printf('ff%04x', i)) AS TEXT), ${rest} FROM i`,
        );
        expect(query(file, `SELECT count(DISTINCT ${name}) AS n FROM ${table}`)).toEqual([{ n: 302 }]);
      }
      // It would go on until its time is up, which is longer than a test may take.
      tidy(file, { retain: 0, maxSize: Number.POSITIVE_INFINITY }, { now: NOON + 2 * DAY });
      for (const names of Object.values(left())) expect(names).not.toContain('z');
    });

    it('removes thousands of sessions', () => {
      const store = new SqliteStore({ file, writerVersion: '0', sync: 'normal' });
      if (!store.begin()) throw new Error('busy');
      store.inSessions((log) => {
        for (let i = 0; i < 3000; i++) fill(log, `s${i}`, { time: NOON + (i % 10 === 0 ? DAY : 0), rows: 2 });
        fill(log, 'long', { time: NOON, rows: 1500 });
      });
      store.commit();
      store.close();
      tidy(file, { retain: 0, maxSize: Number.POSITIVE_INFINITY }, { now: NOON + DAY + HOUR });
      const young = Array.from({ length: 300 }, (_, i) => `s${i * 10}`);
      expect(left()).toEqual(inAll(...young));
    });
  });

  describe('eraseSessions', () => {
    /** Fills a store in memory and removes what has ended. @param pause what happens between two steps */
    function erased(
      pause: (log: SessionRows, step: number) => void,
      isOver: (step: number) => boolean = () => false,
    ): DatabaseSync {
      const database = new DatabaseSync(':memory:');
      migrate(database);
      const log = new SessionRows(database);
      for (const session of ['a', 'b', 'c']) fill(log, session, { time: NOON, rows: 200 });
      let step = 0;
      eraseSessions(
        database,
        { now: NOON + 2 * DAY, retain: 0 },
        { pause: () => pause(log, ++step), isOver: () => isOver(step) },
      );
      return database;
    }
    const count = (database: DatabaseSync, table: string): number =>
      Number(database.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.['n']);

    it('leaves a session alone that goes on meanwhile, from then on', () => {
      const database = erased((log, step) => {
        if (step === 1) fill(log, 'a', { time: NOON + 2 * DAY, rows: 1 });
      });
      const calls = database
        .prepare('SELECT session, count(*) AS n, max(time) AS time FROM session_calls GROUP BY session')
        .all();
      expect(calls).toEqual([{ session: 'a', n: 200 - 16 + 1, time: NOON + 2 * DAY }]);
      // The run that goes on has the servers of the one before.
      expect(TABLES.slice(1).map((table) => count(database, table))).toEqual([201, 2, 1]);
    });

    it('works in small steps, and ends when it is told to', () => {
      let before = 600;
      const database = erased(
        () => {},
        (step) => step === 2,
      );
      before -= count(database, 'session_calls');
      expect(before).toBeGreaterThan(16);
      expect(before).toBeLessThanOrEqual(16 + 32);
      expect(count(database, 'session_values')).toBe(600);
    });

    it('looks at the newest rows of a session alone to find those that ended', () => {
      const plans: string[] = [];
      const database = new DatabaseSync(':memory:');
      migrate(database);
      const prepare = database.prepare.bind(database);
      database.prepare = (sql: string) => {
        const plan = prepare(`EXPLAIN QUERY PLAN ${sql}`).all();
        if (/session_(calls|values)/.test(sql)) plans.push(...plan.map(({ detail }) => String(detail)));
        return prepare(sql);
      };
      eraseSessions(database, { now: NOON, retain: 0 }, { pause: () => {}, isOver: () => false });
      const searched = plans.filter((plan) => plan.includes('session_'));
      expect(searched.length).toBeGreaterThan(8);
      for (const plan of searched) expect(plan).toMatch(/^SEARCH \w+ USING (COVERING )?(PRIMARY KEY|INDEX \w+) \(session/);
      expect(plans.filter((plan) => plan.includes('TEMP B-TREE'))).toEqual([]);
      database.close();
    });
  });
});
