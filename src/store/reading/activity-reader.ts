import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import { toReadFault } from './read.ts';

type Row = Readonly<Record<string, SQLOutputValue>>;

/** The calls of a session, counted. Times are milliseconds since the epoch. */
export interface SessionActivity {
  readonly session: string;
  readonly first: number;
  readonly last: number;
  readonly calls: number;
  readonly denied: number;
  readonly servers: number;
}

/** The calls of a server in one minute. */
export interface MinuteActivity {
  readonly server: string;
  /** Minutes since the epoch. */
  readonly minute: number;
  readonly allowed: number;
  readonly denied: number;
}

/** The recorded calls that a rule decided. */
export interface RuleActivity {
  /** The rule's name as on record. */
  readonly rule: string;
  /** The hash of the policy that decided. */
  readonly policy: string;
  readonly calls: number;
  /** Milliseconds since the epoch. */
  readonly last: number;
}

/** Rows of a tally; whoever has more sessions or rules sees the newest. */
const MOST_ROWS = 500;

/** Counts what a store holds, in SQL, so that a hundred thousand events take a moment. Each method throws ClawaiError `store_*`. */
export class ActivityReader {
  readonly #file: string;
  readonly #database: DatabaseSync;
  readonly #types: string;
  readonly #hasQuestions: boolean;

  /** @param types the types of events that are calls */
  constructor(file: string, database: DatabaseSync, types: readonly string[]) {
    this.#file = file;
    this.#database = database;
    this.#types = JSON.stringify(types);
    this.#hasQuestions = this.#all("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'approvals'").length > 0;
  }

  /** Sessions with calls, the one that was active last first. */
  sessions(): readonly SessionActivity[] {
    return this.#all(
      `SELECT session, min(time) AS first, max(time) AS last, count(*) AS calls, sum(action = 'block') AS denied,
         count(DISTINCT server) AS servers
       FROM events WHERE type IN (SELECT value FROM json_each(?)) GROUP BY session ORDER BY last DESC LIMIT ${MOST_ROWS}`,
      this.#types,
    ).map((row) => ({ session: String(row['session']), servers: Number(row['servers']), ...timesOf(row), ...callsOf(row) }));
  }

  /** Calls by server and minute. @param since milliseconds since the epoch */
  minutes(since: number): readonly MinuteActivity[] {
    return this.#all(
      `SELECT server, time / 60000 AS minute, sum(action = 'allow') AS allowed, sum(action = 'block') AS denied
       FROM events INDEXED BY events_time WHERE time >= ? AND type IN (SELECT value FROM json_each(?)) GROUP BY server, minute`,
      since,
      this.#types,
    ).map((row) => ({
      server: String(row['server']),
      minute: Number(row['minute']),
      allowed: Number(row['allowed']),
      denied: Number(row['denied']),
    }));
  }

  /** Rules that have decided calls, those that decided last first. An edited body may not be JSON. */
  rules(): readonly RuleActivity[] {
    return this.#all(
      `SELECT body ->> '$.rule' AS rule, body ->> '$.policy_hash' AS policy, count(*) AS calls, max(time) AS last
       FROM events WHERE type IN (SELECT value FROM json_each(?)) AND CASE WHEN json_valid(body) THEN body ->> '$.rule' END IS NOT NULL
       GROUP BY rule, policy ORDER BY last DESC LIMIT ${MOST_ROWS}`,
      this.#types,
    ).map((row) => ({
      rule: String(row['rule']),
      policy: String(row['policy'] ?? ''),
      calls: Number(row['calls']),
      last: Number(row['last']),
    }));
  }

  /** Ids of the questions that wait, as one text, which changes if they do. It takes no lock that a call could wait for. */
  waiting(now: number): string {
    if (!this.#hasQuestions) return '';
    return this.#all("SELECT id FROM approvals WHERE state = 'waiting' AND expires_at > ? ORDER BY rowid", now)
      .map(({ id }) => String(id))
      .join(' ');
  }

  close(): void {
    this.#database.close();
  }

  #all(sql: string, ...values: readonly (string | number)[]): readonly Row[] {
    try {
      return this.#database.prepare(sql).all(...values);
    } catch (thrown) {
      throw toReadFault(this.#file, thrown);
    }
  }
}

function timesOf(row: Row): Pick<SessionActivity, 'first' | 'last'> {
  return { first: Number(row['first']), last: Number(row['last']) };
}

function callsOf(row: Row): Pick<SessionActivity, 'calls' | 'denied'> {
  return { calls: Number(row['calls']), denied: Number(row['denied']) };
}
