import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Timing } from './connection.ts';
import type { Address, Template } from './messages.ts';

/** Milliseconds beyond what an order says itself. */
const PATIENCE = 60_000;

/** What the process that makes load can be told to do. */
export type Order =
  | {
      readonly do: 'rate';
      readonly port: number;
      /** Sent in turn. */
      readonly templates: readonly Template[];
      readonly connections: number;
      /** Milliseconds that are not counted, and that are. */
      readonly warm: number;
      readonly measure: number;
    }
  | { readonly do: 'time'; readonly port: number; readonly template: Template; readonly count: number }
  | { readonly do: 'answers'; readonly target: Address; readonly count: number }
  | { readonly do: 'stream'; readonly target: Address; readonly events: number; readonly together: number }
  | { readonly do: 'talk'; readonly target: Address; readonly count: number; readonly measure: number }
  | { readonly do: 'open'; readonly port: number; readonly template: Template; readonly count: number }
  | { readonly do: 'close' };

export interface Rate {
  /** Answers a second, of the time that counts. */
  readonly rate: number;
  /** All of them, warming up included. */
  readonly answers: number;
}

export interface Outcome extends Partial<Rate> {
  readonly timings?: readonly Timing[];
  readonly error?: string;
}

/** Clients, in a process of their own. */
export class Load {
  readonly #child: ChildProcess;

  constructor() {
    this.#child = fork(join(import.meta.dirname, 'load-process.ts'), { execArgv: [] });
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** Over connections that each send the next request when the last one is answered. */
  async rate(order: Omit<Order & { do: 'rate' }, 'do'>): Promise<Rate> {
    const { rate, answers } = await this.#order({ do: 'rate', ...order }, order.warm + order.measure);
    if (rate === undefined || answers === undefined) throw new Error('nothing was measured');
    return { rate, answers };
  }

  /** One request after the other on one connection. */
  async time(port: number, template: Template, count: number): Promise<readonly Timing[]> {
    return (await this.#order({ do: 'time', port, template, count })).timings ?? [];
  }

  /** One message after the other in one session of HTTP+SSE, until its answer comes by the stream. */
  async timeAnswers(target: Address, count: number): Promise<readonly Timing[]> {
    return (await this.#order({ do: 'answers', target, count })).timings ?? [];
  }

  /** Events of HTTP+SSE, from the message that asks for them to the end of the stream. */
  async timeStream(order: Omit<Order & { do: 'stream' }, 'do'>): Promise<readonly Timing[]> {
    return (await this.#order({ do: 'stream', ...order })).timings ?? [];
  }

  /** Keeps so many sessions of HTTP+SSE open for so many milliseconds, with a ping each second in each. @returns pings that were answered */
  async talk(order: Omit<Order & { do: 'talk' }, 'do'>): Promise<number> {
    return (await this.#order({ do: 'talk', ...order }, order.measure)).answers ?? 0;
  }

  /** Opens so many streams, which stay open until `close`. */
  async open(port: number, template: Template, count: number): Promise<void> {
    await this.#order({ do: 'open', port, template, count });
  }

  async close(): Promise<void> {
    await this.#order({ do: 'close' });
  }

  async end(): Promise<void> {
    const ended = once(this.#child, 'exit');
    this.#child.kill();
    await ended;
  }

  /** @throws what went wrong over there */
  async #order(order: Order, takes = 0): Promise<Outcome> {
    const signal = AbortSignal.timeout(Math.ceil(takes) + PATIENCE);
    const answered = once(this.#child, 'message', { signal });
    this.#child.send(order);
    const [outcome] = (await answered) as [Outcome];
    if (outcome.error !== undefined) throw new Error(outcome.error);
    return outcome;
  }
}
