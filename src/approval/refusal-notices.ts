import { createHash } from 'node:crypto';
import type { Policy } from '../core/policy/tables.ts';
import type { QuestionStore, Refused } from '../gate/ports/approval-port.ts';

/** Milliseconds in which what is refused is told of together: a server's lists come one right after the other. */
const TOGETHER_MS = 250;

/** Notices of one process; a server that declares something else each time is no reason for more. */
const MOST = 3;

export interface RefusalNoticesOptions {
  readonly store: Pick<QuestionStore, 'tellOnce'>;
  /** The policy of this moment. */
  readonly policy: () => Pick<Policy, 'approval'>;
  /** Points a person to what is refused, all of it of one server. Never throws, waits for nothing. */
  readonly notify: (refused: readonly [Refused, ...Refused[]]) => void;
}

/**
 * Tells a person, where the policy has the desktop as a channel, what a server declares and is not let through: each thing once, whatever
 * processes meet it, until a person has trusted another version of it.
 */
export class RefusalNotices {
  readonly #options: RefusalNoticesOptions;
  #waiting: Refused[] = [];
  #timer: NodeJS.Timeout | undefined;
  #count = 0;

  constructor(options: RefusalNoticesOptions) {
    this.#options = options;
  }

  add(refused: Refused): void {
    if (this.#count >= MOST || !this.#options.policy().approval.channels.includes('desktop')) return;
    this.#waiting.push(refused);
    this.#timer ??= setTimeout(() => this.flush(), TOGETHER_MS).unref();
  }

  /** Tells what waits without delay. Never throws: `clawai status` shows it all the same. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const waiting = this.#waiting;
    this.#waiting = [];
    if (waiting.length === 0) return;
    try {
      const keys = waiting.map(keyOf);
      // Undefined while others have the store: the next process that meets it tells it.
      const untold = this.#options.store.tellOnce(keys) ?? new Set();
      const news = waiting.filter((_refused, at) => untold.has(keys[at] ?? ''));
      for (const [first, ...others] of Map.groupBy(news, ({ server }) => server).values()) {
        if (first === undefined) continue;
        this.#count += 1;
        this.#options.notify([first, ...others]);
      }
    } catch {
      // A store that fails is told of by whoever records in it.
    }
  }
}

/** Names may be of any length. */
function keyOf({ server, kind, name, trusted = '' }: Refused): string {
  return createHash('sha256')
    .update(JSON.stringify([server, kind, name, trusted]))
    .digest('hex');
}
