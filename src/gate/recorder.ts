import { setTimeout } from 'node:timers/promises';
import type { Call } from '../core/call.ts';
import type { Clock, Sink } from './ports/ports.ts';
import type { AuditRecord } from './ports/records.ts';

/** A call that was forwarded, without its arguments: results and findings in its answer name it. */
export interface ForwardedCall {
  /** Id of its record; undefined if it could not be recorded. */
  readonly record: string | undefined;
  /** The transaction that recorded it, which may still fail. */
  readonly transaction?: Readonly<Transaction>;
  readonly call: Call;
  /** True if it went on earlier, and this request asks for the result of its task. */
  readonly isTask?: boolean;
}

/** Milliseconds to wait for a store that other processes have locked; then calls that need it are denied. */
const PATIENCE = 2000;

/** Milliseconds between attempts to open the store; the last one repeats. */
const PAUSES = [2, 5, 10, 20];

/** Milliseconds without an attempt after which `PATIENCE` starts anew, since nobody was waiting in between. */
const FORGET_AFTER = 500;

/** Most events that wait to be written later; the rest are counted and reported. */
const MOST_WAITING = 1000;

/** Milliseconds after which those events are written, in a transaction of their own: a call must not wait for them. */
const SOON = 200;

/**
 * Milliseconds to keep trying to write the remaining events when a connection has ended. Many connections end at once, and each needs the
 * store. `hurried`: a client that has sent a signal kills us soon after.
 */
const LAST_PATIENCE = { usual: 300, hurried: 80 } as const;

export interface RecorderOptions {
  readonly sink: Sink;
  readonly clock: Clock;
  /** Tells the person who runs us, in one line. */
  readonly warn: (line: string) => void;
  /** Called before a transaction is opened. False if nothing can be decided yet, such as while the policy is read. */
  readonly prepare?: () => boolean;
}

/** One transaction. `isLost`: it is over, and none of its decisions is on record. */
export interface Transaction {
  isLost: boolean;
}

/**
 * Records decisions in transactions of the store. One transaction holds all that is decided together, such as the calls of a chunk. It is
 * opened before the first call is decided and closed before any of them goes on. No method throws, except `transact` if its work does.
 */
export class Recorder {
  readonly #sink: Sink;
  readonly #clock: Clock;
  readonly #warn: (line: string) => void;
  readonly #prepare: () => boolean;
  #state: 'closed' | 'open' | 'failed' = 'closed';
  /** Time when the store was first found taken; undefined while it is not. */
  #busySince: number | undefined;
  /**
   * Time when it was last found taken. Starts as a non-integer: V8 stores integers differently, and the first time would discard all
   * compiled code.
   */
  #busyUntil = Number.NEGATIVE_INFINITY;
  #attempts = 0;
  #added = 0;
  #current: Transaction = { isLost: false };
  /** Resolves when the open transaction is closed; undefined if nobody waits for that. */
  #closed: PromiseWithResolvers<void> | undefined;
  #waiting: (() => void)[] = [];
  #lost = 0;
  #timer: NodeJS.Timeout | undefined;
  #isFinished = false;
  /** The last failure that was warned about: the same one is not repeated for every call. */
  #lastWarning = '';

  constructor({ sink, clock, warn, prepare = () => true }: RecorderOptions) {
    this.#sink = sink;
    this.#clock = clock;
    this.#warn = warn;
    this.#prepare = prepare;
  }

  /**
   * Opens a transaction, unless one is open; call it before anything is decided. False if another process has locked the store, or the
   * policy is not known yet: decide nothing, and try again when `ready` resolves. True even if the store fails: `add` and `close` then fail.
   */
  open(): boolean {
    return this.#state !== 'closed' || (this.#prepare() && this.#begin());
  }

  /** True while a transaction is open, even one that has failed. */
  get isOpen(): boolean {
    return this.#state !== 'closed';
  }

  #begin(): boolean {
    this.#current = { isLost: false };
    try {
      if (this.#sink.begin()) {
        this.#state = 'open';
        this.#busySince = undefined;
        this.#attempts = 0;
        return true;
      }
    } catch (error) {
      this.#fail(error);
      return true;
    }
    const now = this.#clock.elapsed() / 1000;
    if (this.#busySince === undefined || now - this.#busyUntil > FORGET_AFTER) this.#busySince = now;
    this.#busyUntil = now;
    if (now - this.#busySince < PATIENCE) return false;
    this.#fail(new Error(`other processes have locked the store for ${PATIENCE / 1000} s`));
    return true;
  }

  /** Resolves after a short pause, when `open` may succeed. */
  async ready(): Promise<void> {
    await setTimeout(PAUSES[Math.min(this.#attempts++, PAUSES.length - 1)]);
  }

  /** Records a call in the open transaction. False if it can't be. */
  add(record: AuditRecord<'call'>): boolean {
    if (this.#state !== 'open') return false;
    try {
      this.#sink.record(record);
      this.#added++;
      return true;
    } catch (error) {
      this.#sink.rollback();
      this.#fail(error);
      return false;
    }
  }

  /** Runs work in the open transaction. Undefined if it fails: then the whole transaction is rolled back, and nothing more enters it. */
  within<T>(act: () => T): T | undefined {
    if (this.#state !== 'open') return undefined;
    try {
      return act();
    } catch (error) {
      this.#sink.rollback();
      this.#fail(error);
      return undefined;
    }
  }

  /** Loads the store in the background, since something will have to be recorded soon. */
  warm(): void {
    this.#sink.warm();
  }

  /** Number of calls recorded so far, including those that `close` may still fail to write. */
  get added(): number {
    return this.#added;
  }

  /** The transaction that is open, or was last. */
  get current(): Readonly<Transaction> {
    return this.#current;
  }

  /** Writes everything added since `open`. True if all of it is on record, or there was nothing to record. */
  close(): boolean {
    if (this.#state === 'closed') return true;
    const wasOpen = this.#state === 'open';
    this.#state = 'closed';
    this.#current.isLost = !(wasOpen && this.#commit());
    this.#closed?.resolve();
    this.#closed = undefined;
    if (this.#waiting.length > 0) this.#writeSoon();
    return !this.#current.isLost;
  }

  /** Resolves when the open transaction is closed, so that `isLost` of it is known. */
  async closed(): Promise<void> {
    if (!this.isOpen) return;
    this.#closed ??= Promise.withResolvers();
    await this.#closed.promise;
  }

  #commit(): boolean {
    try {
      this.#sink.commit();
    } catch (error) {
      this.#sink.rollback();
      this.#warnOnce(error);
      return false;
    }
    this.#lastWarning = '';
    return true;
  }

  /** Records an event that nobody waits for, in a later transaction. @param write calls the sink */
  recordLater(write: () => void): void {
    if (this.#waiting.length < MOST_WAITING) this.#waiting.push(write);
    else this.#lost++;
    this.#writeSoon();
  }

  /**
   * Runs work in a transaction of its own, and waits for the store before that.
   *
   * @param unrecorded makes the result if the transaction could not be written
   * @throws what `act` throws; the transaction is then rolled back
   */
  async transact<T>(act: () => T, unrecorded: (result: T) => T): Promise<T> {
    while (this.isOpen || !this.open()) await (this.isOpen ? this.closed() : this.ready());
    let result: T;
    try {
      result = act();
    } catch (error) {
      // An open transaction would lock the store for all other processes.
      this.#sink.rollback();
      this.#state = 'failed';
      this.close();
      throw error;
    }
    return this.close() ? result : unrecorded(result);
  }

  /** Writes the remaining events, for at most a third of a second, or a tenth in a hurry, and reports those that could not be written. */
  async finish(isHurried = false): Promise<void> {
    clearTimeout(this.#timer);
    await this.closed();
    const ending = performance.now() + LAST_PATIENCE[isHurried ? 'hurried' : 'usual'];
    while (this.#waiting.length > 0 && !this.#writeNotes() && performance.now() < ending) await this.ready();
    const lost = this.#lost + this.#waiting.length;
    if (lost > 0) this.#warn(`could not record ${lost} ${lost === 1 ? 'event' : 'events'} other than calls`);
    this.#sink.close();
    this.#isFinished = true;
  }

  #writeSoon(): void {
    this.#timer ??= globalThis
      .setTimeout(() => {
        this.#timer = undefined;
        void this.closed().then(() => {
          if (!this.#writeNotes()) this.#writeSoon();
        });
      }, SOON)
      .unref();
  }

  /** Writes waiting events in a transaction without calls, since their failure must deny none. False if the store is locked. */
  #writeNotes(): boolean {
    if (this.isOpen || !this.#begin()) return false;
    const waiting = this.#waiting;
    this.#waiting = [];
    try {
      if (this.#state === 'open') for (const write of waiting) write();
    } catch (error) {
      this.#sink.rollback();
      this.#fail(error);
    }
    if (!this.close()) this.#lost += waiting.length;
    return true;
  }

  #fail(error: unknown): void {
    this.#state = 'failed';
    this.#warnOnce(error);
  }

  #warnOnce(error: unknown): void {
    const reason = error instanceof Error ? error.message : String(error);
    // After the end there is no store to write to; such events are counted.
    if (reason === this.#lastWarning || this.#isFinished) return;
    this.#lastWarning = reason;
    this.#warn(`cannot record its decisions: ${reason}`);
  }
}
