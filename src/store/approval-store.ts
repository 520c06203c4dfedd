import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type {
  AnswerOutcome,
  AskOutcome,
  FloodLimit,
  GivenAnswer,
  Question,
  QuestionStatus,
  QuestionStore,
} from '../gate/ports/approval-port.ts';
import { ApprovalRows } from './rows/approval-rows.ts';
import { closeWatched } from './close-soon.ts';
import { FileWatch } from './file-watch.ts';
import { openWriter, type WriterOptions } from './open-writer.ts';
import { isBusy, toWriteFault } from './write-fault.ts';

/** Expiry of a notice that was shown: a person is never told twice. */
const NEVER = Number.MAX_SAFE_INTEGER;

interface Opened {
  readonly database: DatabaseSync;
  readonly rows: ApprovalRows;
  readonly watch: FileWatch;
  readonly dataVersion: StatementSync;
  /** The value of `data_version` when the waiting questions were last read. */
  seen: number | undefined;
}

/**
 * The questions in the shared store. It uses a connection of its own, so that questions never join another transaction.
 * It opens the file at the first use, and again after the file was deleted or replaced.
 */
export class SqliteQuestions implements QuestionStore {
  readonly #options: WriterOptions;
  #opened: Opened | undefined;

  constructor(options: WriterOptions) {
    this.#options = options;
  }

  ask(question: Question, limit: FloodLimit): AskOutcome | undefined {
    const outcome = this.#transact(({ rows }) => rows.ask(question, limit));
    // The new question has not been read yet.
    if (this.#opened !== undefined) this.#opened.seen = undefined;
    return outcome;
  }

  ended(ids: readonly string[]): ReadonlyMap<string, QuestionStatus> | undefined {
    return this.#attempt((opened) => {
      // `data_version` changes with each commit of another connection and is cheap to read.
      const version = Number(Object.values(opened.dataVersion.get() ?? {})[0]);
      if (opened.seen === version) return new Map();
      const ended = opened.rows.ended(ids);
      opened.seen = version;
      return ended;
    });
  }

  end(ids: readonly string[], state: 'expired' | 'withdrawn', now: number): ReadonlyMap<string, QuestionStatus> | undefined {
    return this.#transact(({ rows }) => rows.end(ids, state, now));
  }

  waiting(now: number): readonly Question[] | undefined {
    return this.#transact(({ rows }) => rows.waiting(now));
  }

  find(id: string): (Question & QuestionStatus) | null | undefined {
    return this.#attempt(({ rows }) => rows.find(id));
  }

  answer(
    id: string,
    answer: GivenAnswer,
    times: { readonly now: number; readonly grantedUntil: number },
  ): AnswerOutcome | undefined {
    return this.#transact(({ rows }) => rows.answer(id, answer, times));
  }

  tellOnce(keys: readonly string[]): ReadonlySet<string> | undefined {
    return this.#transact(({ database }) => {
      const insert = database.prepare("INSERT OR IGNORE INTO state (scope, key, value, expires) VALUES ('told', ?, '1', ?)");
      return new Set(keys.filter((key) => insert.run(key, NEVER).changes > 0));
    });
  }

  close(): void {
    this.#drop();
  }

  #transact<T>(work: (opened: Opened) => T): T | undefined {
    return this.#attempt((opened) => {
      opened.database.exec('BEGIN IMMEDIATE');
      try {
        const result = work(opened);
        opened.database.exec('COMMIT');
        return result;
      } finally {
        // SQLite rolls back by itself on some errors.
        if (opened.database.isTransaction) opened.database.exec('ROLLBACK');
      }
    });
  }

  #attempt<T>(work: (opened: Opened) => T): T | undefined {
    try {
      return work(this.#ready());
    } catch (thrown) {
      if (isBusy(thrown)) return undefined;
      this.#drop();
      throw toWriteFault(this.#options.file, thrown);
    }
  }

  #ready(): Opened {
    if (this.#opened !== undefined) {
      const { gone } = this.#opened.watch.look();
      if (gone === undefined) return this.#opened;
      this.#drop();
    }
    const database = openWriter(this.#options);
    try {
      // Arguments may hold secrets; erased pages must be overwritten.
      database.exec('PRAGMA secure_delete = ON');
      this.#opened = {
        database,
        rows: new ApprovalRows(database),
        watch: new FileWatch(this.#options.file),
        dataVersion: database.prepare('PRAGMA data_version'),
        seen: undefined,
      };
    } catch (thrown) {
      database.close();
      throw thrown;
    }
    return this.#opened;
  }

  #drop(): void {
    if (this.#opened === undefined) return;
    const { database, watch } = this.#opened;
    this.#opened = undefined;
    closeWatched(database, this.#options.file, watch);
  }
}
