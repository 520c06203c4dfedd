import { setImmediate, setTimeout } from 'node:timers/promises';
import type { Clock } from '../ports.ts';
import { Turns } from './find-in-texts.ts';

/**
 * Milliseconds after which something is looked at that nothing waits for: until then it is on its way. Several together cost less than each by itself,
 * between calls that wait; messages and bytes from which on there are enough of them.
 */
const AFTER = 1000;
const ENOUGH = { messages: 64, bytes: 1024 * 1024 } as const;

/** Milliseconds between two turns: where very many calls pass, a thirtieth of the time goes into looking at them, and the rest into passing them. */
const BETWEEN = 5;

/** Microseconds without anything new after which nothing passes just now, and the turns follow each other. */
const QUIET = 20_000;

/** Messages and bytes of one server that may wait, so that one that floods leaves room for the others; and bytes of all. */
const MOST_OF_SERVER = { messages: 256, bytes: 16 * 1024 * 1024 } as const;
const MOST_BYTES = 64 * 1024 * 1024;

/** The same messages once there have been too many, until all of them were looked at: what waits long outlives the young objects, which costs more than looking. */
const MOST_IN_FLOOD = 32;

/** Something that is to be looked at when there is time. */
export interface Look {
  readonly server: string;
  /** What it keeps in memory. */
  readonly bytes: number;
  /** Looks at it. Never rejects. */
  readonly look: () => Promise<void>;
}

interface Share {
  messages: number;
  bytes: number;
  isFlood: boolean;
}

/**
 * What has gone on and is to be looked at, of all connections of this process: many connections, as a service has them, are to take no more of its
 * time than one.
 */
export class LookQueue {
  readonly #clock: Clock;
  /** To be asked for wherever looking at one thing takes long. */
  readonly turns: Turns;
  readonly #shares = new Map<string, Share>();
  #waiting: Look[] = [];
  #bytes = 0;
  /** When there was something last, as the clock's `elapsed`. */
  #last = 0;
  #isWorking = false;
  /** Somebody waits for what is in here. */
  #isHurried = false;
  /** Ends the pause before what waits is looked at. */
  #wake = (): void => {};

  constructor(clock: Clock) {
    this.#clock = clock;
    this.turns = new Turns(clock, () => this.#letOthers());
  }

  /** May so many bytes of a server wait? Where not, they are not looked at. */
  hasRoom(server: string, bytes: number): boolean {
    this.#last = this.#clock.elapsed();
    const share = this.#shares.get(server);
    if (this.#bytes + bytes > MOST_BYTES) return false;
    if (share === undefined) return true;
    share.isFlood ||= share.messages >= MOST_OF_SERVER.messages;
    const most = share.isFlood ? MOST_IN_FLOOD : MOST_OF_SERVER.messages;
    return share.messages < most && share.bytes + bytes <= MOST_OF_SERVER.bytes;
  }

  /** To be called where there is room. */
  add(look: Look): void {
    this.#count(look, 1);
    this.#waiting.push(look);
    if (this.#hasEnough) this.#wake();
    if (this.#isWorking) return;
    this.#isWorking = true;
    void this.#workOff().finally(() => {
      this.#isWorking = false;
    });
  }

  /** Goes on without a pause until nothing waits. */
  hurry(): void {
    this.#isHurried = true;
    this.#wake();
  }

  async #workOff(): Promise<void> {
    do {
      if (!this.#hasEnough && !this.#isHurried) await this.#pause();
      const waiting = this.#waiting;
      this.#waiting = [];
      for (const look of waiting) {
        await look.look();
        this.#count(look, -1);
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
    const isQuiet = this.#clock.elapsed() - this.#last > QUIET;
    // A process that has nothing else to do ends while such a timer runs, and what is still to be recorded is lost.
    return isQuiet || this.#isHurried ? setImmediate() : setTimeout(BETWEEN, undefined, { ref: false });
  }

  #count({ server, bytes }: Look, by: 1 | -1): void {
    const share = this.#shares.get(server) ?? { messages: 0, bytes: 0, isFlood: false };
    share.messages += by;
    share.bytes += by * bytes;
    this.#bytes += by * bytes;
    if (share.messages === 0) this.#shares.delete(server);
    else this.#shares.set(server, share);
  }

  get #hasEnough(): boolean {
    return this.#waiting.length >= ENOUGH.messages || this.#bytes >= ENOUGH.bytes;
  }
}
