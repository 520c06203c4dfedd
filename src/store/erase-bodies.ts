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
  // In so many words as the index has it.
  const erase = database.prepare(`
    UPDATE events SET body = NULL WHERE seq IN (
      SELECT seq FROM events INDEXED BY events_bodies
      WHERE type IN ('llm_request_body', 'llm_answer_body') AND body IS NOT NULL AND time < ? ORDER BY time LIMIT ?)`);
  let rows: number = ROWS.least;
  while (!steps.isOver() && !isEnough()) {
    const started = performance.now();
    const { changes } = inTransaction(database, () => erase.run(before, rows));
    if (Number(changes) === 0) return;
    rows = Math.min(fit(rows, performance.now() - started), MOST_AT_ONCE);
    steps.pause();
  }
}
