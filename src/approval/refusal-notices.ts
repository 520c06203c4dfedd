import { createHash } from 'node:crypto';
import type { Policy } from '../core/policy/tables.ts';
import type { QuestionStore, Refused } from '../gate/ports/approval-port.ts';

/** Milliseconds for which refusals are collected: a server's lists come one right after the other. */
const TOGETHER_MS = 250;

/** Most notices of one process; a server that declares something else each time gets no more. */
const MOST = 3;

export interface RefusalNoticesOptions {
  readonly store: Pick<QuestionStore, 'tellOnce'>;
  /** Returns the current policy. */
  readonly policy: () => Pick<Policy, 'approval'>;
  /** Points a person to what is refused of one server. Never throws or waits. */
  readonly notify: (refused: readonly [Refused, ...Refused[]]) => void;
}

/**
 * Tells a person what a server declares and is refused, if the policy has the desktop as a channel. Each thing is told once, whichever
 * process meets it, until a person trusts another version of it.
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

  /** Sends the collected notices now. Never throws: `clawai status` shows the refusals too. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const waiting = this.#waiting;
    this.#waiting = [];
    if (waiting.length === 0) return;
    try {
      const keys = waiting.map(keyOf);
      // Undefined while others hold the store: the next process that meets the refusal reports it.
      const untold = this.#options.store.tellOnce(keys) ?? new Set();
      const news = waiting.filter((_refused, at) => untold.has(keys[at] ?? ''));
      for (const [first, ...others] of Map.groupBy(news, ({ server }) => server).values()) {
        if (first === undefined) continue;
        this.#count += 1;
        this.#options.notify([first, ...others]);
      }
    } catch {
      // Whoever records in the failing store reports it.
    }
  }
}

/** Hashes the key, since names may be of any length. */
function keyOf({ server, kind, name, trusted = '' }: Refused): string {
  return createHash('sha256')
    .update(JSON.stringify([server, kind, name, trusted]))
    .digest('hex');
}
