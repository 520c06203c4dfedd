import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { APPLICATION_ID, MIGRATIONS } from '../../src/store/schema.ts';

/** Fields of an event's body. */
export type Body = Readonly<Record<string, unknown>>;

function sha256(...parts: readonly (string | Uint8Array)[]): Buffer {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
}

/** A store as writers leave it, made by the schema's own words, so that what reads stores is held against those. */
export class RecordedStore {
  readonly database: DatabaseSync;
  readonly #chains = new Map<string, { id: number; n: number; hash: Buffer }>();

  /** Makes the file, or goes on with one that was made by another of these, whose writers are not known here. */
  constructor(file: string) {
    mkdirSync(dirname(file), { recursive: true });
    this.database = new DatabaseSync(file);
    this.database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF');
    if (this.database.prepare('PRAGMA user_version').get()?.['user_version'] !== 0) return;
    this.database.exec(`PRAGMA application_id = ${APPLICATION_ID}`);
    for (const step of MIGRATIONS) this.database.exec(step);
    this.database.exec(`PRAGMA user_version = ${MIGRATIONS.length}`);
  }

  /** Appends an event to the chain of a writer, who is made known at the first one. Returns its `seq`. */
  add(body: Body, writer = '00000000000000aa'): number {
    const chain = this.#chains.get(writer) ?? this.#introduce(writer);
    const text = JSON.stringify(body);
    const bodyHash = sha256(text);
    chain.n += 1;
    chain.hash = sha256(chain.hash, bodyHash);
    const { lastInsertRowid } = this.database
      .prepare(
        `INSERT INTO events (writer, n, time, type, session, server, tool, action, severity, body_hash, hash, body)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      )
      .run(
        chain.id,
        chain.n,
        Date.parse(String(body['timestamp'])),
        String(body['type']),
        String(body['session_id']),
        String(body['server_id']),
        orNull(body['tool_name']),
        orNull(body['action']),
        orNull(body['severity']),
        bodyHash,
        chain.hash,
        text,
      );
    return Number(lastInsertRowid);
  }

  /** Erases a writer's first `count` events as retention does, and leaves a checkpoint. */
  erase(writer: string, count: number): void {
    const { id } = this.#chains.get(writer) ?? { id: 0 };
    const last = this.database.prepare('SELECT hash FROM events WHERE writer = ? AND n = ?').get(id, count)?.['hash'] ?? null;
    this.database.prepare('INSERT OR REPLACE INTO checkpoints (writer, n, hash, time) VALUES (?, ?, ?, 0)').run(id, count, last);
    this.database.prepare('DELETE FROM events WHERE writer = ? AND n <= ?').run(id, count);
  }

  /** Changes it behind everybody's back. */
  edit(sql: string): void {
    this.database.exec(sql);
  }

  close(): void {
    this.database.close();
  }

  #introduce(name: string): { id: number; n: number; hash: Buffer } {
    const { lastInsertRowid } = this.database
      .prepare('INSERT INTO writers (name, started, version) VALUES (?, 0, ?)')
      .run(name, '0.0.0');
    const chain = { id: Number(lastInsertRowid), n: 0, hash: sha256(name) };
    this.#chains.set(name, chain);
    return chain;
  }
}

/** A call as it is recorded, allowed unless it says otherwise. */
export function recordedCall(fields: Body = {}): Body {
  return {
    type: 'mcp_tool_called',
    id: 'an-id',
    timestamp: '2026-03-01T12:00:00.000Z',
    session_id: 'session-a',
    server_id: 'files',
    method: 'tools/call',
    tool_name: 'read_file',
    action: 'allow',
    decision: 'allow',
    reason: 'rule',
    rule: 'reading',
    latency_us: 120,
    inspectors: ['policy'],
    ...fields,
  };
}

function orNull(value: unknown): string | null {
  return value === undefined || value === null ? null : String(value);
}
