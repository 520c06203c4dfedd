import type { DatabaseSync } from 'node:sqlite';
import { fit, inTransaction, ROWS, type SmallSteps } from './erase.ts';

export interface EraseBodiesOptions {
  /** Only what is older, in milliseconds since the epoch. */
  readonly before: number;
  /** Asked before each step. */
  readonly isEnough: () => boolean;
}

/** Few at once: each may be large. */
const MOST_AT_ONCE = 16;

/**
 * Erases the oldest of what was asked of LLM providers and answered. That it was, and its place in the chain, stays: the event is there, without
 * its body.
 */
export function eraseBodies(database: DatabaseSync, { before, isEnough }: EraseBodiesOptions, steps: SmallSteps): void {
  const find = database.prepare('SELECT seq FROM bodies WHERE time < ? ORDER BY seq LIMIT ?');
  const erase = database.prepare('UPDATE events SET body = NULL WHERE seq = ?');
  const forget = database.prepare('DELETE FROM bodies WHERE seq = ?');
  let rows: number = ROWS.least;
  while (!steps.isOver() && !isEnough()) {
    // Nobody waits while they are searched, only while they are erased.
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
