import type { DatabaseSync, StatementSync } from 'node:sqlite';

/** Milliseconds for which an ended question is kept, so that a late answer can be explained. The audit log keeps the decision. */
const KEEP_MS = 24 * 60 * 60 * 1000;

/** Most characters kept of a name. */
export const KEPT_NAME = 4096;

/** Erases what nobody needs once a question has an answer. */
export const ERASED = `args = NULL, extra = NULL, tool = substr(tool, 1, ${KEPT_NAME}), resource = substr(resource, 1, ${KEPT_NAME}),
  prompt = substr(prompt, 1, ${KEPT_NAME})`;

/** Expires questions, and removes old questions and grants. Call it in a transaction. */
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
