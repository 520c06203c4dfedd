import type { Socket } from 'node:net';

/** Most callers kept apart; beyond that, an idle one is dropped. */
const MOST_CALLERS = 64;

/** One caller's own part. */
interface Own {
  /** True while something is in flight. */
  readonly isBusy: boolean;
  /** Resolves when everything it saw is on record. */
  close(): Promise<void>;
}

interface PerCallerOptions<Caller, Part extends Own> {
  readonly create: (caller: Caller) => Part;
  /** Finds the caller of a connection; the same object for the same caller. Never rejects. */
  readonly callerOf: (socket: Socket) => Caller | Promise<Caller>;
}

/** Keeps one part per caller, created at its first call: no caller ever gets another's. */
export class PerCaller<Caller, Part extends Own> {
  readonly #options: PerCallerOptions<Caller, Part>;
  /** Parts by caller, the most recent caller last. */
  readonly #known = new Map<Caller, Part>();
  #closing: Promise<void>[] = [];

  constructor(options: PerCallerOptions<Caller, Part>) {
    this.#options = options;
  }

  /** Returns the part of a connection's caller; a promise only if the caller must be looked up. */
  of(socket: Socket): Part | Promise<Part> {
    const caller = this.#options.callerOf(socket);
    return caller instanceof Promise ? caller.then((found) => this.#of(found)) : this.#of(caller);
  }

  /** Closes all parts; resolves when everything they saw is on record. */
  async close(): Promise<void> {
    for (const part of this.#known.values()) this.#end(part);
    this.#known.clear();
    await Promise.all(this.#closing);
  }

  protected sum(count: (part: Part) => number): number {
    return [...this.#known.values()].reduce((sum, part) => sum + count(part), 0);
  }

  #of(caller: Caller): Part {
    const known = this.#known.get(caller);
    const part = known ?? this.#options.create(caller);
    this.#known.delete(caller);
    this.#known.set(caller, part);
    if (known === undefined && this.#known.size > MOST_CALLERS) this.#forgetIdle(part);
    return part;
  }

  /** @param newest the part that is about to be used */
  #forgetIdle(newest: Part): void {
    for (const [caller, part] of this.#known) {
      if (part.isBusy || part === newest) continue;
      this.#known.delete(caller);
      return this.#end(part);
    }
  }

  #end(part: Part): void {
    const closing = part.close().finally(() => {
      this.#closing = this.#closing.filter((other) => other !== closing);
    });
    this.#closing.push(closing);
  }
}
