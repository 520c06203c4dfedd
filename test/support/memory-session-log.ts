import { type Bucket, LONGEST_WINDOW } from '../../src/core/facts.ts';
import type { PastCall } from '../../src/core/finding.ts';
import type { Buckets } from '../../src/gate/ports/ports.ts';
import type {
  LogVersion,
  Provenance,
  RememberedValues,
  ResultMarks,
  SessionEntry,
  SessionLog,
} from '../../src/gate/ports/session-port.ts';
import { SessionMemories } from '../../src/gate/session/session-memory.ts';

/** What all processes have written. */
class Rows {
  writes = 0;
  readonly entries = new Map<string, SessionEntry[]>();
  readonly servers = new Map<string, Set<string>>();
  readonly values = new Map<string, RememberedValues[]>();
  readonly sessions = new Map<string, { n: number; last: number }>();
}

/** The log of sessions in memory, as one process has it; what is taken back is not, so it stands for a store that never fails. */
export class MemorySessionLog implements SessionLog {
  readonly #rows: Rows;
  #own = 0;

  constructor(rows = new Rows()) {
    this.#rows = rows;
  }

  /** The same log as another process has it. */
  ofAnother(): MemorySessionLog {
    return new MemorySessionLog(this.#rows);
  }

  /** As with the store, what this process writes counts for nothing. */
  version(): LogVersion {
    return { others: this.#rows.writes - this.#own, lost: 0 };
  }

  #noteWrite(): void {
    this.#own++;
    this.#rows.writes++;
  }

  current(name: string, { now, idle }: { readonly now: number; readonly idle: number }): string {
    const known = this.#rows.sessions.get(name) ?? { n: 1, last: now };
    const isOver = now - known.last > idle;
    const n = known.n + (isOver ? 1 : 0);
    const [before, session] = [known.n, n].map((run) => (run === 1 ? name : `${name}.${run}`)) as [string, string];
    this.#rows.sessions.set(name, { n, last: now });
    if (!isOver) return session;
    for (const server of this.servers(before)) this.addServer(session, server);
    const isKept = ({ time }: { readonly time: number }): boolean => time > now - LONGEST_WINDOW;
    for (const entry of this.#of(before)) if (entry.kind === 'retracted' || isKept(entry.call)) this.#of(session).push(entry);
    this.#rows.values.set(session, (this.#rows.values.get(before) ?? []).filter(isKept));
    return session;
  }

  entries(session: string, after: number, most: number): readonly SessionEntry[] {
    return this.#of(session)
      .filter(({ n }) => n > after)
      .slice(-most);
  }

  addCall(session: string, call: PastCall): number {
    const entries = this.#of(session);
    this.#noteWrite();
    return entries.push({ n: entries.length + 1, kind: 'call', call });
  }

  /** There are no events here; what a test says there is. */
  events: readonly PastCall[] = [];

  recorded(_session: string, since: number, most: number): readonly PastCall[] {
    return this.events.filter(({ time }) => time > since).slice(-most);
  }

  retract(session: string, id: string): number {
    const entries = this.#of(session);
    this.#noteWrite();
    return entries.push({ n: entries.length + 1, kind: 'retracted', id });
  }

  addServer(session: string, server: string): void {
    const servers = this.#rows.servers.get(session) ?? new Set();
    if (!servers.has(server)) this.#noteWrite();
    this.#rows.servers.set(session, servers.add(server));
  }

  servers(session: string): readonly string[] {
    return [...(this.#rows.servers.get(session) ?? [])].toSorted();
  }

  latestOf(servers: readonly string[]): string | undefined {
    const has = ([session, known]: [string, ReadonlySet<string>]): boolean =>
      !session.startsWith('u-') && servers.some((server) => known.has(server));
    return [...this.#rows.servers].findLast(has)?.[0];
  }

  values(session: string, after: number, most: number): readonly RememberedValues[] {
    return (this.#rows.values.get(session) ?? []).filter(({ n }) => n > after).slice(-most);
  }

  addValues(session: string, values: Omit<RememberedValues, 'n'>): number {
    const all = this.#rows.values.get(session) ?? [];
    this.#rows.values.set(session, all);
    this.#noteWrite();
    return all.push({ ...values, n: all.length + 1 });
  }

  #of(session: string): SessionEntry[] {
    const entries = this.#rows.entries.get(session) ?? [];
    this.#rows.entries.set(session, entries);
    return entries;
  }
}

export class MemoryBuckets implements Buckets {
  readonly #buckets = new Map<string, { bucket: Bucket; full: number }>();

  read(key: string, now: number): Bucket | undefined {
    const known = this.#buckets.get(key);
    return known === undefined || known.full <= now ? undefined : known.bucket;
  }

  write(key: string, bucket: Bucket, full: number): void {
    this.#buckets.set(key, { bucket, full });
  }
}

/** No other process has any. */
const NO_MARKS: ResultMarks = { add: () => () => {}, others: () => [] };

/** What a process knows of sessions. */
export function memoriesOf(log: SessionLog, parts: { provenance?: Provenance; marks?: ResultMarks } = {}): () => SessionMemories {
  const { provenance = NO_PROVENANCE, marks = NO_MARKS } = parts;
  const memories = new SessionMemories({ log, createProvenance: () => provenance, marks });
  return () => memories;
}

/** Looks at nothing and finds nothing. */
export const NO_PROVENANCE: Provenance = {
  noteSent: () => {},
  // eslint-disable-next-line require-yield
  *read() {
    return { hashes: new Uint8Array(), isCut: false, hasBinary: false };
  },
  add: () => {},
  clear: () => {},
  find: () => [],
  readSecrets: () => new Uint8Array(),
  findSecrets: () => [],
  // eslint-disable-next-line require-yield
  *readTold() {
    return new Uint8Array();
  },
  noteSaid: () => {},
  readSaid: () => new Uint8Array(),
  // eslint-disable-next-line require-yield
  *readWords() {
    return new Uint8Array();
  },
  readAllowed: () => new Uint8Array(),
  findSteering: () => undefined,
};
