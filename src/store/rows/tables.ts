import { randomBytes } from 'node:crypto';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { AuditEvent } from '../../gate/ports/ports.ts';
import { beginChain, extendChain, type ChainEnd } from './chain.ts';
import { RegistryRows } from './registry-rows.ts';
import { SessionRows } from './session-rows.ts';
import { SightingRows } from './sighting-rows.ts';
import { StateRows } from './state-rows.ts';
import { waitForLock } from './wait-for-lock.ts';

/** A writer's row and where its chain ends. */
interface Writer {
  readonly id: number | bigint;
  readonly end: ChainEnd;
}

/**
 * The tables of an open store, and this process's chain in it. Every method is called inside a transaction or ends one; what they
 * throw is SQLite's.
 */
export class Tables {
  readonly state: StateRows;
  readonly registry: RegistryRows;
  readonly sessions: SessionRows;
  readonly sightings: SightingRows;
  readonly #database: DatabaseSync;
  readonly #version: string;
  readonly #take: () => void;
  readonly #commit: StatementSync;
  readonly #schemaVersion: StatementSync;
  readonly #addWriter: StatementSync;
  readonly #addEvent: StatementSync;
  /** Prepared when it is first needed, which it is where bodies are kept. */
  #addBody: StatementSync | undefined;
  /** As of the last commit; and as of now, in a transaction. */
  #committed: Writer | undefined;
  #pending: Writer | undefined;

  constructor(database: DatabaseSync, writerVersion: string) {
    this.#database = database;
    this.#version = writerVersion;
    this.state = new StateRows(database);
    this.registry = new RegistryRows(database);
    this.sessions = new SessionRows(database);
    this.sightings = new SightingRows(database);
    // With a write-ahead log this is the same as IMMEDIATE. Without, readers are waited for here and not at the commit.
    const begin = database.prepare('BEGIN EXCLUSIVE');
    this.#take = () => void begin.run();
    this.#commit = database.prepare('COMMIT');
    this.#schemaVersion = database.prepare('PRAGMA user_version');
    this.#schemaVersion.setReturnArrays(true);
    this.#addWriter = database.prepare('INSERT INTO writers (name, started, version) VALUES (?, ?, ?)');
    this.#addEvent = database.prepare(
      `INSERT INTO events (writer, n, time, type, session, server, tool, action, severity, body_hash, hash, body)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    );
    database.exec('PRAGMA busy_timeout = 0');
  }

  begin(): void {
    waitForLock(this.#take);
    this.#pending = this.#committed;
    this.sessions.begin();
  }

  /** How many of the migrations the file has seen by now. */
  version(): number {
    return Number(Object.values(this.#schemaVersion.get() ?? {})[0]);
  }

  append(event: AuditEvent): void {
    const writer = this.#pending ?? this.#makeWriter(event.time);
    const { n, hash, bodyHash } = extendChain(writer.end, event.body);
    const { lastInsertRowid: seq } = this.#addEvent.run(
      writer.id,
      n,
      event.time,
      event.type,
      event.session,
      event.server,
      event.tool ?? null,
      event.action ?? null,
      event.severity ?? null,
      bodyHash,
      hash,
      event.body,
    );
    if (event.isBody === true) this.#noteBody(seq, event.time);
    this.#pending = { id: writer.id, end: { n, hash } };
  }

  commit(): void {
    this.#commit.run();
    this.#committed = this.#pending;
  }

  rollback(): void {
    this.#pending = this.#committed;
    this.sessions.rollback();
    // Some errors take the transaction back by themselves.
    if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
  }

  #noteBody(seq: number | bigint, time: number): void {
    this.#addBody ??= this.#database.prepare('INSERT INTO bodies (seq, time) VALUES (?, ?)');
    this.#addBody.run(seq, time);
  }

  /** A row for this process, under a name that no other has. */
  #makeWriter(started: number): Writer {
    const name = randomBytes(8).toString('hex');
    return { id: this.#addWriter.run(name, started, this.#version).lastInsertRowid, end: beginChain(name) };
  }
}
