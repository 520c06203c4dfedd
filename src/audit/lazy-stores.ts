import type { Buckets, Stores } from '../gate/ports/ports.ts';
import type { Registry } from '../gate/ports/registry-port.ts';
import type { SessionLog } from '../gate/ports/session-port.ts';
import type { SeenCalls } from '../gate/ports/seen-call-port.ts';

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
  look: 'method',
  writeLook: 'method',
  unlooked: 'method',
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
