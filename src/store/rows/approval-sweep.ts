import type { DatabaseSync, StatementSync } from 'node:sqlite';

/** Milliseconds for which the end of a question is remembered, so that whoever answers late can be told. What was decided is on record. */
const KEEP_MS = 24 * 60 * 60 * 1000;

/** Characters of a name that are kept. */
export const KEPT_NAME = 4096;

/** Nobody needs all of it once there is an answer. */
export const ERASED = `args = NULL, extra = NULL, tool = substr(tool, 1, ${KEPT_NAME}), resource = substr(resource, 1, ${KEPT_NAME}),
  prompt = substr(prompt, 1, ${KEPT_NAME})`;

/** Ends what has expired and forgets what is over. To be called in a transaction. */
export class ApprovalSweep {
  readonly #expire: StatementSync;
  readonly #forget: StatementSync;
  readonly #revoke: StatementSync;

  constructor(database: DatabaseSync) {
    this.#expire = database.prepare(
      `UPDATE approvals SET state = 'expired', ${ERASED}, answered_at = expires_at WHERE state = 'waiting' AND expires_at <= ?`,
    );
    this.#forget = database.prepare("DELETE FROM approvals WHERE asked_at <= ? AND state <> 'waiting'");
    this.#revoke = database.prepare('DELETE FROM grants WHERE expires <= ?');
  }

  /** @param now milliseconds since the epoch */
  run(now: number): void {
    this.#expire.run(now);
    this.#forget.run(now - KEEP_MS);
    this.#revoke.run(now);
  }
}
