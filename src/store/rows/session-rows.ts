import type { DatabaseSync, SQLOutputValue, StatementSync } from 'node:sqlite';
import { CATEGORIES, type Category } from '../../core/call.ts';
import { LONGEST_WINDOW, MOST_CALLS } from '../../core/facts.ts';
import type { PastCall } from '../../core/finding.ts';
import type { LogVersion, RememberedValues, SessionEntry, SessionLog } from '../../gate/ports/session-port.ts';
import { fromKey, toKey } from './name-key.ts';

/**
 * Most rows kept of one session: entries, some of which only retract others, besides a few older ones of each server; results with
 * remembered values; servers.
 */
export const KEPT = { calls: 2 * MOST_CALLS, values: 256, servers: 1000 } as const;

/** Every `every` rows of a session, its oldest beyond the limit are removed: at most `rows`, chosen among the oldest `looked`. */
const SWEEP = { every: 16, rows: 64, looked: 2000 } as const;

/** Limits for finding a session's first calls among events: the newest events searched, and bytes per event. */
const SEARCHED = { events: 5000, bytes: 65_536 } as const;

/** Milliseconds, and the part of the idle time, that must pass before a session's last activity is written again. */
const NOTED_EVERY = 60_000;
const NOTED_PART = 1 / 30;

/** The largest places and times that JavaScript and its dates can hold; edited rows may have larger ones. */
const MOST = 2 ** 52;
const LATEST = 8.64e15;

const TIME = `max(min(time, ${LATEST}), 0) AS time`;

// With `LIMIT ?` alone SQLite would plan anew each time, since the plan depends on the value.
const SQL = {
  session: `SELECT max(min(n, ${MOST}), 1) AS n, max(min(last, ${LATEST}), -${LATEST}) AS last FROM sessions WHERE name = ?`,
  writeSession: `INSERT INTO sessions (name, n, last) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET n = excluded.n, last = excluded.last`,
  lastTime: `SELECT ${TIME} FROM session_calls WHERE session = ? AND n <= ${MOST} ORDER BY n DESC LIMIT 1`,
  calls: `SELECT n, ${TIME}, id, server, method, subject, categories, turn, forwarded FROM session_calls
    WHERE session = ? AND n > ? AND n <= ${MOST} ORDER BY n DESC LIMIT ? + 0`,
  lastCall: `SELECT max(n) AS n FROM session_calls WHERE session = ? AND n BETWEEN 1 AND ${MOST}`,
  // A row in that place can only have been edited, and must not stop new ones.
  addCall: `INSERT OR REPLACE INTO session_calls (session, n, time, id, server, method, subject, categories, turn, forwarded)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  oldCalls: `SELECT n, server FROM session_calls WHERE session = ? AND n < ? AND n >= -${MOST} ORDER BY n LIMIT ${SWEEP.looked}`,
  removeCall: 'DELETE FROM session_calls WHERE session = ? AND n = ?',
  // Searches the newest events only: others must not wait for a scan of an hour's events of other sessions.
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
  // These servers are still running: without this, one that only its own calls brought into the session would be alone in the next run at
  // first.
  carryServers:
    'INSERT OR IGNORE INTO session_servers (session, server, time) SELECT ?, server, ? FROM session_servers WHERE session = ?',
  // A window may be longer than the idle time, and the agent still knows what it read.
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

/** Counts the connections of this process, and their rolled back transactions. */
let connections = 0;
let lost = 0;

/**
 * The tables of sessions in an open store. Call every method inside a transaction. Errors are SQLite's. Nothing is remembered here beyond a
 * transaction, so a rollback leaves no trace. Tidying removes what ended sessions leave behind.
 */
export class SessionRows implements SessionLog {
  readonly #statements: Statements;
  readonly #connection = ++connections;
  /** The version in this transaction: nobody else writes meanwhile. */
  #version: LogVersion | undefined;

  constructor(database: DatabaseSync) {
    this.#statements = new Statements(database);
  }

  /** Call it when a transaction begins. */
  begin(): void {
    this.#version = undefined;
  }

  /** Call it when a transaction is rolled back. */
  rollback(): void {
    lost++;
  }

  version(): LogVersion {
    // SQLite's count begins again with each connection.
    const count = (): number => Number(this.#statements.get('PRAGMA data_version').get()?.['data_version']);
    return (this.#version ??= { others: this.#connection * 2 ** 32 + count(), lost });
  }

  current(name: string, { now, idle }: { readonly now: number; readonly idle: number }): string {
    const key = toKey(name);
    const row = this.#statements.get(SQL.session).get(key);
    const n = Number(row?.['n'] ?? 1);
    const last = Number(row?.['last'] ?? now);
    const session = toRun(name, n);
    // The session may have been active since that was noted. A clock that was set back says nothing about idle time.
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
    // Denials are not stored: a thousand of them would push out the calls that later readers need.
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
 * Returns the place after the last one. The first is the time in milliseconds: a process that still knows places of a removed session or a
 * replaced store must not take new places for old.
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
    // Any other value, which only an edit can write, counts as forwarded: an edit must not make a call vanish.
    isForwarded: row['forwarded'] !== 0,
  };
  return { n, kind: 'call', call };
}

/** Parses a call from its event; undefined if the body is invalid, which only an edit can cause. */
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
    // An edit made it invalid.
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

/** A stored call of a session; a retraction has no server. Lists have the oldest first. */
export interface OldCall {
  readonly n: number;
  readonly server: string;
}

/** Most old calls kept of one server and of all together, besides the newest of the session. */
export const KEPT_OLD = { ofOne: 40, ofAll: 400 } as const;

/**
 * Chooses which of a session's old calls to remove: all retractions, and all but the newest of each server. So calls of one server never
 * push out the few of another.
 *
 * @returns places of the oldest, at most `most`
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

/** The statements of a database, each prepared at its first use: most connections need few of them. */
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
