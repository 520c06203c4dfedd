import { type Notice, sameness } from './notices.ts';
import type { Sending } from './requests.ts';

/** The outcome of an attempt. `again`: try later. `refused`: it will never be taken. */
export type Attempt = { readonly outcome: 'sent' } | { readonly outcome: 'again' | 'refused'; readonly fault: string };

export interface ChannelOptions {
  /** Sends once. Never rejects. */
  readonly send: (sending: Sending) => Promise<Attempt>;
  readonly pause: (milliseconds: number) => Promise<void>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** Counts a channel's notices; kept when the process ends. */
export interface ChannelCounts {
  sent: number;
  /** Notices lost since the last one that was sent. */
  dropped: number;
  /** The last failure; empty after a success. */
  fault: string;
}

/** Most notices that wait. */
export const MOST_WAITING = 100;

/** Milliseconds before each further attempt; after the last one, all that waits is given up. */
export const BACK_OFF_MS: readonly number[] = [1000, 2000, 4000, 8000, 16_000, 32_000];

/** Milliseconds between two notices: chats take about one a second. */
const APART_MS = 1000;

interface Waiting {
  readonly notice: Notice;
  times: number;
}

/** Sends the notices of one webhook: one at a time, in order, several times if it must. What waits is bounded, and what is lost is counted. */
export class Channel {
  readonly #options: ChannelOptions;
  readonly counts: ChannelCounts;
  #waiting: Waiting[] = [];
  #sending: Waiting | undefined;
  #work: Promise<void> | undefined;

  constructor(options: ChannelOptions, counts: ChannelCounts) {
    this.#options = options;
    this.counts = counts;
  }

  /** True if nothing waits and nothing is being sent. */
  get isIdle(): boolean {
    return this.#work === undefined;
  }

  /** Adds a notice. One like another that waits is only counted with it; if there is no room, the oldest that is no question is lost. */
  add(notice: Notice): void {
    const key = sameness(notice);
    const like = this.#waiting.find((waiting) => sameness(waiting.notice) === key);
    if (like !== undefined) {
      like.times += 1;
      return;
    }
    if (this.#waiting.length >= MOST_WAITING) {
      const at = this.#waiting.findIndex((waiting) => waiting.notice.event !== 'questions');
      const [lost] = this.#waiting.splice(Math.max(0, at), 1);
      this.counts.dropped += lost?.times ?? 0;
    }
    this.#waiting.push({ notice, times: 1 });
    this.#start();
  }

  #start(): void {
    this.#work ??= this.#sendAll().finally(() => {
      this.#work = undefined;
      if (this.#waiting.length > 0) this.#start();
    });
  }

  async #sendAll(): Promise<void> {
    const { pause, now } = this.#options;
    for (;;) {
      const next = this.#waiting.shift();
      if (next === undefined) return;
      // Nobody can answer a question that is over.
      if (next.notice.question !== undefined && next.notice.question.expires <= now()) continue;
      this.#sending = next;
      await this.#sendOne(next);
      this.#sending = undefined;
      if (this.#waiting.length > 0) await pause(APART_MS);
    }
  }

  async #sendOne({ notice, times }: Waiting): Promise<void> {
    const { send, pause } = this.#options;
    for (const wait of [...BACK_OFF_MS, undefined]) {
      const { dropped } = this.counts;
      const attempt = await send({ notice, times, dropped });
      this.counts.fault = attempt.outcome === 'sent' ? '' : attempt.fault;
      if (attempt.outcome === 'sent') {
        this.counts.sent += 1;
        // More may have been lost meanwhile.
        this.counts.dropped -= dropped;
        return;
      }
      if (attempt.outcome === 'refused') break;
      if (wait === undefined) return this.#giveUp();
      await pause(wait);
    }
    this.counts.dropped += times;
  }

  /** The receiver is gone: it would take the same time again for each notice that waits. */
  #giveUp(): void {
    const lost = this.#sending === undefined ? this.#waiting : [this.#sending, ...this.#waiting];
    for (const { times } of lost) this.counts.dropped += times;
    this.#waiting = [];
  }
}
