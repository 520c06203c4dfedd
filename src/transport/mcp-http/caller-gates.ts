import type { Socket } from 'node:net';
import type { Interceptor } from '../../gate/interceptor.ts';
import { Gates } from './gates.ts';

/** Callers that are told apart at one server; of more, one that has nothing on its way is forgotten. */
const MOST_CALLERS = 64;

interface CallerGatesOptions<Caller> {
  readonly create: (caller: Caller) => Interceptor;
  /** Milliseconds on a clock that never jumps. */
  readonly now: () => number;
  /** Who calls over a connection; the same object for the same caller. Never rejects. */
  readonly callerOf: (socket: Socket) => Caller | Promise<Caller>;
}

/** The gates of one remote server, apart for each caller: whatever id of a session one of them sends, it never gets another's gate. */
export class CallerGates<Caller> {
  readonly #options: CallerGatesOptions<Caller>;
  /** The one that called last is the last. */
  readonly #known = new Map<Caller, Gates>();
  #closing: Promise<void>[] = [];

  constructor(options: CallerGatesOptions<Caller>) {
    this.#options = options;
  }

  /** Those of whoever calls over a connection. A promise only where that has to be found out. */
  of(socket: Socket): Gates | Promise<Gates> {
    const caller = this.#options.callerOf(socket);
    return caller instanceof Promise ? caller.then((found) => this.#of(found)) : this.#of(caller);
  }

  get sessions(): number {
    return this.#sum(({ sessions }) => sessions);
  }

  /** How many gates there are in all. */
  get size(): number {
    return this.#sum(({ size }) => size);
  }

  /** Ends all of them; resolves when what they saw is on record. */
  async close(): Promise<void> {
    for (const gates of this.#known.values()) this.#end(gates);
    this.#known.clear();
    await Promise.all(this.#closing);
  }

  #of(caller: Caller): Gates {
    const known = this.#known.get(caller);
    const { create, now } = this.#options;
    const gates = known ?? new Gates({ create: () => create(caller), now });
    this.#known.delete(caller);
    this.#known.set(caller, gates);
    if (known === undefined && this.#known.size > MOST_CALLERS) this.#forgetIdle();
    return gates;
  }

  #forgetIdle(): void {
    for (const [caller, gates] of this.#known) {
      if (gates.isBusy) continue;
      this.#known.delete(caller);
      return this.#end(gates);
    }
  }

  #end(gates: Gates): void {
    const closing = gates.close().finally(() => {
      this.#closing = this.#closing.filter((other) => other !== closing);
    });
    this.#closing.push(closing);
  }

  #sum(count: (gates: Gates) => number): number {
    return [...this.#known.values()].reduce((sum, gates) => sum + count(gates), 0);
  }
}
