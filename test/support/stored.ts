import { createHash } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import type { AuditEvent } from '../../src/gate/ports/ports.ts';

/** An event whose body is just an id. */
export function storedEvent(id: string, more: Partial<AuditEvent> = {}): AuditEvent {
  return {
    type: 'mcp_tool_called',
    time: 1_700_000_000_000,
    session: 's',
    server: 'files',
    body: JSON.stringify({ id }),
    ...more,
  };
}

/** All rows that a query gives, read through a connection of its own. */
export function query(file: string, sql: string): Record<string, unknown>[] {
  const database = new DatabaseSync(file, { timeout: 20_000 });
  try {
    return database.prepare(sql).all();
  } finally {
    database.close();
  }
}

/** Runs statements through a connection of their own. */
export function alter(file: string, sql: string): void {
  const database = new DatabaseSync(file, { timeout: 20_000 });
  try {
    database.exec(sql);
  } finally {
    database.close();
  }
}

/** Ids of the events in order of their commit. */
export function storedIds(file: string): string[] {
  return query(file, 'SELECT body FROM events ORDER BY seq').map(({ body }) => (JSON.parse(String(body)) as { id: string }).id);
}

/** What is wrong with the chains: computed anew, from the description of the tables alone. */
export function chainFaults(file: string): string[] {
  const sha = (...parts: readonly (string | Uint8Array)[]): string => {
    const hash = createHash('sha256');
    for (const part of parts) hash.update(part);
    return hash.digest('hex');
  };
  const hex = (blob: unknown): string => Buffer.from(blob as Uint8Array).toString('hex');
  const ends = new Map<unknown, { n: number; hash: string }>();
  for (const { id, name } of query(file, 'SELECT id, name FROM writers')) ends.set(id, { n: 0, hash: sha(String(name)) });
  for (const { writer, n, hash } of query(file, 'SELECT * FROM checkpoints')) ends.set(writer, { n: Number(n), hash: hex(hash) });
  const faults: string[] = [];
  for (const row of query(file, 'SELECT * FROM events ORDER BY seq')) {
    const end = ends.get(row['writer']);
    const place = `seq ${String(row['seq'])}`;
    if (end === undefined) faults.push(`${place}: nobody wrote it`);
    else {
      if (row['n'] !== end.n + 1) faults.push(`${place}: n is ${String(row['n'])} after ${end.n}`);
      if (row['body'] !== null && sha(String(row['body'])) !== hex(row['body_hash'])) faults.push(`${place}: another body`);
      if (sha(Buffer.from(end.hash, 'hex'), row['body_hash'] as Uint8Array) !== hex(row['hash'])) faults.push(`${place}: hash`);
      ends.set(row['writer'], { n: Number(row['n']), hash: hex(row['hash']) });
    }
  }
  return faults;
}
