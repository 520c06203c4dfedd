import { setTimeout } from 'node:timers/promises';
import type { Call } from '../core/call.ts';
import type { Clock, Sink } from './ports/ports.ts';
import type { AuditRecord } from './ports/records.ts';

/** A call that went on, without its arguments. */
export interface Source {
  /** Id of its record; undefined where it could not be recorded. */
  readonly record: string | undefined;
  /** The one that it was recorded in, which may still fail. */
  readonly transaction?: Readonly<Transaction>;
  readonly call: Call;
  /** It went on before: what comes now is what its task came to. */
  readonly isTask?: boolean;
}

/** A store that others hold is waited for so long, in milliseconds, before what needs it is denied. */
const PATIENCE = 2000;

/** Milliseconds between two attempts to get at the store. */
const PAUSES = [2, 5, 10, 20];

/** So long after the last attempt, in milliseconds, nobody was waiting: a store found taken then is waited for anew. */
const FORGET_AFTER = 500;

/** Events that wait to be written along with the next call; what is beyond is counted and said. */
const MOST_WAITING = 1000;

/** What is never recorded together with a call and must not hold one up is written after so many milliseconds. */
const SOON = 200;

/**
 * Milliseconds for which is tried to write what is left when a connection has ended: many end at once, and one of them may be kept from the processor
 * while it has the store. Who sends a signal kills soon after.
 */
const LAST_PATIENCE = { usual: 300, hurried: 80 } as const;

export interface RecorderOptions {
  readonly sink: Sink;
  readonly clock: Clock;
  /** Tells the person who runs us, in one line. */
  readonly warn: (line: string) => void;
  /** Called before anything is decided. False where that has to wait. */
  readonly prepare?: () => boolean;
}

/** One go: whether what was decided in it is on no record, which is known when it is over. */
export interface Transaction {
  isLost: boolean;
}

/**
 * Everything that is decided in one go, such as all calls of a chunk, is one transaction of the store: opened before the first is
 * decided, closed before any of them goes on. Nothing here throws.
 */
export class Recorder {
  readonly #sink: Sink;
  readonly #clock: Clock;
  readonly #warn: (line: string) => void;
  readonly #prepare: () => boolean;
  #state: 'closed' | 'open' | 'failed' = 'closed';
  /** When the store was first found taken; undefined while it is not. */
  #busySince: number | undefined;
  /** When it was last found taken. No integer, which V8 keeps otherwise: all compiled code would be thrown away when the first time is noted. */
  #busyUntil = Number.NEGATIVE_INFINITY;
  #attempts = 0;
  #added = 0;
  #current: Transaction = { isLost: false };
  /** Resolves when what is open is over; undefined where nobody waits for that. */
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
   * To be called before anything is decided. False where another process has the store, or what decides is not known yet: nothing may be
   * decided now, try again when `ready` resolves. True also where the store fails: then `add` does, and `close`.
   */
  open(): boolean {
    return this.#state !== 'closed' || (this.#prepare() && this.#begin());
  }

  /** Something is being decided. */
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
    this.#fail(new Error(`other processes have kept the store to themselves for ${PATIENCE / 1000} s`));
    return true;
  }

  /** Resolves when it is worth trying `open` again. */
  async ready(): Promise<void> {
    await setTimeout(PAUSES[Math.min(this.#attempts++, PAUSES.length - 1)]);
  }

  /** Records a call along with what else is decided in one go. False where it can't be. */
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

  /** Does something else in what is open. Undefined where that fails: then nothing since `open` is on record, and nothing will be. */
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

  /** Makes ready what `open` needs, since something is about to come that has to be recorded. */
  warm(): void {
    this.#sink.warm();
  }

  /** How many calls were recorded so far, those included that `close` may still fail to write. */
  get added(): number {
    return this.#added;
  }

  /** The transaction that is open, or was last. */
  get current(): Readonly<Transaction> {
    return this.#current;
  }

  /** Writes what was added since `open`. True where all of it is on record, or nothing was to be recorded. */
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

  /** Resolves when what is open is over, so that it is known what was lost with it. */
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

  /** Records what nobody waits for, soon. @param write calls the sink */
  note(write: () => void): void {
    if (this.#waiting.length < MOST_WAITING) this.#waiting.push(write);
    else this.#lost++;
    this.#writeSoon();
  }

  /**
   * Decides something by itself, with nothing else in its transaction: whoever has one open is to learn what becomes of it. Waits where others have
   * the store.
   */
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

  /** Writes what is left, for at most a third of a second, or a tenth where there is a hurry, and says what could not be written. */
  async finish(isHurried = false): Promise<void> {
    clearTimeout(this.#timer);
    await this.over();
    const ending = performance.now() + LAST_PATIENCE[isHurried ? 'hurried' : 'usual'];
    while (this.#waiting.length > 0 && !this.#writeNotes() && performance.now() < ending) await this.ready();
    const lost = this.#lost + this.#waiting.length;
    if (lost > 0)
      this.#warn(`${lost} ${lost === 1 ? 'event that was no call' : 'events that were no calls'} could not be recorded`);
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

  /** Apart from calls: what can't be written of these must not take a call along. False where others have the store. */
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
    // What still came to its end by itself has no store to be written to any more, and is counted.
    if (reason === this.#told || this.#isFinished) return;
    this.#told = reason;
    this.#warn(`what is decided can't be recorded: ${reason}`);
  }
}
