import type { Sink, Stores } from '../gate/ports/ports.ts';
import type { AuditRecord } from '../gate/ports/records.ts';
import { lateStores } from './late-stores.ts';
import { SharedLookups } from './shared-lookups.ts';

/** A transaction that several connections take part in. */
interface Group {
  state: 'open' | 'committed' | 'lost';
  error: unknown;
}

/**
 * One sink for the many connections of one process. What they record before the first of them commits is one transaction, of which all
 * of them learn what became of it: a transaction of its own for each would cost more than deciding.
 */
export class SharedSink {
  readonly #sink: Sink;
  readonly #lookups = new SharedLookups(() => this.#group);
  /** The one that is open. */
  #group: Group | undefined;
  /** Connections that have begun and not come to their end. */
  readonly #begun = new Set<Member>();
  /** Some of them had not come to it when their transaction did. */
  #hasLeftSome = false;

  constructor(sink: Sink) {
    this.#sink = sink;
  }

  /** A sink for one connection. Closing it closes nothing that others use. */
  forConnection(): Sink {
    return new Member(this);
  }

  /** The stores of all connections, kept in the same transactions. */
  share(stores: Stores): Stores {
    const shared = lateStores((work) => this.within(() => work(stores)));
    return { ...shared, registry: this.#lookups.registry(shared.registry) };
  }

  /**
   * Does something else in the transaction, such as looking up what is known. Where one connection has come to its end before others have,
   * these go on in a transaction that is new; throws where another process has locked the store then.
   */
  within<T>(act: () => T): T {
    if (this.#hasLeftSome) this.#goOn();
    return act();
  }

  /** Undefined where another process has locked the store. Throws where nothing can be recorded. */
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

  /** Closes the sink that all of them share. */
  close(): void {
    this.#sink.close();
  }

  /** Also where others have opened a transaction meanwhile. */
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
    // The others go on.
  }

  /** What it recorded is on record, since another has committed it. */
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
