import type { Ports, Sink, Stores } from '../gate/ports/ports.ts';
import type { AuditRecord } from '../gate/ports/records.ts';
import { lateStores } from './late-stores.ts';

/** What records, and what else there is in the same transactions. */
export interface Recording {
  readonly sink: Sink;
  readonly stores: Stores;
  readonly memories: ReturnType<Ports['memories']>;
}

/** A sink that is loaded when something is to be recorded for the first time: most processes that clients start never get there. */
export class LateSink implements Sink {
  /** Are there from the first `begin` that was true on. */
  readonly stores = lateStores((work) => work(this.#loaded().stores));
  readonly #load: () => Promise<Recording>;
  #isLoading = false;
  #recording: Recording | undefined;
  #failure: { readonly error: unknown } | undefined;

  constructor(load: () => Promise<Recording>) {
    this.#load = load;
  }

  /** The same of what is known of sessions. */
  readonly memories: Ports['memories'] = () => this.#loaded().memories;

  warm(): void {
    if (this.#recording !== undefined) this.#recording.sink.warm();
    else if (this.#failure === undefined) this.#startLoading();
  }

  /** False also while it loads. */
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
