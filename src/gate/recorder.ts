import { setTimeout } from 'node:timers/promises';
import type { Call } from '../core/call.ts';
import type { Clock, Sink } from './ports/ports.ts';
import type { AuditRecord } from './ports/records.ts';

/** A call that went on, without its arguments. */
export interface Source {
  /** Id of its record; undefined if it could not be recorded. */
  readonly record: string | undefined;
  /** The transaction that recorded it, which may still fail. */
  readonly transaction?: Readonly<Transaction>;
  readonly call: Call;
  /** True if it went on earlier and this is about its task's result. */
  readonly isTask?: boolean;
}

/** Milliseconds to wait for a store that others hold, before calls that need it are denied. */
const PATIENCE = 2000;

/** Milliseconds between two attempts to get at the store. */
const PAUSES = [2, 5, 10, 20];

/** Milliseconds after the last attempt when the wait starts anew, since nobody was waiting in between. */
const FORGET_AFTER = 500;

/** Most events that wait to be written later; the rest are counted and reported. */
const MOST_WAITING = 1000;

/** Milliseconds after which those events are written; they are never in a call's transaction and must not hold one up. */
const SOON = 200;

/**
 * Milliseconds to keep trying to write the remaining events when a connection has ended: many end at once, and one of them may lose the
 * processor while it has the store. Whoever sends a signal kills soon after.
 */
const LAST_PATIENCE = { usual: 300, hurried: 80 } as const;

export interface RecorderOptions {
  readonly sink: Sink;
  readonly clock: Clock;
  /** Tells the person who runs us, in one line. */
  readonly warn: (line: string) => void;
  /** Called before anything is decided. False if that has to wait. */
  readonly prepare?: () => boolean;
}

/** One transaction: `isLost` tells, once it is over, whether its decisions are on no record. */
export interface Transaction {
  isLost: boolean;
}

/**
 * Makes everything that is decided at once, such as all calls of a chunk, one transaction of the store: opened before the first is decided,
 * closed before any of them goes on. Nothing here throws.
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
  /** Resolves when the open transaction is over; undefined if nobody waits for that. */
  #over: PromiseWithResolvers<void> | undefined;
  #waiting: (() => void)[] = [];
  #lost = 0;
  #timer: NodeJS.Timeout | undefined;
  #isFinished = false;
  /** The last failure that was told; the same one is not told for every call. */
  #told = '';

  constructor({ sink, clock, warn, prepare = () => true }: RecorderOptions) {
    this.#sink = sink;
    this.#clock = clock;
    this.#warn = warn;
    this.#prepare = prepare;
  }

  /**
   * Opens a transaction; call it before anything is decided. False if another process has locked the store, or the policy is not known yet:
   * nothing may be decided then; try again when `ready` resolves. True even if the store fails: `add` and `close` then fail.
   */
  open(): boolean {
    return this.#state !== 'closed' || (this.#prepare() && this.#begin());
  }

  /** True while something is being decided. */
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

  /** Resolves when it is worth trying `open` again. */
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

  /** Runs something in the open transaction. Undefined if that fails: then nothing since `open` is on record, and nothing will be. */
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

  /** Prepares what `open` needs, since something will have to be recorded soon. */
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
    this.#over?.resolve();
    this.#over = undefined;
    if (this.#waiting.length > 0) this.#writeSoon();
    return !this.#current.isLost;
  }

  /** Resolves when the open transaction is over, so that its loss is known. */
  async over(): Promise<void> {
    if (!this.isOpen) return;
    this.#over ??= Promise.withResolvers();
    await this.#over.promise;
  }

  #commit(): boolean {
    try {
      this.#sink.commit();
    } catch (error) {
      this.#sink.rollback();
      this.#tell(error);
      return false;
    }
    this.#told = '';
    return true;
  }

  /** Records soon, for events that nobody waits for. @param write calls the sink */
  note(write: () => void): void {
    if (this.#waiting.length < MOST_WAITING) this.#waiting.push(write);
    else this.#lost++;
    this.#writeSoon();
  }

  /** Runs something in a transaction of its own, whose outcome belongs to it alone. Waits while others have the store. */
  async alone<T>(act: () => T, unrecorded: (result: T) => T): Promise<T> {
    while (this.isOpen || !this.open()) await (this.isOpen ? this.over() : this.ready());
    let result: T;
    try {
      result = act();
    } catch (error) {
      // Left open, it would keep all other processes from the store.
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
    await this.over();
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
        void this.over().then(() => {
          if (!this.#writeNotes()) this.#writeSoon();
        });
      }, SOON)
      .unref();
  }

  /** Writes events apart from calls: their failure must not take a call along. False if others have the store. */
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
    this.#tell(error);
  }

  #tell(error: unknown): void {
    const reason = error instanceof Error ? error.message : String(error);
    // After the end there is no store to write to; such events are counted.
    if (reason === this.#told || this.#isFinished) return;
    this.#told = reason;
    this.#warn(`cannot record its decisions: ${reason}`);
  }
}
