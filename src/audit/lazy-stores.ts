import type { Buckets, Ports, Sink, Stores } from '../gate/ports/ports.ts';
import type { Registry } from '../gate/ports/registry-port.ts';
import type { SessionLog } from '../gate/ports/session-port.ts';
import type { SeenCalls } from '../gate/ports/seen-call-port.ts';
import type { AuditRecord } from '../gate/ports/records.ts';

/** Runs `work` on the target, or throws if there is none yet. */
export type Use<Target> = <T>(work: (target: Target) => T) => T;

/** Lists every member of a store; the type check fails if one is missing. */
type Members<Store> = { readonly [Name in keyof Store]: Store[Name] extends (...of: never) => unknown ? 'method' : 'value' };

const REGISTRY: Members<Registry> = {
  database: 'value',
  launch: 'method',
  server: 'method',
  writeServer: 'method',
  serverText: 'method',
  trustedLaunches: 'method',
  noteUse: 'method',
  scopeOf: 'method',
  pin: 'method',
  pins: 'method',
  text: 'method',
  write: 'method',
  page: 'method',
  writePage: 'method',
  untold: 'method',
  writeUntold: 'method',
  scanResult: 'method',
  writeScanResult: 'method',
  unscanned: 'method',
  found: 'method',
  listers: 'method',
  tools: 'method',
  lookAlikes: 'method',
};

const SESSION_LOG: Members<SessionLog> = {
  version: 'method',
  current: 'method',
  entries: 'method',
  addCall: 'method',
  recorded: 'method',
  retract: 'method',
  addServer: 'method',
  servers: 'method',
  latestOf: 'method',
  values: 'method',
  addValues: 'method',
};

const BUCKETS: Members<Buckets> = { read: 'method', write: 'method' };

const SEEN_CALLS: Members<SeenCalls> = { add: 'method', of: 'method', named: 'method', remove: 'method' };

/** Stores that are resolved at each call: the shared transaction may change, or they may not be loaded yet. */
export function lazyStores(use: Use<Stores>): Stores {
  return {
    registry: lazyRegistry((work) => use(({ registry }) => work(registry))),
    sessionLog: lazySessionLog((work) => use(({ sessionLog }) => work(sessionLog))),
    buckets: late(BUCKETS, (work) => use(({ buckets }) => work(buckets))),
    seenCalls: late(SEEN_CALLS, (work) => use(({ seenCalls }) => work(seenCalls))),
  };
}

export function lazyRegistry(use: Use<Registry>): Registry {
  return late(REGISTRY, use);
}

export function lazySessionLog(use: Use<SessionLog>): SessionLog {
  return late(SESSION_LOG, use);
}

function late<Store extends object>(members: Members<Store>, use: Use<Store>): Store {
  type Called = Readonly<Record<string, (...of: readonly unknown[]) => unknown>>;
  const store = {};
  for (const [name, kind] of Object.entries(members)) {
    if (kind === 'value') Object.defineProperty(store, name, { get: () => use((there) => (there as Called)[name]) });
    else Object.assign(store, { [name]: (...of: readonly unknown[]) => use((there) => (there as Called)[name]?.(...of)) });
  }
  return store as Store;
}

/** A sink, and the stores that share its transactions. */
export interface Recording {
  readonly sink: Sink;
  readonly stores: Stores;
  readonly memories: ReturnType<Ports['memories']>;
}

/** A sink that is loaded when the first event is recorded: most processes that clients start never record one. */
export class LazySink implements Sink {
  /** Usable once `begin` has returned true. */
  readonly stores = lazyStores((work) => work(this.#loaded().stores));
  readonly #load: () => Promise<Recording>;
  #isLoading = false;
  #recording: Recording | undefined;
  #failure: { readonly error: unknown } | undefined;

  constructor(load: () => Promise<Recording>) {
    this.#load = load;
  }

  /** The memories of sessions; usable once `begin` has returned true. */
  readonly memories: Ports['memories'] = () => this.#loaded().memories;

  warm(): void {
    if (this.#recording !== undefined) this.#recording.sink.warm();
    else if (this.#failure === undefined) this.#startLoading();
  }

  /** False also while the sink loads. */
  begin(): boolean {
    if (this.#recording !== undefined) return this.#recording.sink.begin();
    if (this.#failure !== undefined) throw this.#failure.error;
    this.#startLoading();
    return false;
  }

  record(record: AuditRecord): void {
    this.#loaded().sink.record(record);
  }

  commit(): void {
    this.#loaded().sink.commit();
  }

  rollback(): void {
    this.#recording?.sink.rollback();
  }

  close(): void {
    this.#recording?.sink.close();
  }

  #startLoading(): void {
    if (this.#isLoading) return;
    this.#isLoading = true;
    void this.#load().then(
      (recording) => (this.#recording = recording),
      (error: unknown) => (this.#failure = { error }),
    );
  }

  #loaded(): Recording {
    if (this.#recording === undefined) throw new Error('recorded before it was begun');
    return this.#recording;
  }
}
