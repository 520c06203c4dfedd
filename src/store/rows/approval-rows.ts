import type { DatabaseSync, SQLOutputValue, StatementSync } from 'node:sqlite';
import type {
  AnswerOutcome,
  AskOutcome,
  FloodLimit,
  GivenAnswer,
  Question,
  QuestionStatus,
  Remember,
} from '../../gate/ports/approval-port.ts';
import { ApprovalSweep, ERASED, KEPT_NAME } from './approval-sweep.ts';

type Row = Readonly<Record<string, SQLOutputValue>>;

/** Milliseconds without any event after which a session is over, even if its client still runs. */
const IDLE_MS = 30 * 60 * 1000;

const STATUS = 'state, answered_at, answered_by, remember';

/** The status of a question whose row is gone. */
const LOST: QuestionStatus = { state: 'withdrawn', by: undefined, remember: undefined, answeredAt: undefined };

/** The questions in an open store. Call every method inside a transaction. Errors are SQLite's. */
export class ApprovalRows {
  readonly #sweep: ApprovalSweep;
  readonly #granted: StatementSync;
  readonly #longestPause: StatementSync;
  readonly #use: StatementSync;
  readonly #revoke: StatementSync;
  readonly #recent: StatementSync;
  readonly #insert: StatementSync;
  readonly #status: StatementSync;
  readonly #end: StatementSync;
  readonly #waiting: StatementSync;
  readonly #find: StatementSync;
  readonly #answer: StatementSync;
  readonly #grant: StatementSync;

  constructor(database: DatabaseSync) {
    this.#sweep = new ApprovalSweep(database);
    this.#granted = database.prepare(
      'SELECT approval, granted_by, used FROM grants WHERE session = ? AND fingerprint = ? AND expires > ?',
    );
    this.#longestPause = database.prepare(
      `SELECT max(pause) AS pause FROM (
         SELECT time - lag(time) OVER (ORDER BY time) AS pause FROM (
           SELECT ?2 AS time UNION ALL SELECT ?3
           UNION ALL SELECT time FROM events INDEXED BY events_time WHERE time > ?2 AND time < ?3 AND session = ?1))`,
    );
    this.#use = database.prepare('UPDATE grants SET used = ? WHERE session = ? AND fingerprint = ?');
    this.#revoke = database.prepare('DELETE FROM grants WHERE session = ? AND used < ?');
    this.#recent = database.prepare('SELECT count(*) AS n FROM approvals WHERE asked_at > ? AND server = ?');
    this.#insert = database.prepare(
      `INSERT INTO approvals (id, session, server, method, tool, resource, prompt, rule, description, policy_file, rule_index, summary, args, args_length,
         extra, fingerprint, can_remember, asked_at, expires_at, asker_pid, asker_started, state)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'waiting')`,
    );
    this.#status = database.prepare(`SELECT id, ${STATUS} FROM approvals WHERE id IN (SELECT value FROM json_each(?))`);
    this.#end = database.prepare(
      `UPDATE approvals SET state = ?, ${ERASED}, answered_at = ?
       WHERE state = 'waiting' AND id IN (SELECT value FROM json_each(?))`,
    );
    this.#waiting = database.prepare(
      "SELECT * FROM approvals WHERE state = 'waiting' AND expires_at > ? ORDER BY asked_at, rowid",
    );
    this.#find = database.prepare('SELECT * FROM approvals WHERE id = ?');
    this.#answer = database.prepare(
      `UPDATE approvals SET state = ?, ${ERASED}, answered_at = ?, answered_by = ?, remember = ? WHERE id = ?`,
    );
    this.#grant = database.prepare(
      `INSERT OR REPLACE INTO grants (session, fingerprint, server, method, subject, approval, granted_by, expires, used)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    );
  }

  ask(question: Question, { most, within }: FloodLimit): AskOutcome {
    const { session, server, fingerprint, askedAt, canRemember } = question;
    this.#sweep.run(askedAt);
    const granted = canRemember ? this.#granted.get(session, fingerprint, askedAt) : undefined;
    if (granted !== undefined && this.#isInSession(session, { since: Number(granted['used']), now: askedAt })) {
      this.#use.run(askedAt, session, fingerprint);
      return { kind: 'remembered', id: String(granted['approval']), by: String(granted['granted_by']) };
    }
    if (Number(this.#recent.get(askedAt - within, server)?.['n']) >= most) return { kind: 'flood' };
    this.#insert.run(
      question.id,
      session,
      server,
      question.method,
      question.tool ?? null,
      question.resource ?? null,
      question.prompt ?? null,
      question.rule ?? null,
      question.description ?? null,
      question.policyFile ?? null,
      question.ruleIndex ?? null,
      question.summary,
      question.args ?? null,
      question.argsLength,
      question.extra ?? null,
      fingerprint,
      canRemember ? 1 : 0,
      askedAt,
      question.expiresAt,
      question.asker.pid,
      question.asker.started,
    );
    return { kind: 'waiting' };
  }

  /**
   * Tells whether that session has been going on since then. If not, it was another session under the same name, and its grants are
   * revoked.
   */
  #isInSession(session: string, { since, now }: { readonly since: number; readonly now: number }): boolean {
    if (Number(this.#longestPause.get(session, since, now)?.['pause']) < IDLE_MS) return true;
    this.#revoke.run(session, now - IDLE_MS);
    return false;
  }

  ended(ids: readonly string[]): ReadonlyMap<string, QuestionStatus> {
    const found = new Map(this.#status.all(JSON.stringify(ids)).map((row) => [String(row['id']), toStatus(row)]));
    const ended = new Map<string, QuestionStatus>();
    for (const id of ids) {
      const status = found.get(id) ?? LOST;
      if (status.state !== 'waiting') ended.set(id, status);
    }
    return ended;
  }

  end(ids: readonly string[], state: 'expired' | 'withdrawn', now: number): ReadonlyMap<string, QuestionStatus> {
    this.#end.run(state, now, JSON.stringify(ids));
    return this.ended(ids);
  }

  waiting(now: number): readonly Question[] {
    this.#sweep.run(now);
    return this.#waiting.all(now).map(toQuestion);
  }

  find(id: string): (Question & QuestionStatus) | null {
    const row = this.#find.get(id);
    return row === undefined ? null : { ...toQuestion(row), ...toStatus(row) };
  }

  answer(
    id: string,
    answer: GivenAnswer,
    { now, grantedUntil }: { readonly now: number; readonly grantedUntil: number },
  ): AnswerOutcome {
    this.#sweep.run(now);
    const question = this.find(id);
    if (question === null) return { kind: 'unknown' };
    const { state, by, remember, answeredAt } = question;
    if (state !== 'waiting') return { kind: 'late', status: { state, by, remember, answeredAt } };
    const isForSession = answer.state === 'granted' && answer.remember === 'session';
    if (isForSession && !question.canRemember) throw new Error('a grant for the session would be one to everything');
    this.#answer.run(answer.state, now, answer.by, answer.remember, id);
    if (isForSession) {
      const { session, fingerprint, server, method, tool, resource, prompt } = question;
      const subject = (tool ?? resource ?? prompt)?.slice(0, KEPT_NAME).toWellFormed() ?? null;
      this.#grant.run(session, fingerprint, server, method, subject, id, answer.by, grantedUntil, now);
    }
    return { kind: 'taken' };
  }
}

function toQuestion(row: Row): Question {
  return {
    id: String(row['id']),
    session: String(row['session']),
    server: String(row['server']),
    method: String(row['method']),
    tool: textOf(row['tool']),
    resource: textOf(row['resource']),
    prompt: textOf(row['prompt']),
    rule: textOf(row['rule']),
    description: textOf(row['description']),
    policyFile: textOf(row['policy_file']),
    ruleIndex: numberOf(row['rule_index']),
    summary: String(row['summary']),
    args: textOf(row['args']),
    argsLength: Number(row['args_length']),
    extra: textOf(row['extra']),
    fingerprint: String(row['fingerprint']),
    canRemember: row['can_remember'] === 1,
    askedAt: Number(row['asked_at']),
    expiresAt: Number(row['expires_at']),
    asker: { pid: Number(row['asker_pid']), started: String(row['asker_started']) },
  };
}

function toStatus(row: Row): QuestionStatus {
  return {
    state: String(row['state']) as QuestionStatus['state'],
    by: textOf(row['answered_by']),
    remember: textOf(row['remember']) as Remember | undefined,
    answeredAt: numberOf(row['answered_at']),
  };
}

function numberOf(value: SQLOutputValue | undefined): number | undefined {
  return value === null || value === undefined ? undefined : Number(value);
}

function textOf(value: SQLOutputValue | undefined): string | undefined {
  return value === null || value === undefined ? undefined : String(value);
}
