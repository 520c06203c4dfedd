import type { DatabaseSync, StatementSync } from 'node:sqlite';

/** After so many writes, so many rows are looked at: removing what has expired costs each write next to nothing. */
const SWEEP = { writes: 32, rows: 64 } as const;

/** The table `state`. Rows that have expired are not there, whether they were removed yet or not. */
export class StateRows {
  readonly #read: StatementSync;
  readonly #write: StatementSync;
  readonly #look: StatementSync;
  readonly #remove: StatementSync;
  #writes = 0;
  /** The latest time that anybody told us; nothing is removed before that. */
  #now = Number.NEGATIVE_INFINITY;
  /** The row at which the next look begins. */
  #place = { scope: '', key: '' };

  constructor(database: DatabaseSync) {
    this.#read = database.prepare('SELECT value, expires FROM state WHERE scope = ? AND key = ?');
    this.#write = database.prepare(
      `INSERT INTO state (scope, key, value, expires) VALUES (?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET value = excluded.value, expires = excluded.expires`,
    );
    this.#look = database.prepare(
      `SELECT scope, key, expires FROM state WHERE (scope, key) > (?, ?) ORDER BY scope, key LIMIT ${SWEEP.rows}`,
    );
    this.#remove = database.prepare('DELETE FROM state WHERE scope = ? AND key = ?');
  }

  read(scope: string, key: string, now: number): string | undefined {
    this.#now = now;
    const row = this.#read.get(scope, key);
    return row !== undefined && Number(row['expires']) > now ? String(row['value']) : undefined;
  }

  write(scope: string, key: string, value: string, expires: number): void {
    this.#writes++;
    // Before the write, so that it can't take away what was written just now with a time that has passed.
    if (this.#writes % SWEEP.writes === 0) this.#sweep();
    this.#write.run(scope, key, value, expires);
  }

  /** Removes what has expired among the next few rows, going round and round. */
  #sweep(): void {
    const rows = this.#look.all(this.#place.scope, this.#place.key);
    const last = rows.length === SWEEP.rows ? rows.at(-1) : undefined;
    this.#place = { scope: String(last?.['scope'] ?? ''), key: String(last?.['key'] ?? '') };
    for (const { scope, key, expires } of rows) {
      if (Number(expires) <= this.#now) this.#remove.run(scope ?? null, key ?? null);
    }
  }
}
