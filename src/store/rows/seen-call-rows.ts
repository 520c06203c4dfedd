import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import type { DigestedCalls, Granted, StoredCall, SeenCall } from '../../gate/ports/seen-call-port.ts';
import { fromKey, toKey } from './name-key.ts';
import { Statements } from './session-rows.ts';

/** Most seen calls kept of one call, the newest ones: a model that repeats itself must not make us read ever more. */
export const MOST_OF_ONE_CALL = 64;

const SELECT = `SELECT session, n, max(min(time, 8.64e15), 0) AS time, event, tool_use, denied, question, approval, granted_by, remember
  FROM sightings`;

const SQL = {
  add: `INSERT INTO sightings (session, call, n, time, event, tool_use, denied, question, approval, granted_by, remember)
    VALUES (?1, ?2, (SELECT coalesce(max(n), 0) + 1 FROM sightings WHERE session = ?1 AND call = ?2), ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)`,
  bound: `DELETE FROM sightings WHERE session = ?1 AND call = ?2
    AND n <= (SELECT max(n) FROM sightings WHERE session = ?1 AND call = ?2) - ${MOST_OF_ONE_CALL}`,
  of: `${SELECT} WHERE session = ? AND call = ? AND n BETWEEN 1 AND ${2 ** 52} ORDER BY n LIMIT ${MOST_OF_ONE_CALL}`,
  named: `${SELECT} WHERE call = ? AND tool_use = ? AND n BETWEEN 1 AND ${2 ** 52} ORDER BY time, n LIMIT ${MOST_OF_ONE_CALL}`,
  any: 'SELECT 1 FROM sightings LIMIT 1',
  remove: 'DELETE FROM sightings WHERE session = ? AND call = ? AND n = ?',
} as const;

/**
 * The table of seen calls in an open store. Tidying removes seen calls whose call never came. Call every method inside a transaction. Errors
 * are SQLite's.
 */
export class SeenCallRows implements DigestedCalls {
  readonly #statements: Statements;

  constructor(database: DatabaseSync) {
    this.#statements = new Statements(database);
  }

  add(session: string, call: string, { record, time, toolUseId, isDenied, granted }: SeenCall): void {
    const key = toKey(session);
    this.#statements
      .get(SQL.add)
      .run(
        key,
        call,
        time,
        toKey(record),
        toKey(toolUseId),
        isDenied ? 1 : 0,
        granted?.question ?? null,
        granted?.id ?? null,
        granted?.by ?? null,
        granted?.remember ?? null,
      );
    this.#statements.get(SQL.bound).run(key, call);
  }

  of(session: string, call: string): readonly StoredCall[] {
    return this.#statements.get(SQL.of).all(toKey(session), call).map(toSeenCall);
  }

  named(call: string, toolUseId: string): readonly StoredCall[] {
    return this.#statements.get(SQL.named).all(call, toKey(toolUseId)).map(toSeenCall);
  }

  get isEmpty(): boolean {
    return this.#statements.get(SQL.any).get() === undefined;
  }

  remove(session: string, call: string, n: number): void {
    this.#statements.get(SQL.remove).run(toKey(session), call, n);
  }
}

function toSeenCall(row: Readonly<Record<string, SQLOutputValue>>): StoredCall {
  return {
    session: fromKey(String(row['session'])),
    n: Number(row['n']),
    record: fromKey(String(row['event'])),
    time: Number(row['time']),
    toolUseId: fromKey(String(row['tool_use'])),
    // Any other value, which only an edit can write, counts as denied.
    isDenied: row['denied'] !== 0,
    granted: toGranted(row),
  };
}

function toGranted(row: Readonly<Record<string, SQLOutputValue>>): Granted | undefined {
  const { question, approval, granted_by: by, remember } = row;
  if (typeof question !== 'string') return undefined;
  return {
    question,
    id: typeof approval === 'string' ? approval : undefined,
    by: typeof by === 'string' ? by : undefined,
    remember: remember === 'once' || remember === 'session' || remember === 'always' ? remember : undefined,
  };
}
