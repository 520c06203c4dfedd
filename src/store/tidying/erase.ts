import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { ApprovalSweep } from '../rows/approval-sweep.ts';
import { readNumber } from '../migrate.ts';

/** How work is cut into steps: what happens between two, and when to leave the rest. */
export interface SmallSteps {
  readonly pause: () => void;
  readonly isOver: () => boolean;
}

export interface EraseOptions {
  /** Only events that are older, in milliseconds since the epoch; any where undefined. */
  readonly before: number | undefined;
  /** Asked before each step. */
  readonly isEnough: () => boolean;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** Milliseconds that a step should take: whoever wants to write meanwhile waits 10 at most, then gives up for a moment. */
const STEP_MS = { low: 1.5, high: 3 } as const;
export const ROWS = { first: 16, least: 1, most: 512 } as const;
/** Bodies' bytes in one step: a single one may be large. */
const MOST_BYTES = 256 * 1024;

/**
 * Erases the oldest events, in order of their commit and never the last one, and notes for each writer where its chain begins now.
 * An event that is young enough keeps those after it, so that no chain gets a hole.
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

/** Removes what has expired of the state, and of the questions to a person. */
export function removeExpired(database: DatabaseSync, now: number, steps: SmallSteps): void {
  inTransaction(database, () => new ApprovalSweep(database).run(now));
  const find = database.prepare('SELECT scope, key, ?1 FROM state WHERE expires <= ?1 LIMIT ?2');
  const remove = database.prepare('DELETE FROM state WHERE scope = ? AND key = ? AND expires <= ?');
  removeFound(database, { find, given: [now], remove }, steps);
}

export interface Removal {
  /** Gives what `remove` is to be run with, from `given` and at most how many. */
  readonly find: StatementSync;
  readonly given: readonly SQLInputValue[];
  /** Removes one row where that is still to go, since others may have written meanwhile. */
  readonly remove: StatementSync;
}

/** Removes all that is found, few at a time. Nobody waits while it is searched, only while it is removed. */
export function removeFound(database: DatabaseSync, { find, given, remove }: Removal, steps: SmallSteps): void {
  let rows: number = ROWS.first;
  while (!steps.isOver()) {
    const found = find.all(...given, rows);
    const started = performance.now();
    const removed = inTransaction(database, () => {
      let count = 0;
      for (const row of found) count += Number(remove.run(...Object.values(row)).changes);
      return count;
    });
    // What is found and can't be removed would be found for ever.
    if (removed === 0) return;
    rows = fit(rows, performance.now() - started);
    steps.pause();
  }
}

/** How many rows the next step takes, seen from how long the last one did. */
export function fit(rows: number, took: number): number {
  if (took > STEP_MS.high) return Math.max(ROWS.least, Math.floor(rows / 2));
  return took < STEP_MS.low ? Math.min(ROWS.most, rows * 2) : rows;
}

export function inTransaction<T>(database: DatabaseSync, work: () => T): T {
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
