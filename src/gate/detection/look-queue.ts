import { setImmediate, setTimeout } from 'node:timers/promises';
import type { Clock, Look, Looks, TurnTaking } from '../ports/ports.ts';
import { Turns } from './find-in-texts.ts';

/**
 * Milliseconds after which something is looked at that nothing waits for: until then it is on its way. Several together cost less than each by itself,
 * between calls that wait; messages and bytes from which on there are enough of them.
 */
const AFTER = 1000;
const ENOUGH = { messages: 64, bytes: 1024 * 1024 } as const;

/**
 * Milliseconds between two turns: a fifteenth of the time at most goes into looking. Where there is more than can be looked at in any case, it is a
 * hundredth.
 */
const BETWEEN = { usual: 2, inFlood: 20 } as const;

/** Messages and bytes of one server that may wait, so that one that floods leaves room for the others; and bytes of all. */
const MOST_OF_SERVER = { messages: 256, bytes: 16 * 1024 * 1024 } as const;
const MOST_BYTES = 64 * 1024 * 1024;

/** The same messages once there have been too many, until all of them were looked at: what waits long outlives the young objects, which costs more than looking. */
const MOST_IN_FLOOD = 32;

interface Share {
  messages: number;
  bytes: number;
}

/**
 * What has gone on and is to be looked at, of all connections of this process: many connections, as a service has them, are to take no more of its
 * time than one.
 */
export class LookQueue implements Looks {
  readonly turns: TurnTaking;
  readonly #shares = new Map<string, Share>();
  /** Servers of which there was more than may wait. */
  readonly #floods = new Set<string>();
  #waiting: Look[] = [];
  #bytes = 0;
  /** Bytes of what waits and is not patient. */
  #pressing = 0;
  /** Something has passed since the last turn. */
  #isBusy = false;
  #isWorking = false;
  /** Somebody waits for what is in here. */
  #isHurried = false;
  /** Ends the pause before what waits is looked at. */
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

  add(look: Look): void {
    this.#count(look, 1);
    if (look.isPatient !== true) this.#pressing += look.bytes;
    this.#waiting.push(look);
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
    if (!this.#isBusy) return setImmediate();
    this.#isBusy = false;
    // Who waits for it at the end of the process has nothing else that keeps it going.
    return setTimeout(this.#floods.size > 0 ? BETWEEN.inFlood : BETWEEN.usual, undefined, { ref: this.#isHurried });
  }

  #count({ server, bytes }: Look, by: 1 | -1): void {
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
