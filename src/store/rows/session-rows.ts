import type { DatabaseSync, SQLOutputValue, StatementSync } from 'node:sqlite';
import { CATEGORIES, type Category } from '../../core/call.ts';
import { LONGEST_WINDOW, MOST_CALLS } from '../../core/facts.ts';
import type { PastCall } from '../../core/finding.ts';
import type { LogVersion, RememberedValues, SessionEntry, SessionLog } from '../../gate/ports/session-port.ts';
import { fromKey, toKey } from './name-key.ts';

/**
 * What is kept of one session: entries, of which some only take others back, besides a few older ones of each server; what is remembered
 * of so many results; servers.
 */
export const KEPT = { calls: 2 * MOST_CALLS, values: 256, servers: 1000 } as const;

/** With every so many rows of a session, its oldest beyond that are removed: so many at most, and those next to each other. */
const SWEEP = { every: 16, rows: 64, looked: 2000 } as const;

/** The newest events, which a session's first calls are looked for in, and bytes that one may have. */
const SEARCHED = { events: 5000, bytes: 65_536 } as const;

/** Milliseconds: when a session was last active is written no more often, or when so much of its idle time has passed. */
const NOTED_EVERY = 60_000;
const NOTED_PART = 1 / 30;

/** Places and times that JavaScript and its dates can hold; what was edited may have others. */
const MOST = 2 ** 52;
const LATEST = 8.64e15;

const TIME = `max(min(time, ${LATEST}), 0) AS time`;

// `LIMIT ?` alone would have SQLite plan anew each time, since it plans by the value.
const SQL = {
  session: `SELECT max(min(n, ${MOST}), 1) AS n, max(min(last, ${LATEST}), -${LATEST}) AS last FROM sessions WHERE name = ?`,
  writeSession: `INSERT INTO sessions (name, n, last) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET n = excluded.n, last = excluded.last`,
  lastTime: `SELECT ${TIME} FROM session_calls WHERE session = ? AND n <= ${MOST} ORDER BY n DESC LIMIT 1`,
  calls: `SELECT n, ${TIME}, id, server, method, subject, categories, turn, forwarded FROM session_calls
    WHERE session = ? AND n > ? AND n <= ${MOST} ORDER BY n DESC LIMIT ? + 0`,
  lastCall: `SELECT max(n) AS n FROM session_calls WHERE session = ? AND n BETWEEN 1 AND ${MOST}`,
  // What stands there can only have been edited, and must not stop what comes.
  addCall: `INSERT OR REPLACE INTO session_calls (session, n, time, id, server, method, subject, categories, turn, forwarded)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  oldCalls: `SELECT n, server FROM session_calls WHERE session = ? AND n < ? AND n >= -${MOST} ORDER BY n LIMIT ${SWEEP.looked}`,
  removeCall: 'DELETE FROM session_calls WHERE session = ? AND n = ?',
  // Of the newest events only: others must not wait while an hour's of other sessions are looked through.
  recorded: `SELECT ${TIME}, body FROM events
    WHERE seq IN (SELECT seq FROM events INDEXED BY events_time WHERE time > ? ORDER BY time DESC LIMIT ${SEARCHED.events})
      AND session = ? AND action = 'allow'
      AND (type IN ('mcp_tool_called', 'mcp_resource_read', 'mcp_prompt_requested')
        OR (type = 'mcp_request_decided' AND (instr(body, '"method":"skills/get"') OR instr(body, '"method":"resources/directory/read"'))))
      AND octet_length(body) <= ${SEARCHED.bytes}
    ORDER BY seq DESC LIMIT ? + 0`,
  server: `SELECT ${TIME} FROM session_servers WHERE session = ? AND server = ?`,
  servers: `SELECT server FROM session_servers WHERE session = ? ORDER BY server LIMIT ${KEPT.servers}`,
  latestOf: `SELECT session, ${TIME} FROM session_servers WHERE server = ? AND time > ? AND session NOT GLOB 'u-*' ORDER BY time DESC LIMIT 1`,
  countServers: 'SELECT count(*) AS n FROM session_servers WHERE session = ?',
  writeServer: `INSERT INTO session_servers (session, server, time) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET time = excluded.time`,
  // They are still there: what only its own calls made part of the next run would be alone in it at first.
  carryServers:
    'INSERT OR IGNORE INTO session_servers (session, server, time) SELECT ?, server, ? FROM session_servers WHERE session = ?',
  // A window may be longer than what ends a session, and what was read is known to the agent all the same.
  carryCalls: `INSERT OR IGNORE INTO session_calls (session, n, time, id, server, method, subject, categories, turn, forwarded)
    SELECT ?, n, time, id, server, method, subject, categories, turn, forwarded FROM session_calls WHERE session = ? AND time > ?`,
  carryValues: `INSERT OR IGNORE INTO session_values (session, n, source, server, time, hashes)
    SELECT ?, n, source, server, time, hashes FROM session_values WHERE session = ? AND time > ?`,
  keepServers: 'UPDATE session_servers SET time = ? WHERE session = ?',
  values: `SELECT n, source, server, ${TIME}, hashes FROM session_values
    WHERE session = ? AND n > ? AND n <= ${MOST} ORDER BY n DESC LIMIT ? + 0`,
  lastValues: `SELECT max(n) AS n FROM session_values WHERE session = ? AND n BETWEEN 1 AND ${MOST}`,
  addValues: 'INSERT OR REPLACE INTO session_values (session, n, source, server, time, hashes) VALUES (?, ?, ?, ?, ?, ?)',
  sweepValues: `DELETE FROM session_values WHERE session = ?1
    AND n < min(?2, (SELECT min(n) FROM session_values WHERE session = ?1) + ${SWEEP.rows})`,
} as const;

/** How many connections there were in this process, and how many of their transactions were taken back. */
let connections = 0;
let lost = 0;

/**
 * The tables of sessions in an open store. Every method is called inside a transaction; what they throw is SQLite's. Nothing of them is
 * remembered here beyond it, so what is rolled back never was. What sessions leave behind when they end is removed where the store is tidied.
 */
export class SessionRows implements SessionLog {
  readonly #statements: Statements;
  readonly #connection = ++connections;
  /** As it is in this transaction: nobody else writes meanwhile. */
  #version: LogVersion | undefined;

  constructor(database: DatabaseSync) {
    this.#statements = new Statements(database);
  }

  /** To be called when a transaction begins. */
  begin(): void {
    this.#version = undefined;
  }

  /** To be called when one is taken back. */
  rollback(): void {
    lost++;
  }

  version(): LogVersion {
    // What SQLite counts begins again with each connection.
    const count = (): number => Number(this.#statements.get('PRAGMA data_version').get()?.['data_version']);
    return (this.#version ??= { others: this.#connection * 2 ** 32 + count(), lost });
  }

  current(name: string, { now, idle }: { readonly now: number; readonly idle: number }): string {
    const key = toKey(name);
    const row = this.#statements.get(SQL.session).get(key);
    const n = Number(row?.['n'] ?? 1);
    const last = Number(row?.['last'] ?? now);
    const session = toRun(name, n);
    // It may have been active since that was noted. A clock that was set back says nothing about how long it was idle.
    const isOver = now - last > idle && !this.#hasCall(session, { since: now - idle, until: now });
    if (isOver) {
      const next = toRun(name, n + 1);
      this.#statements.get(SQL.writeSession).run(key, n + 1, now);
      this.#statements.get(SQL.carryServers).run(toKey(next), now, toKey(session));
      for (const sql of [SQL.carryCalls, SQL.carryValues])
        this.#statements.get(sql).run(toKey(next), toKey(session), now - LONGEST_WINDOW);
      return next;
    }
    if (row === undefined || Math.abs(now - last) >= Math.min(NOTED_EVERY, idle * NOTED_PART)) {
      this.#statements.get(SQL.writeSession).run(key, n, now);
      this.#statements.get(SQL.keepServers).run(now, toKey(session));
    }
    return session;
  }

  entries(session: string, after: number, most: number): readonly SessionEntry[] {
    return this.#statements.get(SQL.calls).all(toKey(session), after, most).toReversed().map(toEntry);
  }

  addCall(session: string, call: PastCall): number {
    // Kept beside the others, a thousand denials would push out what whoever reads later must know of.
    return call.isForwarded
      ? this.#add(session, call, 1)
      : Number(this.#statements.get(SQL.lastCall).get(toKey(session))?.['n'] ?? 0);
  }

  recorded(session: string, since: number, most: number): readonly PastCall[] {
    const rows = this.#statements.get(SQL.recorded).all(since, session, most).toReversed();
    return rows.map((row) => toPastCall(row)).filter((call) => call !== undefined);
  }

  retract(session: string, id: string, now: number): number {
    const none = { server: '', method: '', subject: '', categories: [], turn: undefined };
    return this.#add(session, { id, time: now, ...none }, null);
  }

  addServer(session: string, server: string, now: number): void {
    const key = toKey(session);
    const known = this.#statements.get(SQL.server).get(key, toKey(server));
    if (known === undefined) {
      if (Number(this.#statements.get(SQL.countServers).get(key)?.['n']) >= KEPT.servers) return;
    } else if (Math.abs(now - Number(known['time'])) < NOTED_EVERY) return;
    this.#statements.get(SQL.writeServer).run(key, toKey(server), now);
  }

  servers(session: string): readonly string[] {
    const rows = this.#statements.get(SQL.servers).all(toKey(session));
    return rows.map((row) => fromKey(String(row['server'])));
  }

  latestOf(servers: readonly string[], since: number): string | undefined {
    const rows = servers.map((server) => this.#statements.get(SQL.latestOf).get(toKey(server), since));
    const [last] = rows.filter((row) => row !== undefined).toSorted((one, other) => Number(other['time']) - Number(one['time']));
    return last === undefined ? undefined : fromKey(String(last['session']));
  }

  values(session: string, after: number, most: number): readonly RememberedValues[] {
    return this.#statements.get(SQL.values).all(toKey(session), after, most).toReversed().map(toValues);
  }

  addValues(session: string, { source, server, time, hashes }: Omit<RememberedValues, 'n'>): number {
    const key = toKey(session);
    const n = toNext(this.#statements.get(SQL.lastValues).get(key)?.['n'], time);
    this.#statements.get(SQL.addValues).run(key, n, toKey(source), toKey(server), time, hashes);
    if (n % SWEEP.every === 0) this.#statements.get(SQL.sweepValues).run(key, n - KEPT.values + 1);
    return n;
  }

  #add(session: string, call: Omit<PastCall, 'isForwarded'>, forwarded: 1 | null): number {
    const { time, id, server, method, subject, categories, turn } = call;
    const key = toKey(session);
    const n = toNext(this.#statements.get(SQL.lastCall).get(key)?.['n'], time);
    this.#statements
      .get(SQL.addCall)
      .run(
        key,
        n,
        time,
        toKey(id),
        toKey(server),
        toKey(method),
        toKey(subject),
        categories.join(' '),
        turn === undefined ? null : toKey(turn),
        forwarded,
      );
    if (n % SWEEP.every === 0) this.#sweepCalls(key, n - KEPT.calls + 1);
    return n;
  }

  #sweepCalls(key: string, before: number): void {
    const rows = this.#statements.get(SQL.oldCalls).all(key, before);
    const old = rows.map((row) => ({ n: Number(row['n']), server: String(row['server']) }));
    for (const n of spareCalls(old, SWEEP.rows)) this.#statements.get(SQL.removeCall).run(key, n);
  }

  #hasCall(session: string, { since, until }: { readonly since: number; readonly until: number }): boolean {
    const newest = this.#statements.get(SQL.lastTime).get(toKey(session));
    return newest !== undefined && Number(newest['time']) >= since && Number(newest['time']) <= until;
  }
}

function toRun(name: string, n: number): string {
  return n === 1 ? name : `${name}.${n}`;
}

/**
 * The place after the last one. The first is the time, in milliseconds: whoever still knows places of a session whose rows have all gone,
 * or of a store that was replaced, must not take new ones for old.
 */
function toNext(last: SQLOutputValue | undefined, time: number): number {
  return typeof last === 'number' ? last + 1 : Math.min(Math.max(Math.floor(time), 1), MOST);
}

function toEntry(row: Readonly<Record<string, SQLOutputValue>>): SessionEntry {
  const n = Number(row['n']);
  const id = toText(row['id']);
  if (row['forwarded'] === null) return { n, kind: 'retracted', id };
  const categories = String(row['categories']).split(' ').filter(isCategory);
  const call = {
    id,
    time: Number(row['time']),
    server: toText(row['server']),
    method: toText(row['method']),
    subject: toText(row['subject']),
    categories: categories.length === 0 ? UNKNOWN : categories,
    turn: row['turn'] === null ? undefined : toText(row['turn']),
    // What is neither counts: what was edited must not make a call of no account.
    isForwarded: row['forwarded'] !== 0,
  };
  return { n, kind: 'call', call };
}

/** A call as its event has it; undefined for what is none, which only an edit can make. */
function toPastCall(row: Readonly<Record<string, SQLOutputValue>>): PastCall | undefined {
  const { body } = row;
  const event = typeof body === 'string' ? parseObject(body) : undefined;
  if (event === undefined) return undefined;
  const text = (field: string): string => (typeof event[field] === 'string' ? event[field] : '');
  const categories = text('category').split(' ').filter(isCategory);
  return {
    id: text('id'),
    time: Number(row['time']),
    server: text('server_id'),
    method: text('method'),
    subject: text('tool_name') || text('resource_uri') || text('prompt_name'),
    categories: categories.length === 0 ? UNKNOWN : categories,
    turn: text('turn_id') || undefined,
    isForwarded: true,
  };
}

function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : undefined;
  } catch {
    // Whoever edited it has made it none.
    return undefined;
  }
}

const UNKNOWN: readonly Category[] = ['unknown'];

function isCategory(word: string): word is Category {
  return (CATEGORIES as readonly string[]).includes(word);
}

function toValues(row: Readonly<Record<string, SQLOutputValue>>): RememberedValues {
  const { hashes } = row;
  return {
    n: Number(row['n']),
    source: toText(row['source']),
    server: toText(row['server']),
    time: Number(row['time']),
    hashes: hashes instanceof Uint8Array ? hashes : new Uint8Array(),
  };
}

function toText(value: SQLOutputValue | undefined): string {
  return fromKey(String(value));
}

/** A noted call of a session, oldest first in a list; a retraction has no server. */
export interface OldCall {
  readonly n: number;
  readonly server: string;
}

/** Calls that are kept of one server at most, and of all together, besides the newest of the session. */
export const KEPT_OLD = { ofOne: 40, ofAll: 400 } as const;

/**
 * Of a session's old calls, those that can go: all retractions, and of each server all but its newest. So no number of calls of one
 * server pushes out the few of another.
 *
 * @returns places, the oldest `most` at most
 */
export function spareCalls(old: readonly OldCall[], most: number): readonly number[] {
  const counts = new Map<string, number>();
  const servers = new Set(old.map(({ server }) => server));
  const ofOne = Math.max(1, Math.min(KEPT_OLD.ofOne, Math.floor(KEPT_OLD.ofAll / servers.size)));
  const spare: number[] = [];
  for (const { n, server } of old.toReversed()) {
    const count = counts.get(server) ?? 0;
    if (server === '' || count >= ofOne) spare.push(n);
    else counts.set(server, count + 1);
  }
  return spare.toReversed().slice(0, most);
}

/** The statements of a database, each prepared when it is first needed: most connections need few of them. */
export class Statements {
  readonly #database: DatabaseSync;
  readonly #prepared = new Map<string, StatementSync>();

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  get(sql: string): StatementSync {
    let statement = this.#prepared.get(sql);
    if (statement === undefined) {
      statement = this.#database.prepare(sql);
      this.#prepared.set(sql, statement);
    }
    return statement;
  }
}
