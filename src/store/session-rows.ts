import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { LONGEST_WINDOW, type PastCall } from '../core/flow/window.ts';
import { CATEGORIES, type Category } from '../core/registry/category.ts';
import type { RememberedValues, SessionEntry, SessionLog } from '../gate/session-port.ts';

/** Every so many entries of a process, what no window reaches any more is removed: so many rows at most. */
const SWEEP = { every: 64, rows: 256 } as const;

/** Milliseconds for which results' values are remembered. */
const VALUES_FOR = LONGEST_WINDOW;

/** When a session was last active is written no more often, in milliseconds. */
const NOTED_EVERY = 60_000;

/** The tables of sessions. */
export class SessionRows implements SessionLog {
  readonly #session: StatementSync;
  readonly #writeSession: StatementSync;
  readonly #entries: StatementSync;
  readonly #last: StatementSync;
  readonly #add: StatementSync;
  readonly #servers: StatementSync;
  readonly #addServer: StatementSync;
  readonly #values: StatementSync;
  readonly #lastValues: StatementSync;
  readonly #addValues: StatementSync;
  readonly #sweepCalls: StatementSync;
  readonly #sweepValues: StatementSync;
  #added = 0;

  constructor(database: DatabaseSync) {
    this.#session = database.prepare('SELECT n, last FROM sessions WHERE name = ?');
    this.#writeSession = database.prepare(
      `INSERT INTO sessions (name, n, last) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET n = excluded.n, last = excluded.last`,
    );
    this.#entries = database.prepare(
      `SELECT n, time, id, server, method, subject, categories, turn, forwarded FROM session_calls
       WHERE session = ? AND n > ? ORDER BY n DESC LIMIT ?`,
    );
    this.#last = database.prepare('SELECT max(n) AS n FROM session_calls WHERE session = ?');
    this.#add = database.prepare(
      `INSERT INTO session_calls (session, n, time, id, server, method, subject, categories, turn, forwarded)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    );
    this.#servers = database.prepare('SELECT server FROM session_servers WHERE session = ? ORDER BY server');
    this.#addServer = database.prepare(
      `INSERT INTO session_servers (session, server, time) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET time = excluded.time`,
    );
    this.#values = database.prepare(
      'SELECT n, source, server, time, hashes FROM session_values WHERE session = ? AND n > ? ORDER BY n DESC LIMIT ?',
    );
    this.#lastValues = database.prepare('SELECT max(n) AS n FROM session_values WHERE session = ?');
    this.#addValues = database.prepare(
      'INSERT INTO session_values (session, n, source, server, time, hashes) VALUES (?, ?, ?, ?, ?, ?)',
    );
    // The newest entry stays: what is noted next goes on counting from it.
    this.#sweepCalls = database.prepare(
      `DELETE FROM session_calls WHERE (session, n) IN (SELECT session, n FROM session_calls c WHERE time < ?
         AND n < (SELECT max(n) FROM session_calls WHERE session = c.session) LIMIT ${SWEEP.rows})`,
    );
    this.#sweepValues = database.prepare(
      `DELETE FROM session_values WHERE (session, n) IN (SELECT session, n FROM session_values v WHERE time < ?
         AND n < (SELECT max(n) FROM session_values WHERE session = v.session) LIMIT ${SWEEP.rows})`,
    );
  }

  current(name: string, { now, idle }: { readonly now: number; readonly idle: number }): string {
    const row = this.#session.get(name);
    const last = Number(row?.['last'] ?? now);
    const n = Number(row?.['n'] ?? 1) + (now - last > idle ? 1 : 0);
    // A clock that was set back must not make the session look active for as long as it was set back.
    if (row === undefined || Math.abs(now - last) > NOTED_EVERY) this.#writeSession.run(name, n, now);
    return n === 1 ? name : `${name}.${n}`;
  }

  entries(session: string, after: number, most: number): readonly SessionEntry[] {
    return this.#entries.all(session, after, most).reverse().map(toEntry);
  }

  addCall(session: string, call: PastCall): number {
    const { time, id, server, method, subject, categories, turn, isForwarded } = call;
    const n = this.#next(session);
    this.#add.run(session, n, time, id, server, method, subject, categories.join(' '), turn ?? null, isForwarded ? 1 : 0);
    this.#sweep(time);
    return n;
  }

  retract(session: string, id: string, now: number): number {
    const n = this.#next(session);
    this.#add.run(session, n, now, id, '', '', '', '', null, null);
    return n;
  }

  addServer(session: string, server: string, now: number): void {
    this.#addServer.run(session, server, now);
  }

  servers(session: string): readonly string[] {
    return this.#servers.all(session).map((row) => String(row['server']));
  }

  values(session: string, after: number, most: number): readonly RememberedValues[] {
    const rows = this.#values.all(session, after, most).reverse();
    return rows.map(({ n, source, server, time, hashes }) => ({
      n: Number(n),
      source: String(source),
      server: String(server),
      time: Number(time),
      hashes: hashes instanceof Uint8Array ? hashes : new Uint8Array(),
    }));
  }

  addValues(session: string, { source, server, time, hashes }: Omit<RememberedValues, 'n'>): number {
    const n = Number(this.#lastValues.get(session)?.['n'] ?? 0) + 1;
    this.#addValues.run(session, n, source, server, time, hashes);
    return n;
  }

  #next(session: string): number {
    return Number(this.#last.get(session)?.['n'] ?? 0) + 1;
  }

  #sweep(now: number): void {
    this.#added++;
    if (this.#added % SWEEP.every !== 0) return;
    this.#sweepCalls.run(now - LONGEST_WINDOW);
    this.#sweepValues.run(now - VALUES_FOR);
  }
}

function toEntry(row: Record<string, unknown>): SessionEntry {
  const n = Number(row['n']);
  const id = String(row['id']);
  if (row['forwarded'] === null) return { n, kind: 'retracted', id };
  const categories = String(row['categories'])
    .split(' ')
    .filter((word): word is Category => (CATEGORIES as readonly string[]).includes(word));
  return {
    n,
    kind: 'call',
    call: {
      id,
      time: Number(row['time']),
      server: String(row['server']),
      method: String(row['method']),
      subject: String(row['subject']),
      categories: categories.length === 0 ? ['unknown'] : categories,
      turn: row['turn'] === null ? undefined : String(row['turn']),
      isForwarded: row['forwarded'] === 1,
    },
  };
}
