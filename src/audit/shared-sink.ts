import type { Sink, Stores } from '../gate/ports/ports.ts';
import type { AuditRecord } from '../gate/ports/records.ts';
import { lazyStores } from './lazy-stores.ts';
import type { PinRecord } from '../core/registry/definition.ts';
import type { Registry } from '../gate/ports/registry-port.ts';

/** A transaction that several connections take part in. */
interface Group {
  state: 'open' | 'committed' | 'lost';
  error: unknown;
}

/**
 * Shares one sink among the connections of a process. What they record before the first of them commits is one transaction, and all of them
 * learn its outcome. A transaction per connection would cost more than the decisions.
 */
export class SharedSink {
  readonly #sink: Sink;
  readonly #lookups = new SharedLookups(() => this.#group);
  /** The open group. */
  #group: Group | undefined;
  /** Connections that have begun and not yet ended. */
  readonly #begun = new Set<Member>();
  /** True if some connections had not ended when their transaction did. */
  #hasLeftSome = false;

  constructor(sink: Sink) {
    this.#sink = sink;
  }

  /** Creates a sink for one connection. Closing it closes nothing that others use. */
  forConnection(): Sink {
    return new Member(this);
  }

  /** Wraps stores for all connections, so that they use the shared transaction. */
  share(stores: Stores): Stores {
    const shared = lazyStores((work) => this.within(() => work(stores)));
    return { ...shared, registry: this.#lookups.registry(shared.registry) };
  }

  /**
   * Runs `act`, such as a lookup, in the shared transaction. If one connection has committed before others ended, these go on in a new
   * transaction. Throws if another process holds the store then.
   */
  within<T>(act: () => T): T {
    if (this.#hasLeftSome) this.#goOn();
    return act();
  }

  /** Undefined while another process holds the store. Throws if nothing can be recorded. */
  join(member: Member): Group | undefined {
    const group = this.#open();
    if (group !== undefined) this.#begun.add(member);
    return group;
  }

  commit(member: Member, group: Group): void {
    this.#begun.delete(member);
    if (group.state === 'open') this.#end(group);
    if (group.state === 'lost') throw group.error;
  }

  lose(member: Member, group: Group): void {
    this.#begun.delete(member);
    if (group.state !== 'open') return;
    group.state = 'lost';
    group.error = new Error('what another connection recorded along with this could not be written');
    this.#group = undefined;
    this.#sink.rollback();
  }

  record(group: Group, record: AuditRecord): void {
    if (group.state !== 'open') throw group.error ?? new Error('recorded after the end of its transaction');
    this.#sink.record(record);
  }

  warm(): void {
    this.#sink.warm();
  }

  /** Closes the shared sink. */
  close(): void {
    this.#sink.close();
  }

  /** Moves connections whose transaction has committed into the open one, opening it if needed. */
  #goOn(): void {
    const waiting = [...this.#begun].filter((member) => member.isCommitted);
    const group = waiting.length === 0 ? undefined : this.#open();
    if (waiting.length > 0 && group === undefined) throw new Error('another process has locked the store');
    if (group !== undefined) for (const member of waiting) member.goOnIn(group);
    this.#hasLeftSome = false;
  }

  #open(): Group | undefined {
    if (this.#group === undefined && this.#sink.begin()) this.#group = { state: 'open', error: undefined };
    return this.#group;
  }

  #end(group: Group): void {
    this.#group = undefined;
    try {
      this.#sink.commit();
      group.state = 'committed';
      this.#hasLeftSome = this.#begun.size > 0;
    } catch (error) {
      group.state = 'lost';
      group.error = error;
      this.#sink.rollback();
    }
  }
}

class Member implements Sink {
  readonly #shared: SharedSink;
  #group: Group | undefined;

  constructor(shared: SharedSink) {
    this.#shared = shared;
  }

  warm(): void {
    this.#shared.warm();
  }

  begin(): boolean {
    this.#group = this.#shared.join(this);
    return this.#group !== undefined;
  }

  record(record: AuditRecord): void {
    this.#shared.within(() => this.#shared.record(this.#ofTransaction(), record));
  }

  commit(): void {
    const group = this.#ofTransaction();
    this.#group = undefined;
    this.#shared.commit(this, group);
  }

  rollback(): void {
    const group = this.#group;
    this.#group = undefined;
    if (group !== undefined) this.#shared.lose(this, group);
  }

  close(): void {
    // The other connections still use the sink.
  }

  /** True once another connection has committed what this one recorded. */
  get isCommitted(): boolean {
    return this.#group?.state === 'committed';
  }

  goOnIn(group: Group): void {
    this.#group = group;
  }

  #ofTransaction(): Group {
    if (this.#group === undefined) throw new Error('recorded before it was begun');
    return this.#group;
  }
}

/** Results of lookups within one transaction, in which nobody else changes anything. */
interface Lookups {
  readonly pins: Map<string, PinRecord | undefined>;
}

/** Most pins cached per transaction. */
const MOST_PINS = 1024;

/** Caches what the connections of one process look up within their shared transaction. */
export class SharedLookups {
  readonly #transaction: () => object | undefined;
  #of: object | undefined;
  #lookups: Lookups = { pins: new Map() };

  /** @param transaction returns the open one; undefined if there is none */
  constructor(transaction: () => object | undefined) {
    this.#transaction = transaction;
  }

  /** Wraps a registry so that each pin is looked up once per transaction. */
  registry(registry: Registry): Registry {
    const forget = (): void => this.#current()?.pins.clear();
    const changed: Pick<Registry, 'pin' | 'write' | 'writeServer'> = {
      pin: (scope, kind, name) => {
        const pins = this.#current()?.pins;
        // A server's name may look like a launch's key.
        const owner = typeof scope === 'string' ? `name ${scope}` : `launch ${scope.launch} ${scope.server}`;
        const key = `${kind} ${owner}\0${name}`;
        if (pins?.has(key) === true) return pins.get(key);
        const pin = registry.pin(scope, kind, name);
        if (pins !== undefined && pins.size < MOST_PINS) pins.set(key, pin);
        return pin;
      },
      write: (...of) => {
        forget();
        registry.write(...of);
      },
      writeServer: (...of) => {
        forget();
        registry.writeServer(...of);
      },
    };
    return Object.assign(Object.create(registry) as Registry, changed);
  }

  #current(): Lookups | undefined {
    const transaction = this.#transaction();
    if (transaction === undefined) return undefined;
    if (transaction !== this.#of) this.#lookups = { pins: new Map() };
    this.#of = transaction;
    return this.#lookups;
  }
}
