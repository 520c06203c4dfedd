import type {
  CallRecord,
  ConnectionRecord,
  FlowRecord,
  PolicyRecord,
  RefusalRecord,
  Sink,
  SummaryRecord,
} from '../gate/ports.ts';
import type { ChangedRecord, SeenRecord, ServerChangedRecord } from '../gate/registry-port.ts';

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
  /** The one that is open. */
  #group: Group | undefined;

  constructor(sink: Sink) {
    this.#sink = sink;
  }

  /** A sink for one connection. Closing it closes nothing that others use. */
  forConnection(): Sink {
    return new Member(this);
  }

  /** Undefined where another process has the store. Throws where nothing can be recorded. */
  join(): Group | undefined {
    if (this.#group === undefined && this.#sink.begin()) this.#group = { state: 'open', error: undefined };
    return this.#group;
  }

  commit(group: Group): void {
    if (group.state === 'open') this.#end(group);
    if (group.state === 'lost') throw group.error;
  }

  lose(group: Group): void {
    if (group.state !== 'open') return;
    group.state = 'lost';
    group.error = new Error('what another connection recorded along with this could not be written');
    this.#group = undefined;
    this.#sink.rollback();
  }

  record(group: Group, write: (sink: Sink) => void): void {
    if (group.state !== 'open') throw group.error ?? new Error('recorded after the end of its transaction');
    write(this.#sink);
  }

  warm(): void {
    this.#sink.warm();
  }

  /** Closes the sink that all of them share. */
  close(): void {
    this.#sink.close();
  }

  #end(group: Group): void {
    this.#group = undefined;
    try {
      this.#sink.commit();
      group.state = 'committed';
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
    this.#group = this.#shared.join();
    return this.#group !== undefined;
  }

  recordCall(record: CallRecord): void {
    this.#record((sink) => sink.recordCall(record));
  }

  recordRefusal(record: RefusalRecord): void {
    this.#record((sink) => sink.recordRefusal(record));
  }

  recordSummary(record: SummaryRecord): void {
    this.#record((sink) => sink.recordSummary(record));
  }

  recordPolicy(record: PolicyRecord): void {
    this.#record((sink) => sink.recordPolicy(record));
  }

  recordSeen(record: SeenRecord): void {
    this.#record((sink) => sink.recordSeen(record));
  }

  recordChanged(record: ChangedRecord): void {
    this.#record((sink) => sink.recordChanged(record));
  }

  recordServerChanged(record: ServerChangedRecord): void {
    this.#record((sink) => sink.recordServerChanged(record));
  }

  recordFlow(record: FlowRecord): void {
    this.#record((sink) => sink.recordFlow(record));
  }

  recordConnection(record: ConnectionRecord): void {
    this.#record((sink) => sink.recordConnection(record));
  }

  commit(): void {
    const group = this.#ofTransaction();
    this.#group = undefined;
    this.#shared.commit(group);
  }

  rollback(): void {
    const group = this.#group;
    this.#group = undefined;
    if (group !== undefined) this.#shared.lose(group);
  }

  close(): void {
    // The others go on.
  }

  /** Where another connection has committed what there was, this one goes on in a transaction that is new. */
  #record(write: (sink: Sink) => void): void {
    if (this.#ofTransaction().state === 'committed' && !this.begin()) throw new Error('another process has the store');
    this.#shared.record(this.#ofTransaction(), write);
  }

  #ofTransaction(): Group {
    if (this.#group === undefined) throw new Error('recorded before it was begun');
    return this.#group;
  }
}
