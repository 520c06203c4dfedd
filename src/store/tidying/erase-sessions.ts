import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import { fit, inTransaction, removeFound, ROWS, type SmallSteps } from './erase.ts';

const DAY = 24 * 60 * 60 * 1000;

/** Milliseconds: what nothing looks back at any more, by far; and for how long at least and at most a session's number is kept. */
const KEEP = { calls: DAY, least: DAY, most: 366 * DAY } as const;

/** Sessions that are looked up at once. */
const PAGE = 256;

export interface EraseSessionsOptions {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Milliseconds for which events are kept: so long the name of a session is not given to another one. */
  readonly retain: number;
}

/**
 * Removes what sessions left behind that ended more than a day ago; also what is as far ahead in time, since then the clock was set back.
 * Of a session that goes on nothing is removed.
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
  const sightings = {
    find: database.prepare(
      'SELECT session, call, n, ?1, ?2 FROM sightings WHERE time < ?1 UNION ALL SELECT session, call, n, ?1, ?2 FROM sightings WHERE time > ?2 LIMIT ?3',
    ),
    given: [since, until],
    remove: database.prepare('DELETE FROM sightings WHERE session = ? AND call = ? AND n = ? AND time NOT BETWEEN ? AND ?'),
  };
  removeFound(database, sightings, steps);
  const sessions = {
    find: database.prepare('SELECT name, ?1, ?2 FROM sessions WHERE last NOT BETWEEN ?1 AND ?2 LIMIT ?3'),
    given: [Math.floor(now - Math.min(Math.max(retain, KEEP.least), KEEP.most)), until],
    remove: database.prepare('DELETE FROM sessions WHERE name = ? AND last NOT BETWEEN ? AND ?'),
  };
  removeFound(database, sessions, steps);
}

interface Ended {
  readonly table: 'session_calls' | 'session_values';
  /** When the newest row of a session that may go on was written. */
  readonly since: number;
  readonly until: number;
}

/** Removes the rows of sessions whose newest row is of another time. Only their newest rows are looked at to find them. */
function eraseEnded(database: DatabaseSync, { table, since, until }: Ended, steps: SmallSteps): void {
  const newest = (session: string): string => `(SELECT time FROM ${table} WHERE session = ${session} ORDER BY n DESC LIMIT 1)`;
  const find = database.prepare(`
    WITH RECURSIVE each (session) AS (
      SELECT min(session) FROM ${table} WHERE session >= ?3
      UNION ALL SELECT (SELECT min(session) FROM ${table} WHERE session > each.session) FROM each WHERE session IS NOT NULL)
    SELECT session FROM each WHERE session IS NOT NULL AND ${newest('each.session')} NOT BETWEEN ?1 AND ?2 LIMIT ${PAGE}`);
  // Whether it has gone on meanwhile is asked each time. The oldest go first, so that what is left is still the newest.
  const remove = database.prepare(`
    DELETE FROM ${table} WHERE session = ?3 AND ${newest('?3')} NOT BETWEEN ?1 AND ?2
      AND n <= coalesce((SELECT n FROM ${table} WHERE session = ?3 ORDER BY n LIMIT 1 OFFSET ?4),
        (SELECT max(n) FROM ${table} WHERE session = ?3))`);
  /** Removes so many rows of the first of these sessions. @returns how many sessions are done with */
  const step = (sessions: readonly SQLOutputValue[], most: number): number => {
    let room = most;
    for (const [i, session] of sessions.entries()) {
      if (room <= 0) return i;
      const removed = Number(remove.run(since, until, session, room - 1).changes);
      if (removed >= room) return i;
      // One that has gone on costs a look.
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
    // What can't be removed, since it was edited to what JavaScript can't hold, would be found for ever.
    if (found.length < PAGE || last === before) return;
  }
}
