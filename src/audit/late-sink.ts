import type { CallRecord, PolicyRecord, RefusalRecord, Sink, SummaryRecord } from '../gate/ports.ts';

/** A sink that is loaded when something is to be recorded for the first time: most processes that clients start never get there. */
export class LateSink implements Sink {
  readonly #load: () => Promise<Sink>;
  #isLoading = false;
  #sink: Sink | undefined;
  #failure: { readonly error: unknown } | undefined;

  constructor(load: () => Promise<Sink>) {
    this.#load = load;
  }

  /** False also while it loads. */
  begin(): boolean {
    if (this.#sink !== undefined) return this.#sink.begin();
    if (this.#failure !== undefined) throw this.#failure.error;
    if (!this.#isLoading) {
      this.#isLoading = true;
      void this.#load().then(
        (sink) => (this.#sink = sink),
        (error: unknown) => (this.#failure = { error }),
      );
    }
    return false;
  }

  recordCall(record: CallRecord): void {
    this.#loaded().recordCall(record);
  }

  recordRefusal(record: RefusalRecord): void {
    this.#loaded().recordRefusal(record);
  }

  recordSummary(record: SummaryRecord): void {
    this.#loaded().recordSummary(record);
  }

  recordPolicy(record: PolicyRecord): void {
    this.#loaded().recordPolicy(record);
  }

  commit(): void {
    this.#loaded().commit();
  }

  rollback(): void {
    this.#sink?.rollback();
  }

  close(): void {
    this.#sink?.close();
  }

  #loaded(): Sink {
    if (this.#sink === undefined) throw new Error('recorded before it was begun');
    return this.#sink;
  }
}
