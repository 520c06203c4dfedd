import type { Ports, Sink, Stores } from '../gate/ports/ports.ts';
import type { AuditRecord } from '../gate/ports/records.ts';
import { lazyStores } from './lazy-stores.ts';

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
