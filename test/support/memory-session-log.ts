import type { PastCall } from '../../src/core/flow/window.ts';
import type { Bucket } from '../../src/core/rate/bucket.ts';
import type { Buckets } from '../../src/gate/ports.ts';
import type { Provenance, RememberedValues, SessionEntry, SessionLog } from '../../src/gate/session-port.ts';

/** The log of sessions in memory; what is taken back is not, so it stands for a store that never fails. */
export class MemorySessionLog implements SessionLog {
  #asked = 0;
  readonly #entries = new Map<string, SessionEntry[]>();
  readonly #servers = new Map<string, Set<string>>();
  readonly #values = new Map<string, RememberedValues[]>();
  readonly #sessions = new Map<string, { n: number; last: number }>();

  /** Each time another: it can't be told who writes. */
  version(): number {
    return ++this.#asked;
  }

  current(name: string, { now, idle }: { readonly now: number; readonly idle: number }): string {
    const known = this.#sessions.get(name) ?? { n: 1, last: now };
    const n = known.n + (now - known.last > idle ? 1 : 0);
    this.#sessions.set(name, { n, last: now });
    return n === 1 ? name : `${name}.${n}`;
  }

  entries(session: string, after: number, most: number): readonly SessionEntry[] {
    return this.#of(session)
      .filter(({ n }) => n > after)
      .slice(-most);
  }

  addCall(session: string, call: PastCall): number {
    const entries = this.#of(session);
    return entries.push({ n: entries.length + 1, kind: 'call', call });
  }

  /** There are no events here; what a test says there is. */
  events: readonly PastCall[] = [];

  recorded(_session: string, since: number, most: number): readonly PastCall[] {
    return this.events.filter(({ time }) => time > since).slice(-most);
  }

  retract(session: string, id: string): number {
    const entries = this.#of(session);
    return entries.push({ n: entries.length + 1, kind: 'retracted', id });
  }

  addServer(session: string, server: string): void {
    const servers = this.#servers.get(session) ?? new Set();
    this.#servers.set(session, servers.add(server));
  }

  servers(session: string): readonly string[] {
    return [...(this.#servers.get(session) ?? [])].toSorted();
  }

  values(session: string, after: number, most: number): readonly RememberedValues[] {
    return (this.#values.get(session) ?? []).filter(({ n }) => n > after).slice(-most);
  }

  addValues(session: string, values: Omit<RememberedValues, 'n'>): number {
    const all = this.#values.get(session) ?? [];
    this.#values.set(session, all);
    return all.push({ ...values, n: all.length + 1 });
  }

  #of(session: string): SessionEntry[] {
    const entries = this.#entries.get(session) ?? [];
    this.#entries.set(session, entries);
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

/** Looks at nothing and finds nothing. */
export const NO_PROVENANCE: Provenance = {
  noteSaid: () => {},
  // eslint-disable-next-line require-yield
  *read() {
    return { hashes: new Uint8Array(), isCut: false, hasBinary: false };
  },
  add: () => {},
  clear: () => {},
  find: () => [],
};
