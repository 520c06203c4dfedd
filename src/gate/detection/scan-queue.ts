import { setImmediate, setTimeout } from 'node:timers/promises';
import type { Clock, ScanJob, ScanJobQueue, TurnTaking } from '../ports/ports.ts';
import { Turns } from './find-in-texts.ts';

/**
 * Milliseconds before something is scanned that nothing waits for: it is sent first. Scanning several together costs less than at each
 * by itself, between calls that wait; `ENOUGH` messages or bytes end the wait.
 */
const AFTER = 1000;
const ENOUGH = { messages: 64, bytes: 1024 * 1024 } as const;

/**
 * Milliseconds between two turns: at most a fifteenth of the time goes into scanning. If there is more than can be scanned anyway, it is a
 * hundredth.
 */
const BETWEEN = { usual: 2, inFlood: 20 } as const;

/** Most messages and bytes of one server that may wait, so that a flood leaves room for the others; and most bytes of all. */
const MOST_OF_SERVER = { messages: 256, bytes: 16 * 1024 * 1024 } as const;
const MOST_BYTES = 64 * 1024 * 1024;

/**
 * Most messages of a flooding server, until all of them were scanned: objects that wait long outlive the young generation, which costs
 * more than scanning.
 */
const MOST_IN_FLOOD = 32;

interface Share {
  messages: number;
  bytes: number;
}

/**
 * Queues messages that have gone on and are to be scanned, for all connections of this process: the many connections of a service take no
 * more of its time than one.
 */
export class ScanQueue implements ScanJobQueue {
  readonly turns: TurnTaking;
  readonly #shares = new Map<string, Share>();
  /** Servers that sent more than may wait. */
  readonly #floods = new Set<string>();
  #waiting: ScanJob[] = [];
  #bytes = 0;
  /** Bytes of waiting messages that are not patient. */
  #pressing = 0;
  /** True if a message has passed since the last turn. */
  #isBusy = false;
  #isWorking = false;
  /** True while somebody waits for the queue to empty. */
  #isHurried = false;
  /** Ends the pause before the queue is worked off. */
  #wake = (): void => {};

  constructor(clock: Clock) {
    this.turns = new Turns(clock, () => this.#letOthers());
  }

  hasRoom(server: string, bytes: number): boolean {
    this.#isBusy = true;
    const share = this.#shares.get(server);
    if (this.#bytes + bytes > MOST_BYTES) return false;
    if (share === undefined) return true;
    if (share.messages >= MOST_OF_SERVER.messages) this.#floods.add(server);
    const most = this.#floods.has(server) ? MOST_IN_FLOOD : MOST_OF_SERVER.messages;
    return share.messages < most && share.bytes + bytes <= MOST_OF_SERVER.bytes;
  }

  add(job: ScanJob): void {
    this.#count(job, 1);
    if (job.isPatient !== true) this.#pressing += job.bytes;
    this.#waiting.push(job);
    if (this.#hasEnough) this.#wake();
    if (this.#isWorking) return;
    this.#isWorking = true;
    void this.#workOff().finally(() => {
      this.#isWorking = false;
    });
  }

  hurry(): void {
    this.#isHurried = this.#isWorking;
    this.#wake();
  }

  async #workOff(): Promise<void> {
    do {
      if (!this.#hasEnough && !this.#isHurried) await this.#pause();
      const waiting = this.#waiting;
      this.#waiting = [];
      this.#pressing = 0;
      for (const job of waiting) {
        await job.scan();
        this.#count(job, -1);
        await this.turns.letOthers();
      }
    } while (this.#waiting.length > 0);
    this.#isHurried = false;
  }

  async #pause(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#wake = resolve;
    const stop = new AbortController();
    const after = setTimeout(AFTER, undefined, { ref: false, signal: stop.signal }).catch(() => undefined);
    await Promise.race([after, promise]);
    stop.abort();
  }

  #letOthers(): Promise<unknown> {
    if (!this.#isBusy) return setImmediate();
    this.#isBusy = false;
    // At the end of the process, nothing else keeps it alive for whoever waits.
    return setTimeout(this.#floods.size > 0 ? BETWEEN.inFlood : BETWEEN.usual, undefined, { ref: this.#isHurried });
  }

  #count({ server, bytes }: ScanJob, by: 1 | -1): void {
    const share = this.#shares.get(server) ?? { messages: 0, bytes: 0 };
    share.messages += by;
    share.bytes += by * bytes;
    this.#bytes += by * bytes;
    if (share.messages > 0) this.#shares.set(server, share);
    else {
      this.#shares.delete(server);
      this.#floods.delete(server);
    }
  }

  get #hasEnough(): boolean {
    return this.#waiting.length >= ENOUGH.messages || this.#pressing >= ENOUGH.bytes;
  }
}
