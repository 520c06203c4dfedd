import { setTimeout } from 'node:timers/promises';
import type { ResultMarks } from '../ports/session-port.ts';

/** Milliseconds that a call waits for results to be read, and between two looks at whether other processes have read theirs. */
const PATIENCE = 5000;
const LOOK_EVERY = 3;

/** Calls that may wait; what comes beyond is not decided by what is not read yet. */
const MOST_WAITING = 1000;

/** Results that a call has to wait for. */
export interface Unread {
  /** Resolves when all of them are read, or the call is withdrawn: true; or when that has taken too long: false. */
  wait(withdrawn: AbortSignal): Promise<boolean>;
}

interface Passing {
  readonly server: string;
  readonly read: Promise<void>;
}

/** Results of one session that have gone on, and of which it is not on record yet which values they have. */
export class UnreadResults {
  readonly #session: string;
  readonly #marks: ResultMarks;
  readonly #patience: number;
  readonly #passing = new Set<Passing>();
  #waiting = 0;
  /** The look at the others' marks that comes next, for all who wait. */
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

  /** To be called before a result goes on; other processes know of it when this returns. @returns to be called when its values are on record */
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

  /** Results that have gone on by now and may have values for a call of a server; undefined where there are none. */
  look(server: string): Unread | undefined {
    const own = Array.from(this.#passing).filter((passing) => passing.server !== server);
    const others = this.#marks.others(this.#session);
    if (own.length === 0 && others.length === 0) return undefined;
    return {
      wait: async (withdrawn) => {
        if (this.#waiting >= MOST_WAITING) return false;
        this.#waiting++;
        try {
          return await this.#wait(own, others, withdrawn);
        } catch {
          // Whether others have read theirs can't be found out.
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
      const there = await this.#lookAgain();
      left = left.filter((mark) => there.has(mark));
    }
    return withdrawn.aborted || !patience.aborted;
  }

  #lookAgain(): Promise<ReadonlySet<string>> {
    this.#next ??= setTimeout(LOOK_EVERY).then(() => {
      this.#next = undefined;
      return new Set(this.#marks.others(this.#session));
    });
    return this.#next;
  }
}
