import { setTimeout } from 'node:timers/promises';
import type { ResultMarks } from '../ports/session-port.ts';

/** Milliseconds that a call waits for results to be read, and between two reads of other processes' marks. */
const PATIENCE = 5000;
const POLL_EVERY = 3;

/** Most calls that may wait; further ones count as not read in time. */
const MOST_WAITING = 1000;

/** Results that a call has to wait for. */
export interface Unread {
  /** Resolves to true when all of them are read or the call is withdrawn, and to false when that has taken too long. */
  wait(withdrawn: AbortSignal): Promise<boolean>;
}

interface Passing {
  readonly server: string;
  readonly read: Promise<void>;
}

/** Results of one session that have gone on, and whose values are not on record yet. */
export class UnreadResults {
  readonly #session: string;
  readonly #marks: ResultMarks;
  readonly #patience: number;
  readonly #passing = new Set<Passing>();
  #waiting = 0;
  /** The next read of the others' marks, shared by all who wait. */
  #next: Promise<ReadonlySet<string>> | undefined;

  constructor(session: string, marks: ResultMarks, patience = PATIENCE) {
    this.#session = session;
    this.#marks = marks;
    this.#patience = patience;
  }

  /** True while this process has results to read. */
  get isBusy(): boolean {
    return this.#passing.size > 0;
  }

  /**
   * Marks a result that is about to go on; other processes know of it when this returns. @returns to be called when its values are on
   * record
   */
  pass(server: string): () => void {
    const { promise: read, resolve } = Promise.withResolvers<void>();
    const passing = { server, read };
    const remove = this.#marks.add(this.#session);
    this.#passing.add(passing);
    return () => {
      if (!this.#passing.delete(passing)) return;
      remove();
      resolve();
    };
  }

  /**
   * Results that have gone on by now and that a call of a server has to wait for; undefined if there are none.
   *
   * @param hasEvidence values were found in the call. They are no evidence if its own server has said them too, so its own results matter
   *   then, and when the results of others may bring some.
   */
  find(server: string): (hasEvidence: boolean) => Unread | undefined {
    const passing = [...this.#passing];
    const others = this.#marks.others(this.#session);
    const mayBring = others.length > 0 || passing.some((one) => one.server !== server);
    return (hasEvidence) => (hasEvidence || mayBring ? this.#toWaitFor(passing, others) : undefined);
  }

  #toWaitFor(own: readonly Passing[], others: readonly string[]): Unread | undefined {
    if (own.length === 0 && others.length === 0) return undefined;
    return {
      wait: async (withdrawn) => {
        if (this.#waiting >= MOST_WAITING) return false;
        this.#waiting++;
        try {
          return await this.#wait(own, others, withdrawn);
        } catch {
          // The other processes' marks can't be read.
          return false;
        } finally {
          this.#waiting--;
        }
      },
    };
  }

  async #wait(own: readonly Passing[], others: readonly string[], withdrawn: AbortSignal): Promise<boolean> {
    if (withdrawn.aborted) return true;
    const patience = AbortSignal.any([withdrawn, AbortSignal.timeout(this.#patience)]);
    const ended = new Promise<void>((resolve) => patience.addEventListener('abort', () => resolve(), { once: true }));
    await Promise.race([ended, Promise.all(own.map(({ read }) => read))]);
    let left = others;
    while (left.length > 0 && !patience.aborted) {
      const there = await this.#readAgain();
      left = left.filter((mark) => there.has(mark));
    }
    return withdrawn.aborted || !patience.aborted;
  }

  #readAgain(): Promise<ReadonlySet<string>> {
    this.#next ??= setTimeout(POLL_EVERY).then(() => {
      this.#next = undefined;
      return new Set(this.#marks.others(this.#session));
    });
    return this.#next;
  }
}
