import type { DatabaseSync } from 'node:sqlite';
import { ClawaiError } from '../errors.ts';
import type { AuditEvent, Store } from '../gate/ports/ports.ts';
import type { Registry } from '../gate/ports/registry-port.ts';
import type { SessionLog } from '../gate/ports/session-port.ts';
import type { DigestedCalls } from '../gate/ports/seen-call-port.ts';
import { closeWatched } from './close-soon.ts';
import { FileWatch, logSize } from './file-watch.ts';
import { openWriter, type WriterOptions } from './open-writer.ts';
import { Tables } from './rows/tables.ts';
import { type TidyReason, TidySchedule } from './tidying/tidy-schedule.ts';
import type { Retention } from './tidying/tidy.ts';
import { isBusy, toWriteFault } from './write-fault.ts';

/** Milliseconds after a failure before the store is opened again: each try costs time and would fail the same way. */
const REOPEN_AFTER_MS = 100;

/** The scope under which processes agree who tidies. */
const TIDYING = 'tidying';

export interface SqliteStoreOptions extends WriterOptions {
  /** The version of clawai, stored with what this process writes. */
  readonly writerVersion: string;
  /** The bounds of age and size; without them nothing is erased. */
  readonly retention?: Retention | undefined;
  /** True for a process that ends after a call: tidying that is due begins when it closes the store. */
  readonly isBrief?: boolean;
}

interface Opened {
  readonly database: DatabaseSync;
  readonly tables: Tables;
  readonly watch: FileWatch;
  /** The version of the tables. */
  readonly version: number;
}

/**
 * The store in an SQLite file. It opens the file at the first `begin` and keeps it open until `close`. It opens it again after it was
 * deleted, replaced, or failed.
 */
export class SqliteStore implements Store {
  readonly #options: SqliteStoreOptions;
  readonly #schedule: TidySchedule;
  #opened: Opened | undefined;
  /** The identity of the file written last. `#isOther` is true once another file took its place, until `tellReplaced`. */
  #lastFile: string | undefined;
  #isOther = false;
  #isInTransaction = false;
  #isClosed = false;
  /** The reason why the transaction can't be committed any more. */
  #failure: { readonly fault: unknown } | undefined;
  /** The reason why the store could not be opened, and until when it is not tried again. */
  #unusable: { readonly fault: unknown; readonly until: number } | undefined;

  constructor(options: SqliteStoreOptions) {
    this.#options = options;
    this.#schedule = new TidySchedule({ file: options.file, retention: options.retention }, (...what) =>
      this.#claimTidying(...what),
    );
  }

  begin(): boolean {
    if (this.#isClosed) throw new Error('the store was closed');
    if (this.#isInTransaction) throw new Error('a transaction has begun already');
    try {
      const tables = this.#ready();
      if (tables === undefined) return false;
      tables.begin();
      this.#isInTransaction = true;
      if (tables.version() === this.#opened?.version) return true;
      // A newer clawai has migrated the tables meanwhile. The next `begin` checks whether this version may still write them.
      this.rollback();
      this.#drop();
      return false;
    } catch (thrown) {
      if (isBusy(thrown)) return false;
      this.rollback();
      throw this.#giveUp(thrown);
    }
  }

  get isReplaced(): boolean {
    return this.#isOther;
  }

  tellReplaced(): void {
    this.#isOther = false;
  }

  append(event: AuditEvent): void {
    this.#inTransaction((tables) => tables.append(event));
    this.#schedule.noteEvent();
  }

  read(scope: string, key: string, now: number): string | undefined {
    return this.#inTransaction((tables) => tables.state.read(scope, key, now));
  }

  write(scope: string, key: string, value: string, expires: number): void {
    this.#inTransaction((tables) => tables.state.write(scope, key, value, expires));
  }

  /** Uses the registry in the transaction that has begun. */
  inRegistry<T>(work: (registry: Registry) => T): T {
    return this.#inTransaction((tables) => work(tables.registry));
  }

  /** Uses the log of sessions in the transaction that has begun. */
  inSessions<T>(work: (log: SessionLog) => T): T {
    return this.#inTransaction((tables) => work(tables.sessions));
  }

  /** Uses the seen calls of models' calls in the transaction that has begun. */
  inSeenCalls<T>(work: (seenCalls: DigestedCalls) => T): T {
    return this.#inTransaction((tables) => work(tables.seenCalls));
  }

  commit(): void {
    this.#inTransaction((tables) => tables.commit());
    this.#isInTransaction = false;
    if (this.#opened?.watch.isThere !== false) return;
    // The decision rests on a file that no longer counts, and nobody would find the record.
    throw new ClawaiError(`${this.#options.file} was deleted or replaced while this was recorded`, {
      code: 'store_unavailable',
      hint: 'try again in a moment',
    });
  }

  rollback(): void {
    this.#failure = undefined;
    if (!this.#isInTransaction) return;
    this.#isInTransaction = false;
    try {
      this.#opened?.tables.rollback();
    } catch {
      // Nothing was committed; closing rolls back the rest.
      this.#drop();
    }
  }

  close(): void {
    this.rollback();
    if (this.#options.isBrief === true) this.#tidyAtEnd();
    this.#isClosed = true;
    this.#schedule.close();
    this.#drop();
  }

  #tidyAtEnd(): void {
    try {
      if (this.#opened !== undefined) this.#schedule.startAtEnd(logSize(this.#options.file));
    } catch {
      // The next process to open the store reports what is wrong with its files.
    }
  }

  /** Claims the tidying for this process, unless another process claimed it lately. */
  #claimTidying(reason: TidyReason, milliseconds: number): boolean {
    const now = Date.now();
    try {
      if (this.#isClosed || this.#isInTransaction || !this.begin()) return false;
      const isMine = this.read(TIDYING, reason, now) === undefined;
      if (isMine) this.write(TIDYING, reason, 'true', now + milliseconds);
      this.commit();
      return isMine;
    } catch {
      // The disk may be full, which tidying may help. The next writer reports the error.
      this.rollback();
      return !this.#isClosed;
    }
  }

  /** Returns the tables of the store, and opens it if needed; undefined if it had better be opened a little later. */
  #ready(): Tables | undefined {
    if (this.#opened !== undefined) {
      const { gone, log } = this.#opened.watch.look();
      if (gone === undefined) {
        if (log !== undefined) this.#schedule.noteLogSize(log);
        return this.#opened.tables;
      }
      this.#drop();
    }
    if (this.#unusable !== undefined && performance.now() < this.#unusable.until) throw this.#unusable.fault;
    if (this.#schedule.isReading(logSize(this.#options.file))) return undefined;
    const database = openWriter(this.#options);
    try {
      // A new handle begins a new chain, since the fate of the old one's last event may be unknown.
      const tables = new Tables(database, this.#options.writerVersion);
      this.#opened = { database, tables, watch: new FileWatch(this.#options.file), version: tables.version() };
    } catch (thrown) {
      database.close();
      throw thrown;
    }
    this.#unusable = undefined;
    this.#noteFile(this.#opened);
    return this.#opened.tables;
  }

  /** Notes which file was opened. If it is another one, what this process remembers of the last file is dropped. */
  #noteFile({ watch, tables }: Opened): void {
    const last = this.#lastFile;
    this.#lastFile = watch.identity;
    if (last === undefined || last === watch.identity) return;
    this.#isOther = true;
    tables.sessions.rollback();
  }

  #inTransaction<T>(work: (tables: Tables) => T): T {
    if (this.#failure !== undefined) throw this.#failure.fault;
    if (!this.#isInTransaction || this.#opened === undefined) throw new Error('no transaction has begun');
    try {
      return work(this.#opened.tables);
    } catch (thrown) {
      this.rollback();
      // Neither a full disk nor a bug is a reason to open the file again.
      const fault = toWriteFault(this.#options.file, thrown);
      if (fault instanceof ClawaiError && fault.code !== 'store_full') this.#giveUp(fault);
      this.#failure = { fault };
      throw fault;
    }
  }

  /** Closes the store for a moment and returns the fault. */
  #giveUp(thrown: unknown): unknown {
    this.#drop();
    const fault = toWriteFault(this.#options.file, thrown);
    if (this.#unusable?.fault !== fault) this.#unusable = { fault, until: performance.now() + REOPEN_AFTER_MS };
    return fault;
  }

  #drop(): void {
    if (this.#opened === undefined) return;
    const { database, watch } = this.#opened;
    this.#opened = undefined;
    closeWatched(database, this.#options.file, watch);
  }
}
