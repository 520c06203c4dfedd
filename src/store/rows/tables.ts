import { randomBytes, hash } from 'node:crypto';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { AuditEvent } from '../../gate/ports/ports.ts';
import { isLocked } from '../write-fault.ts';
import { RegistryRows } from './registry-rows.ts';
import { SessionRows } from './session-rows.ts';
import { SeenCallRows } from './seen-call-rows.ts';

/** A writer's row and the end of its chain. */
interface Writer {
  readonly id: number | bigint;
  readonly end: ChainEnd;
}

/**
 * The tables of an open store, and this process's chain in it. Every method is called inside a transaction or ends one. Errors are
 * SQLite's.
 */
export class Tables {
  readonly state: StateRows;
  readonly registry: RegistryRows;
  readonly sessions: SessionRows;
  readonly seenCalls: SeenCallRows;
  readonly #database: DatabaseSync;
  readonly #version: string;
  readonly #take: () => void;
  readonly #commit: StatementSync;
  readonly #schemaVersion: StatementSync;
  readonly #addWriter: StatementSync;
  readonly #addEvent: StatementSync;
  /** Prepared at its first use, which only happens if bodies are kept. */
  #addBody: StatementSync | undefined;
  /** The writer as of the last commit, and as of now in a transaction. */
  #committed: Writer | undefined;
  #pending: Writer | undefined;

  constructor(database: DatabaseSync, writerVersion: string) {
    this.#database = database;
    this.#version = writerVersion;
    this.state = new StateRows(database);
    this.registry = new RegistryRows(database);
    this.sessions = new SessionRows(database);
    this.seenCalls = new SeenCallRows(database);
    // With a write-ahead log this is the same as IMMEDIATE. Without one it waits for readers here and not at the commit.
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

  /** Returns the number of migrations that the file has had. */
  version(): number {
    return Number(Object.values(this.#schemaVersion.get() ?? {})[0]);
  }

  append(event: AuditEvent): void {
    const writer = this.#pending ?? this.#makeWriter(event.time);
    const { n, hash: chained, bodyHash } = extendChain(writer.end, event.body);
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
      chained,
      event.body,
    );
    if (event.isBody === true) this.#noteBody(seq, event.time);
    this.#pending = { id: writer.id, end: { n, hash: chained } };
  }

  commit(): void {
    this.#commit.run();
    this.#committed = this.#pending;
  }

  rollback(): void {
    this.#pending = this.#committed;
    this.sessions.rollback();
    // SQLite rolls back by itself on some errors.
    if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
  }

  #noteBody(seq: number | bigint, time: number): void {
    this.#addBody ??= this.#database.prepare('INSERT INTO bodies (seq, time) VALUES (?, ?)');
    this.#addBody.run(seq, time);
  }

  /** Adds a row for this process, under a unique random name. */
  #makeWriter(started: number): Writer {
    const name = randomBytes(8).toString('hex');
    return { id: this.#addWriter.run(name, started, this.#version).lastInsertRowid, end: beginChain(name) };
  }
}

/** The end of a writer's chain: its last event, or for `n` = 0 the start that its first event follows. */
interface ChainEnd {
  readonly n: number;
  /** 32 bytes. */
  readonly hash: Uint8Array;
}

/** A body's hash and the end of the chain with that body added. */
interface ChainLink extends ChainEnd {
  readonly bodyHash: Uint8Array;
}

const DIGEST_BYTES = 32;

/** The previous hash and the body's, side by side; allocated once, since every call needs it. */
const pair = new Uint8Array(2 * DIGEST_BYTES);

/** Returns the start of a writer's chain: SHA-256 of its name. */
function beginChain(writerName: string): ChainEnd {
  return { n: 0, hash: digest(writerName) };
}

/** Adds a body to a chain: SHA-256 of the previous hash and the body's hash, which is SHA-256 of its UTF-8 text. */
function extendChain(end: ChainEnd, body: string): ChainLink {
  const bodyHash = digest(body);
  pair.set(end.hash, 0);
  pair.set(bodyHash, DIGEST_BYTES);
  return { n: end.n + 1, hash: digest(pair), bodyHash };
}

/** Computes SHA-256. A buffer made by the hash itself has its own memory, which costs twice the hashing and as much again to collect. */
function digest(data: string | Uint8Array): Uint8Array {
  return Buffer.from(hash('sha256', data, 'binary'), 'latin1');
}

/** Every `writes` writes, `rows` rows are checked for expiry, so that each write costs next to nothing. */
const SWEEP = { writes: 32, rows: 64 } as const;

/** The table `state`. Expired rows read as missing, whether they were removed yet or not. */
class StateRows {
  readonly #read: StatementSync;
  readonly #write: StatementSync;
  readonly #look: StatementSync;
  readonly #remove: StatementSync;
  #writes = 0;
  /** The latest time that a caller gave; nothing that expires later is removed. */
  #now = Number.NEGATIVE_INFINITY;
  /** The row after which the next sweep begins. */
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
    // The sweep comes before the write, so that it can't remove a new row whose expiry has already passed.
    if (this.#writes % SWEEP.writes === 0) this.#sweep();
    this.#write.run(scope, key, value, expires);
  }

  /** Removes what has expired among the next few rows, round and round. */
  #sweep(): void {
    const rows = this.#look.all(this.#place.scope, this.#place.key);
    const last = rows.length === SWEEP.rows ? rows.at(-1) : undefined;
    this.#place = { scope: String(last?.['scope'] ?? ''), key: String(last?.['key'] ?? '') };
    for (const { scope, key, expires } of rows) {
      if (Number(expires) <= this.#now) this.#remove.run(scope ?? null, key ?? null);
    }
  }
}

/** Most milliseconds to wait for another process, which block everything else in this one; and the pauses in between. */
const MOST = 10;
const PAUSE = { first: 0.05, longest: 0.4 } as const;

/** Nobody ever notifies this: waiting on it is a pause that costs no processor time. */
const NEVER = new Int32Array(new SharedArrayBuffer(4));

/**
 * Takes a lock that other processes hold for less than a millisecond. SQLite's own busy handler sleeps for one, two and five milliseconds
 * in turn, which is several times longer than the lock is held.
 *
 * @param begin takes it, or throws SQLite's error; the database has a busy timeout of 0
 * @throws what `begin` threw last, once it has waited long enough
 */
export function waitForLock(begin: () => void): void {
  const started = performance.now();
  for (let pause: number = PAUSE.first; ; pause = Math.min(2 * pause, PAUSE.longest)) {
    try {
      begin();
      return;
    } catch (thrown) {
      if (!isLocked(thrown) || performance.now() - started >= MOST) throw thrown;
    }
    Atomics.wait(NEVER, 0, 0, pause);
  }
}
