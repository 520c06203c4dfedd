import type { DatabaseSync, SQLOutputValue, StatementSync } from 'node:sqlite';
import { ClawaiError, type ErrorCode } from '../../errors.ts';
import { toCondition, type EventQuery, type SqlValue } from './read-query.ts';

/** An event as it is stored. Numbers beyond JavaScript's safe integers are clamped. */
export interface StoredEvent {
  readonly seq: number;
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly type: string;
  readonly session: string;
  readonly server: string;
  readonly tool: string | null;
  readonly action: string | null;
  readonly severity: string | null;
  /** The event as JSON; null if it was erased. */
  readonly body: string | null;
}

/** An event as a link of its writer's hash chain. */
interface ChainedEvent extends StoredEvent {
  /** Id of the process that wrote it. */
  readonly writer: number;
  readonly n: number;
  readonly body_hash: Uint8Array;
  readonly hash: Uint8Array;
}

/** A question that waits for a person, without what it would send. */
export interface WaitingQuestion {
  readonly id: string;
  readonly server: string;
  readonly method: string;
  readonly tool: string | null;
  readonly resource: string | null;
  readonly prompt: string | null;
  readonly rule: string | null;
  /** Milliseconds since the epoch. */
  readonly askedAt: number;
  readonly expiresAt: number;
}

interface WriterRow {
  readonly id: number;
  readonly name: string;
}

/** The last erased event of a writer, after which its chain now begins. */
interface CheckpointRow {
  readonly writer: number;
  readonly n: number;
  readonly hash: Uint8Array;
}

/** Most events, and most characters of them, held at once. */
const PAGE = { events: 500, characters: 1_000_000 } as const;
const MOST = Number.MAX_SAFE_INTEGER;

// A number that JavaScript can't hold, which only an edit can write, would otherwise make the row unreadable.
const exact = (column: string): string => `max(min(e.${column}, ${MOST}), -${MOST}) AS ${column}`;
const COLUMNS = `e.seq, ${exact('time')}, e.type, e.session, e.server, e.tool, e.action, e.severity, e.body`;
const CHAIN_COLUMNS = `${COLUMNS}, ${exact('writer')}, ${exact('n')}, e.body_hash, e.hash`;

/** A store that is open for reading. Each method throws ClawaiError `store_*` if the file can't be read. */
export class StoreReader {
  readonly #file: string;
  readonly #database: DatabaseSync;

  constructor(file: string, database: DatabaseSync) {
    this.#file = file;
    this.#database = database;
  }

  /**
   * Yields the events that match a query, oldest first: by time if the query names times, else by order of commit. Nothing stays open
   * between two pages, so that a slow reader does not keep the store from being tidied.
   */
  events(query: EventQuery): Generator<StoredEvent, void, void> {
    return this.#walk<StoredEvent>(query, COLUMNS);
  }

  /** Like `events`, with the links of their chains. */
  chained(query: EventQuery): Generator<ChainedEvent, void, void> {
    return this.#walk<ChainedEvent>(query, CHAIN_COLUMNS);
  }

  *#walk<Row extends StoredEvent>(query: EventQuery, columns: string): Generator<Row, void, void> {
    const isByTime = byTime(query);
    // `since` and `after` set the start of the first page; given twice, SQLite would use the weaker bound.
    const { sql, values } = this.#where(query, { ...query, since: undefined, after: undefined });
    const after = query.after ?? -MOST;
    const page = this.#prepare(`
      SELECT ${columns} FROM events e
      WHERE ${isByTime ? '(e.time, e.seq) > (?, ?) AND +e.seq > ?' : 'e.seq > ?'} AND e.seq <= ${MOST} AND ${sql}
      ORDER BY ${isByTime ? 'e.time, e.seq' : 'e.seq'} LIMIT ${PAGE.events}`);
    let last = { time: query.since ?? -MOST, seq: isByTime ? -MOST : after };
    for (;;) {
      const start = isByTime ? [last.time, last.seq, after] : [last.seq];
      const { events, isLast } = this.#page<Row>(page, [...start, ...values]);
      yield* events;
      last = events.at(-1) ?? last;
      if (isLast) return;
    }
  }

  /**
   * Yields the newest events that match a query, at most `limit`, oldest first. They are chosen when the first one is asked for; one that
   * is erased meanwhile is left out.
   */
  *newest(query: EventQuery, limit: number): Generator<StoredEvent, void, void> {
    const { sql, values } = this.#where(query);
    // Without a time, the table is read in its own order: the index would make every row a jump.
    const order = byTime(query) ? 'e.time DESC, e.seq DESC' : 'e.seq DESC';
    const chosen = this.#guard(() =>
      this.#database
        .prepare(`SELECT e.seq FROM events e WHERE e.seq <= ${MOST} AND ${sql} ORDER BY ${order} LIMIT ?`)
        .all(...values, limit),
    );
    const one = this.#prepare(`SELECT ${COLUMNS} FROM events e WHERE e.seq = ?`);
    for (const { seq } of chosen.toReversed()) {
      const [event] = this.#page<StoredEvent>(one, [Number(seq)]).events;
      if (event !== undefined) yield event;
    }
  }

  /** Finds the events whose bodies contain all of these texts, in order of commit; at most `limit`. It reads all events. */
  mentioning(texts: readonly string[], limit: number): StoredEvent[] {
    const condition = texts.map(() => 'instr(e.body, ?) > 0').join(' AND ');
    return this.#guard(() =>
      this.#database
        .prepare(`SELECT ${COLUMNS} FROM events e WHERE e.seq <= ${MOST} AND ${condition} ORDER BY e.seq LIMIT ?`)
        .all(...texts, limit)
        .map((row) => toRow<StoredEvent>(row)),
    );
  }

  /** The newest event's `seq`; 0 if there is none. */
  lastSeq(): number {
    return this.#guard(() => {
      const row = this.#database.prepare(`SELECT max(seq) AS last FROM events WHERE seq <= ${MOST}`).get();
      return Number(row?.['last'] ?? 0);
    });
  }

  /** Bounds by `seq` the events of a time span; undefined if there are none. */
  span(times: Pick<EventQuery, 'since' | 'until'>): { readonly after: number; readonly upTo: number } | undefined {
    const { sql, values } = this.#where(times);
    return this.#guard(() => {
      const row = this.#database
        .prepare(`SELECT min(e.seq) AS first, max(e.seq) AS last FROM events e WHERE ${sql}`)
        .get(...values);
      return typeof row?.['first'] === 'number' ? { after: row['first'] - 1, upTo: Number(row['last']) } : undefined;
    });
  }

  count(): number {
    return this.#guard(() => Number(this.#database.prepare('SELECT count(*) AS count FROM events').get()?.['count']));
  }

  /** Maps each session to the time of its newest event, in milliseconds since the epoch. It reads all events. */
  sessions(): Map<string, number> {
    const rows = this.#all<{ readonly session: string; readonly time: number }>(
      `SELECT e.session, max(min(max(e.time), ${MOST}), -${MOST}) AS time FROM events e GROUP BY e.session`,
    );
    return new Map(rows.map(({ session, time }) => [session, time]));
  }

  /** The questions that wait now, oldest first, at most `limit`. */
  waiting(now: number, limit: number): WaitingQuestion[] {
    return this.#guard(() =>
      this.#database
        .prepare(
          `SELECT id, server, method, tool, resource, prompt, rule, asked_at AS askedAt, expires_at AS expiresAt FROM approvals
           WHERE state = 'waiting' AND expires_at > ? ORDER BY asked_at, rowid LIMIT ?`,
        )
        .all(now, limit)
        .map((row) => toRow<WaitingQuestion>(row)),
    );
  }

  writers(): WriterRow[] {
    return this.#all<WriterRow>('SELECT id, name FROM writers ORDER BY id');
  }

  checkpoints(): CheckpointRow[] {
    return this.#all<CheckpointRow>('SELECT writer, n, hash FROM checkpoints ORDER BY writer');
  }

  /**
   * Keeps the view as it is now until `close`, whatever is written or erased meanwhile. A store without a write-ahead log is left out,
   * since that would keep others from writing.
   */
  holdStill(): void {
    this.#guard(() => {
      if (this.#database.prepare('PRAGMA journal_mode').get()?.['journal_mode'] !== 'wal') return;
      // The first read takes the snapshot.
      this.#database.exec('BEGIN; SELECT 1 FROM sqlite_schema LIMIT 1');
    });
  }

  close(): void {
    this.#database.close();
  }

  /**
   * Turns a query into SQL alone. It first looks up the names that globs match, among the events that all of `query` asks for: there are
   * far fewer names than events.
   *
   * @param asked the part of the query that the result must contain
   */
  #where(query: EventQuery, asked = query): { sql: string; values: readonly SqlValue[] } {
    const { sql, values } = toCondition(asked);
    const all = { sql, values: [...values] };
    const { globs, ...among } = toCondition(query);
    for (const { expression, glob } of globs) {
      const matching: string[] = [];
      this.#guard(() => {
        const names = this.#database.prepare(`SELECT DISTINCT ${expression} AS name FROM events e WHERE ${among.sql}`);
        for (const { name } of names.iterate(...among.values)) {
          if (typeof name === 'string' && glob.matches(name)) matching.push(name);
        }
      });
      if (matching.length === 0) return { sql: 'FALSE', values: [] };
      all.sql += ` AND ${expression} IN (SELECT value FROM json_each(?))`;
      all.values.push(JSON.stringify(matching));
    }
    return all;
  }

  #page<Row extends StoredEvent>(statement: StatementSync, values: readonly SqlValue[]): { events: Row[]; isLast: boolean } {
    return this.#guard(() => {
      const events: Row[] = [];
      let characters = 0;
      for (const row of statement.iterate(...values)) {
        const event = toRow<Row>(row);
        events.push(event);
        characters += event.body?.length ?? 0;
        if (characters >= PAGE.characters) return { events, isLast: false };
      }
      return { events, isLast: events.length < PAGE.events };
    });
  }

  #all<Row>(sql: string): Row[] {
    return this.#guard(() =>
      this.#database
        .prepare(sql)
        .all()
        .map((row) => toRow<Row>(row)),
    );
  }

  #prepare(sql: string): StatementSync {
    return this.#guard(() => this.#database.prepare(sql));
  }

  #guard<T>(read: () => T): T {
    try {
      return read();
    } catch (thrown) {
      throw toReadFault(this.#file, thrown);
    }
  }
}

/** Tells whether the query uses the index of times, and its order. */
function byTime(query: EventQuery): boolean {
  return query.since !== undefined || query.until !== undefined;
}

/** Casts a row: the tables are strict, so its columns have the types of the schema. */
function toRow<Row>(row: Record<string, SQLOutputValue>): Row {
  return row as Row;
}

/** SQLite's result codes that matter to people: https://www.sqlite.org/rescode.html */
const SQLITE = { error: 1, busy: 5, locked: 6, corrupt: 11, notADatabase: 26 } as const;

const LEAVE_IT = 'move the file away, and clawai starts a new one; keep the old one if it may be evidence';

/** Turns an error of SQLite about a store that is only read into an error for people. Other errors are returned as they are. */
export function toReadFault(file: string, thrown: unknown): unknown {
  const code = sqliteCode(thrown);
  if (code === undefined) return thrown;
  const fault = (message: string, name: ErrorCode, hint: string): ClawaiError =>
    new ClawaiError(`${file} ${message}`, { code: name, hint, cause: thrown });
  switch (code) {
    case SQLITE.busy:
    case SQLITE.locked:
      return fault('is in use by another process', 'store_busy', 'try again in a moment');
    case SQLITE.notADatabase:
      return fault('is not a clawai store: it is not an SQLite file, or its beginning is damaged', 'store_foreign', LEAVE_IT);
    case SQLITE.corrupt:
      return fault('is damaged', 'store_corrupt', LEAVE_IT);
    case SQLITE.error:
      // Our SQL is fixed, so an error in it means that the tables are damaged.
      return fault(`is damaged: ${messageOf(thrown)}`, 'store_corrupt', LEAVE_IT);
    default:
      return fault(
        `cannot be read: ${messageOf(thrown)}`,
        'store_unreadable',
        'make sure that you can read it and its folder, and that the disk works',
      );
  }
}

/** Returns the primary result code, or undefined if this is not an error of SQLite's. */
export function sqliteCode(thrown: unknown): number | undefined {
  if (!(thrown instanceof Error) || !('errcode' in thrown) || typeof thrown.errcode !== 'number') return undefined;
  return thrown.errcode & 0xff;
}

function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
