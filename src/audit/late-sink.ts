import type { Buckets, Ports, Sink } from '../gate/ports/ports.ts';
import type { AuditRecord } from '../gate/ports/records.ts';
import type { Registry } from '../gate/ports/registry-port.ts';
import type { SessionLog } from '../gate/ports/session-port.ts';
import type { Sightings } from '../gate/ports/sighting-port.ts';
import { LateBuckets, LateRegistry, LateSessionLog, LateSightings } from './late-stores.ts';

/** What records, and what else there is in the same transactions. */
export interface Recording {
  readonly sink: Sink;
  readonly registry: Registry;
  readonly sessionLog: SessionLog;
  readonly buckets: Buckets;
  readonly memories: ReturnType<Ports['memories']>;
  readonly sightings: Sightings;
}

/** A sink that is loaded when something is to be recorded for the first time: most processes that clients start never get there. */
export class LateSink implements Sink {
  /** Is there from the first `begin` that was true on. */
  readonly registry: Registry = new LateRegistry((work) => work(this.#loaded().registry));
  readonly sessionLog: SessionLog = new LateSessionLog((work) => work(this.#loaded().sessionLog));
  readonly buckets: Buckets = new LateBuckets((work) => work(this.#loaded().buckets));
  readonly sightings: Sightings = new LateSightings((work) => work(this.#loaded().sightings));
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
