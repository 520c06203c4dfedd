import type { DatabaseSync } from 'node:sqlite';
import { ClawaiError } from '../errors.ts';
import type { AuditEvent, Store } from '../gate/ports/ports.ts';
import type { Registry } from '../gate/ports/registry-port.ts';
import type { SessionLog } from '../gate/ports/session-port.ts';
import type { DigestedSightings } from '../gate/ports/sighting-port.ts';
import { closeWatched } from './close-soon.ts';
import { FileWatch, logSize } from './file-watch.ts';
import { openWriter, type WriterOptions } from './open-writer.ts';
import { Tables } from './rows/tables.ts';
import { type TidyReason, TidySchedule } from './tidying/tidy-schedule.ts';
import type { Retention } from './tidying/tidy.ts';
import { isBusy, toWriteFault } from './write-fault.ts';

/** Milliseconds after a failure in which the store is not opened again: it fails the same way, and each try costs time. */
const REOPEN_AFTER_MS = 100;

/** Scope of what processes agree on about tidying. */
const TIDYING = 'tidying';

export interface SqliteStoreOptions extends WriterOptions {
  /** Of clawai, as it is noted with what this process writes. */
  readonly writerVersion: string;
  /** How long events are kept and how large the file may grow; without it nothing is erased. */
  readonly retention?: Retention | undefined;
}

interface Opened {
  readonly database: DatabaseSync;
  readonly tables: Tables;
  readonly watch: FileWatch;
  /** Of the tables. */
  readonly version: number;
}

/**
 * The store in an SQLite file. Nothing is touched before the first `begin`; from then on the file is open until `close`, and opened
 * anew after it was deleted, replaced, or failed.
 */
export class SqliteStore implements Store {
  readonly #options: SqliteStoreOptions;
  readonly #schedule: TidySchedule;
  #opened: Opened | undefined;
  /** The file that was written last, and whether another one lies in its place now of which nobody was told. */
  #lastFile: string | undefined;
  #isOther = false;
  #isInTransaction = false;
  #isClosed = false;
  /** Why the transaction can't be committed any more. */
  #failure: { readonly fault: unknown } | undefined;
  /** Why the store could not be opened, and until when that counts. */
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
      // A newer clawai has changed the tables meanwhile. The next time they are looked at anew: it may be that we can't write them.
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

  /** Does something with the registry, as part of the transaction that has begun. */
  inRegistry<T>(work: (registry: Registry) => T): T {
    return this.#inTransaction((tables) => work(tables.registry));
  }

  /** The same with the log of sessions. */
  inSessions<T>(work: (log: SessionLog) => T): T {
    return this.#inTransaction((tables) => work(tables.sessions));
  }

  /** The same with calls that were seen in models' answers. */
  inSightings<T>(work: (sightings: DigestedSightings) => T): T {
    return this.#inTransaction((tables) => work(tables.sightings));
  }

  commit(): void {
    this.#inTransaction((tables) => tables.commit());
    this.#isInTransaction = false;
    if (this.#opened?.watch.isThere !== false) return;
    // What it was decided by is not what counts now, and nobody would find it.
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
      // Nothing of it is committed, whatever is wrong; closing takes back what is left of it.
      this.#drop();
    }
  }

  close(): void {
    this.rollback();
    this.#isClosed = true;
    this.#schedule.close();
    this.#drop();
  }

  /** Notes that this process tidies, where none has noted that of late. */
  #claimTidying(reason: TidyReason, milliseconds: number): boolean {
    const now = Date.now();
    try {
      if (this.#isClosed || this.#isInTransaction || !this.begin()) return false;
      const isMine = this.read(TIDYING, reason, now) === undefined;
      if (isMine) this.write(TIDYING, reason, 'true', now + milliseconds);
      this.commit();
      return isMine;
    } catch {
      // A full disk, say, which tidying may help. Whoever writes next is told what is wrong.
      this.rollback();
      return !this.#isClosed;
    }
  }

  /** The tables of the store as it is now, opened where that is needed; undefined where it is better opened a little later. */
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
      // What is written with a new handle is a new chain, since what became of the old one's last event may be unknown.
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

  /** Closed and opened again it is the same; otherwise nothing that this process remembers of the last one holds here. */
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
      // A full disk is no reason to open it anew, and neither is a bug.
      const fault = toWriteFault(this.#options.file, thrown);
      if (fault instanceof ClawaiError && fault.code !== 'store_full') this.#giveUp(fault);
      this.#failure = { fault };
      throw fault;
    }
  }

  /** Closes the store until a little later, and says why. */
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
