import type { DatabaseSync, SQLOutputValue, StatementSync } from 'node:sqlite';
import { ClawaiError, type ErrorCode } from '../../errors.ts';
import { toCondition, type EventQuery, type SqlValue } from './read-query.ts';

/** An event as it is stored. Numbers beyond what JavaScript holds exactly are cut to the nearest that it does. */
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
  /** The event as JSON; null where it was erased. */
  readonly body: string | null;
}

/** An event as a link of its writer's chain. */
interface ChainedEvent extends StoredEvent {
  /** Id of the process that wrote it, and its place in that one's chain, from 1. */
  readonly writer: number;
  readonly n: number;
  readonly body_hash: Uint8Array;
  readonly hash: Uint8Array;
}

interface WriterRow {
  readonly id: number;
  readonly name: string;
}

/** Where a writer's chain begins since its oldest events were erased: the last one that was. */
interface CheckpointRow {
  readonly writer: number;
  readonly n: number;
  readonly hash: Uint8Array;
}

/** What is held at once: so many events, or so many characters of them. */
const PAGE = { events: 500, characters: 1_000_000 } as const;
const MOST = Number.MAX_SAFE_INTEGER;

// An edited number that JavaScript cannot hold would make the row unreadable rather than wrong.
const exact = (column: string): string => `max(min(e.${column}, ${MOST}), -${MOST}) AS ${column}`;
const COLUMNS = `e.seq, ${exact('time')}, e.type, e.session, e.server, e.tool, e.action, e.severity, e.body`;
const CHAIN_COLUMNS = `${COLUMNS}, ${exact('writer')}, ${exact('n')}, e.body_hash, e.hash`;

/** A store that is open for reading. Each method throws ClawaiError `store_*` where the file turns out not to be readable. */
export class StoreReader {
  readonly #file: string;
  readonly #database: DatabaseSync;

  constructor(file: string, database: DatabaseSync) {
    this.#file = file;
    this.#database = database;
  }

  /**
   * The events that a query asks for, oldest first: by time where it names times, by their order of commit otherwise. Between two
   * pages nothing is kept open, so that whoever stops reading for an hour does not keep the store from being tidied.
   */
  events(query: EventQuery): Generator<StoredEvent, void, void> {
    return this.#walk<StoredEvent>(query, COLUMNS);
  }

  /** As `events`, with the links of their chains. */
  chained(query: EventQuery): Generator<ChainedEvent, void, void> {
    return this.#walk<ChainedEvent>(query, CHAIN_COLUMNS);
  }

  *#walk<Row extends StoredEvent>(query: EventQuery, columns: string): Generator<Row, void, void> {
    const isByTime = byTime(query);
    // What is left of `since` and `after` is where the first page starts; said twice, SQLite would heed the weaker one.
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
   * The newest events that a query asks for, at most `limit`, oldest first. They are chosen when the first one is asked for; one that
   * is erased meanwhile is left out.
   */
  *newest(query: EventQuery, limit: number): Generator<StoredEvent, void, void> {
    const { sql, values } = this.#where(query);
    // Without a time the table is walked in its own order: through the index every row would be a jump.
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

  /** The events in whose bodies all of these texts stand, in their order of commit; at most `limit`. One pass over all events. */
  mentioning(texts: readonly string[], limit: number): StoredEvent[] {
    const condition = texts.map(() => 'instr(e.body, ?) > 0').join(' AND ');
    return this.#guard(() =>
      this.#database
        .prepare(`SELECT ${COLUMNS} FROM events e WHERE e.seq <= ${MOST} AND ${condition} ORDER BY e.seq LIMIT ?`)
        .all(...texts, limit)
        .map((row) => toRow<StoredEvent>(row)),
    );
  }

  /** The newest event's `seq`, 0 where there is none. */
  lastSeq(): number {
    return this.#guard(() => {
      const row = this.#database.prepare(`SELECT max(seq) AS last FROM events WHERE seq <= ${MOST}`).get();
      return Number(row?.['last'] ?? 0);
    });
  }

  /** The bounds of what was committed between the first and the last event of a time; undefined where there is none. */
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

  /** For each session, when its newest event was, in milliseconds since the epoch. One pass over all events. */
  sessions(): Map<string, number> {
    const rows = this.#all<{ readonly session: string; readonly time: number }>(
      `SELECT e.session, max(min(max(e.time), ${MOST}), -${MOST}) AS time FROM events e GROUP BY e.session`,
    );
    return new Map(rows.map(({ session, time }) => [session, time]));
  }

  writers(): WriterRow[] {
    return this.#all<WriterRow>('SELECT id, name FROM writers ORDER BY id');
  }

  checkpoints(): CheckpointRow[] {
    return this.#all<CheckpointRow>('SELECT writer, n, hash FROM checkpoints ORDER BY writer');
  }

  /**
   * Until `close`, everything is read as it is now, whatever is written or erased meanwhile. Not so in a store without a write-ahead
   * log, where it would keep others from writing.
   */
  holdStill(): void {
    this.#guard(() => {
      if (this.#database.prepare('PRAGMA journal_mode').get()?.['journal_mode'] !== 'wal') return;
      // The first read is what fixes the state.
      this.#database.exec('BEGIN; SELECT 1 FROM sqlite_schema LIMIT 1');
    });
  }

  close(): void {
    this.#database.close();
  }

  /**
   * A query as SQL alone. For globs, the names that they match are looked up first, among the events that all of `query` asks for:
   * there are far fewer names than events.
   *
   * @param asked what of the query the result is to hold
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

/** Is this looked up in the index of times, and in its order? */
function byTime(query: EventQuery): boolean {
  return query.since !== undefined || query.until !== undefined;
}

/** The tables are strict, so the columns of a row have the types that the schema names. */
function toRow<Row>(row: Record<string, SQLOutputValue>): Row {
  return row as Row;
}

/** SQLite's result codes that have something to say to people: https://www.sqlite.org/rescode.html */
const SQLITE = { error: 1, busy: 5, locked: 6, corrupt: 11, notADatabase: 26 } as const;

const LEAVE_IT = 'move the file away, and clawai starts a new one; keep the old one if it may be evidence';

/** What SQLite reported about a store that is only read, as an error for people. What SQLite did not report is returned as it is. */
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
      // What is asked for is fixed, so it is the tables that are other than they should be.
      return fault(`is damaged: ${messageOf(thrown)}`, 'store_corrupt', LEAVE_IT);
    default:
      return fault(
        `cannot be read: ${messageOf(thrown)}`,
        'store_unreadable',
        'make sure that you can read it and its folder, and that the disk works',
      );
  }
}

/** The primary result code, or undefined where this is no error of SQLite's. */
export function sqliteCode(thrown: unknown): number | undefined {
  if (!(thrown instanceof Error) || !('errcode' in thrown) || typeof thrown.errcode !== 'number') return undefined;
  return thrown.errcode & 0xff;
}

function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
