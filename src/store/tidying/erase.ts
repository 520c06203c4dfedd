import type { DatabaseSync, SQLInputValue, StatementSync, SQLOutputValue } from 'node:sqlite';
import { readNumber } from '../migrate.ts';
import { ApprovalSweep } from '../rows/approval-sweep.ts';

/** Cuts work into steps: `pause` runs between two, `isOver` tells when to leave the rest. */
export interface SmallSteps {
  readonly pause: () => void;
  readonly isOver: () => boolean;
}

interface EraseOptions {
  /** Erases only events that are older, in milliseconds since the epoch; any event if undefined. */
  readonly before: number | undefined;
  /** Asked before each step. */
  readonly isEnough: () => boolean;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** Milliseconds that a step should take: a writer waits for 10 at most before it gives up for a moment. */
const STEP_MS = { low: 1.5, high: 3 } as const;
const ROWS = { first: 16, least: 1, most: 512 } as const;
/** Most bytes of bodies in one step; a single body may be larger. */
const MOST_BYTES = 256 * 1024;

/**
 * Erases the oldest events, in order of commit and never the last one, and notes for each writer where its chain now begins. An event that
 * is young enough keeps those after it, so that no chain gets a hole.
 *
 * @returns how many were erased
 */
export function eraseOldest(database: DatabaseSync, { before, isEnough, now }: EraseOptions, steps: SmallSteps): number {
  const look = database.prepare('SELECT seq, time, octet_length(body) AS bytes FROM events ORDER BY seq LIMIT ?');
  const note = database.prepare(
    `INSERT INTO checkpoints (writer, n, hash, time) SELECT writer, max(n), hash, ? FROM events WHERE seq <= ? GROUP BY writer
     ON CONFLICT DO UPDATE SET n = excluded.n, hash = excluded.hash, time = excluded.time`,
  );
  const eraseEvents = database.prepare('DELETE FROM events WHERE seq <= ?');
  const forgetBodies = database.prepare('DELETE FROM bodies WHERE seq <= ?');
  let rows: number = ROWS.first;
  let erased = 0;
  for (;;) {
    if (steps.isOver() || isEnough()) return erased;
    const started = performance.now();
    const done = inTransaction(database, () => {
      const last = readNumber(database, 'SELECT max(seq) FROM events');
      let upTo: number | undefined;
      let bytes = 0;
      for (const row of look.all(rows)) {
        const isKept = Number(row['seq']) === last || (before !== undefined && Number(row['time']) >= before);
        bytes += Number(row['bytes'] ?? 0);
        if (isKept || (upTo !== undefined && bytes > MOST_BYTES)) break;
        upTo = Number(row['seq']);
      }
      if (upTo === undefined) return 0;
      note.run(now, upTo);
      forgetBodies.run(upTo);
      return Number(eraseEvents.run(upTo).changes);
    });
    if (done === 0) return erased;
    erased += done;
    rows = fit(rows, performance.now() - started);
    steps.pause();
  }
}

/** Removes expired state and expired questions. */
export function removeExpired(database: DatabaseSync, now: number, steps: SmallSteps): void {
  inTransaction(database, () => new ApprovalSweep(database).run(now));
  const find = database.prepare('SELECT scope, key, ?1 FROM state WHERE expires <= ?1 LIMIT ?2');
  const remove = database.prepare('DELETE FROM state WHERE scope = ? AND key = ? AND expires <= ?');
  removeFound(database, { find, given: [now], remove }, steps);
}

interface Removal {
  /** Returns the values to run `remove` with; it takes `given` and a limit. */
  readonly find: StatementSync;
  readonly given: readonly SQLInputValue[];
  /** Removes one row if it still qualifies, since others may have written meanwhile. */
  readonly remove: StatementSync;
}

/** Removes all rows that `find` finds, a few at a time. Writers wait only during the removal, not during the search. */
function removeFound(database: DatabaseSync, { find, given, remove }: Removal, steps: SmallSteps): void {
  let rows: number = ROWS.first;
  while (!steps.isOver()) {
    const found = find.all(...given, rows);
    const started = performance.now();
    const removed = inTransaction(database, () => {
      let count = 0;
      for (const row of found) count += Number(remove.run(...Object.values(row)).changes);
      return count;
    });
    // A row that is found but can't be removed would be found for ever.
    if (removed === 0) return;
    rows = fit(rows, performance.now() - started);
    steps.pause();
  }
}

/** Chooses how many rows the next step takes, by how long the last one took. */
function fit(rows: number, took: number): number {
  if (took > STEP_MS.high) return Math.max(ROWS.least, Math.floor(rows / 2));
  return took < STEP_MS.low ? Math.min(ROWS.most, rows * 2) : rows;
}

function inTransaction<T>(database: DatabaseSync, work: () => T): T {
  database.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    database.exec('COMMIT');
    return result;
  } catch (thrown) {
    if (database.isTransaction) database.exec('ROLLBACK');
    throw thrown;
  }
}

interface EraseBodiesOptions {
  /** Erases only what is older, in milliseconds since the epoch. */
  readonly before: number;
  /** Asked before each step. */
  readonly isEnough: () => boolean;
}

/** Most bodies per step, since each may be large. */
const MOST_AT_ONCE = 16;

/** Erases the oldest bodies of requests to LLM providers and their answers. The event and its place in the chain stay. */
export function eraseBodies(database: DatabaseSync, { before, isEnough }: EraseBodiesOptions, steps: SmallSteps): void {
  const find = database.prepare('SELECT seq FROM bodies WHERE time < ? ORDER BY seq LIMIT ?');
  const erase = database.prepare('UPDATE events SET body = NULL WHERE seq = ?');
  const forget = database.prepare('DELETE FROM bodies WHERE seq = ?');
  let rows: number = ROWS.least;
  while (!steps.isOver() && !isEnough()) {
    // Writers wait only during the erasing, not during the search.
    const found = find.all(before, rows).map(({ seq }) => Number(seq));
    if (found.length === 0) return;
    const started = performance.now();
    inTransaction(database, () => {
      for (const seq of found) {
        erase.run(seq);
        forget.run(seq);
      }
    });
    rows = Math.min(fit(rows, performance.now() - started), MOST_AT_ONCE);
    steps.pause();
  }
}

const DAY = 24 * 60 * 60 * 1000;

/** Milliseconds: the age after which no call is looked back at, by far; and the least and most that a session's number is kept. */
const KEEP = { calls: DAY, least: DAY, most: 366 * DAY } as const;

/** Sessions looked up at once. */
const PAGE = 256;

interface EraseSessionsOptions {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Milliseconds for which events are kept: a session's name is not reused for that long. */
  readonly retain: number;
}

/**
 * Removes what sessions left behind that ended more than a day ago. It also removes what is more than a day in the future, since then the
 * clock was set back. Sessions that go on lose nothing.
 */
export function eraseSessions(database: DatabaseSync, { now, retain }: EraseSessionsOptions, steps: SmallSteps): void {
  const [since, until] = [now - KEEP.calls, now + KEEP.calls];
  for (const table of ['session_calls', 'session_values'] as const) eraseEnded(database, { table, since, until }, steps);
  const servers = {
    find: database.prepare('SELECT session, server, ?1, ?2 FROM session_servers WHERE time NOT BETWEEN ?1 AND ?2 LIMIT ?3'),
    given: [since, until],
    remove: database.prepare('DELETE FROM session_servers WHERE session = ? AND server = ? AND time NOT BETWEEN ? AND ?'),
  };
  removeFound(database, servers, steps);
  const seenCalls = {
    find: database.prepare(
      'SELECT session, call, n, ?1, ?2 FROM sightings WHERE time < ?1 UNION ALL SELECT session, call, n, ?1, ?2 FROM sightings WHERE time > ?2 LIMIT ?3',
    ),
    given: [since, until],
    remove: database.prepare('DELETE FROM sightings WHERE session = ? AND call = ? AND n = ? AND time NOT BETWEEN ? AND ?'),
  };
  removeFound(database, seenCalls, steps);
  const sessions = {
    find: database.prepare('SELECT name, ?1, ?2 FROM sessions WHERE last NOT BETWEEN ?1 AND ?2 LIMIT ?3'),
    given: [Math.floor(now - Math.min(Math.max(retain, KEEP.least), KEEP.most)), until],
    remove: database.prepare('DELETE FROM sessions WHERE name = ? AND last NOT BETWEEN ? AND ?'),
  };
  removeFound(database, sessions, steps);
}

interface Ended {
  readonly table: 'session_calls' | 'session_values';
  /** The times between which the newest row of a live session lies. */
  readonly since: number;
  readonly until: number;
}

/** Removes the rows of sessions whose newest row lies outside the times. To find them it reads only their newest rows. */
function eraseEnded(database: DatabaseSync, { table, since, until }: Ended, steps: SmallSteps): void {
  const newest = (session: string): string => `(SELECT time FROM ${table} WHERE session = ${session} ORDER BY n DESC LIMIT 1)`;
  const find = database.prepare(`
    WITH RECURSIVE each (session) AS (
      SELECT min(session) FROM ${table} WHERE session >= ?3
      UNION ALL SELECT (SELECT min(session) FROM ${table} WHERE session > each.session) FROM each WHERE session IS NOT NULL)
    SELECT session FROM each WHERE session IS NOT NULL AND ${newest('each.session')} NOT BETWEEN ?1 AND ?2 LIMIT ${PAGE}`);
  // Each removal checks again whether the session went on. The oldest rows go first, so that the newest is left until the end.
  const remove = database.prepare(`
    DELETE FROM ${table} WHERE session = ?3 AND ${newest('?3')} NOT BETWEEN ?1 AND ?2
      AND n <= coalesce((SELECT n FROM ${table} WHERE session = ?3 ORDER BY n LIMIT 1 OFFSET ?4),
        (SELECT max(n) FROM ${table} WHERE session = ?3))`);
  /** Removes at most `most` rows from these sessions in turn. @returns how many sessions are finished */
  const step = (sessions: readonly SQLOutputValue[], most: number): number => {
    let room = most;
    for (const [i, session] of sessions.entries()) {
      if (room <= 0) return i;
      const removed = Number(remove.run(since, until, session, room - 1).changes);
      if (removed >= room) return i;
      // A session that went on still costs a lookup.
      room -= Math.max(removed, 1);
    }
    return sessions.length;
  };
  let last: SQLOutputValue = '';
  let rows: number = ROWS.first;
  for (;;) {
    const found: readonly SQLOutputValue[] = find.all(since, until, last).map(({ session }) => session ?? null);
    const before: SQLOutputValue = last;
    last = found.at(-1) ?? null;
    for (let done = 0; done < found.length;) {
      if (steps.isOver()) return;
      const started = performance.now();
      done += inTransaction(database, () => step(found.slice(done), rows));
      rows = fit(rows, performance.now() - started);
      steps.pause();
    }
    // A row whose edited values JavaScript can't hold can't be removed, and would be found for ever.
    if (found.length < PAGE || last === before) return;
  }
}
