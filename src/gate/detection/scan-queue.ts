import { setImmediate, setTimeout } from 'node:timers/promises';
import type { Clock, ScanJob, ScanJobQueue, ScanTime, TurnTaking } from '../ports/ports.ts';

/**
 * Milliseconds before something is scanned that nothing waits for: it is sent first. Scanning several together costs less than at each
 * by itself, between calls that wait; `ENOUGH` messages or bytes end the wait.
 */
const AFTER: Readonly<Record<ScanTime, number>> = { held: 0, soon: 40, later: 1000, last: 1000 };
const ENOUGH = { messages: 64, bytes: 1024 * 1024 } as const;

/** Microseconds of scanning after which others get their turn. */
const MOST_WORK = 150;

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

/** Lets passing messages go first from time to time. */
export class Turns implements TurnTaking {
  readonly #clock: Clock;
  readonly #pause: () => Promise<unknown>;
  /** The time of the next turn for others, on the clock's `elapsed`. */
  #ending = 0;

  /** @param pause runs in between; by default a turn of the event loop */
  constructor(clock: Clock, pause: () => Promise<unknown> = () => setImmediate()) {
    this.#clock = clock;
    this.#pause = pause;
  }

  async letOthers(): Promise<void> {
    if (this.#clock.elapsed() < this.#ending) return;
    await this.#pause();
    this.#ending = this.#clock.elapsed() + MOST_WORK;
  }
}

/**
 * Scans for all connections of this process: the many connections of a service take no more of its time than one. What is held is scanned
 * at once, and stops only for a turn of the event loop. All else waits in line, and gets little of the time.
 */
export class ScanQueue implements ScanJobQueue {
  readonly #heldTurns: TurnTaking;
  readonly #turns: TurnTaking;
  readonly #shares = new Map<string, Share>();
  /** Servers that sent more than may wait. */
  readonly #floods = new Set<string>();
  readonly #waiting: ScanJob[] = [];
  #bytes = 0;
  /** Bytes of waiting messages that are scanned sooner if they are many. */
  #pressing = 0;
  /** True if a message has passed since the last turn. */
  #isBusy = false;
  #isWorking = false;
  /** True while somebody waits for the queue to empty. */
  #isHurried = false;
  /** Ends the pause before the queue is worked off. */
  #wake = (): void => {};

  constructor(clock: Clock) {
    this.#heldTurns = new Turns(clock);
    this.#turns = new Turns(clock, () => this.#letOthers());
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

  async add<T>(job: ScanJob<T>): Promise<T> {
    if (job.when === 'held') {
      await this.#heldTurns.letOthers();
      return job.scan(this.#heldTurns);
    }
    return new Promise((resolve, reject) => {
      this.#enqueue({ ...job, scan: (turns) => job.scan(turns).then(resolve, reject) });
    });
  }

  hurry(): void {
    this.#isHurried = this.#isWorking;
    this.#wake();
  }

  #enqueue(job: ScanJob): void {
    this.#count(job, 1);
    const isSooner = job.when === 'soon' && this.#waiting[0]?.when !== 'soon';
    if (job.when === 'soon') this.#waiting.unshift(job);
    else this.#waiting.push(job);
    if (isSooner || this.#hasEnough) this.#wake();
    if (this.#isWorking) return;
    this.#isWorking = true;
    void this.#workOff();
  }

  async #workOff(): Promise<void> {
    while (this.#waiting.length > 0) {
      while (!this.#hasEnough && !this.#isHurried && (await this.#isWokenEarly()));
      for (let left = this.#waiting.length; left > 0; left--) {
        const job = this.#waiting.shift() as ScanJob;
        await job.scan(this.#turns);
        this.#count(job, -1);
        await this.#turns.letOthers();
      }
    }
    // At once: what is added a moment later would find nobody at work otherwise.
    this.#isHurried = false;
    this.#isWorking = false;
  }

  /** Pauses until the first job is due. @returns whether something may have come that is due sooner */
  #isWokenEarly(): Promise<boolean> {
    return new Promise((resolve) => {
      const { when } = this.#waiting[0] as ScanJob;
      const due = globalThis.setTimeout(() => resolve(false), AFTER[when]).unref();
      this.#wake = () => {
        clearTimeout(due);
        resolve(true);
      };
    });
  }

  #letOthers(): Promise<unknown> {
    if (!this.#isBusy) return setImmediate();
    this.#isBusy = false;
    // At the end of the process, nothing else keeps it alive for whoever waits.
    return setTimeout(this.#floods.size > 0 ? BETWEEN.inFlood : BETWEEN.usual, undefined, { ref: this.#isHurried });
  }

  #count({ server, bytes, when }: ScanJob, by: 1 | -1): void {
    const share = this.#shares.get(server) ?? { messages: 0, bytes: 0 };
    share.messages += by;
    share.bytes += by * bytes;
    this.#bytes += by * bytes;
    if (when === 'later') this.#pressing += by * bytes;
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
