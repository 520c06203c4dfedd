import type { Socket } from 'node:net';

/** Callers that are told apart at one place; of more, one that has nothing on its way is forgotten. */
const MOST_CALLERS = 64;

/** What one caller has of its own. */
interface Own {
  /** Something is on its way. */
  readonly isBusy: boolean;
  /** Resolves when what it saw is on record. */
  close(): Promise<void>;
}

interface PerCallerOptions<Caller, Part extends Own> {
  readonly create: (caller: Caller) => Part;
  /** Who calls over a connection; the same object for the same caller. Never rejects. */
  readonly callerOf: (socket: Socket) => Caller | Promise<Caller>;
}

/** Something of its own for each caller, made when it first calls: whatever one of them sends, it never gets another's. */
export class PerCaller<Caller, Part extends Own> {
  readonly #options: PerCallerOptions<Caller, Part>;
  /** The one that called last is the last. */
  readonly #known = new Map<Caller, Part>();
  #closing: Promise<void>[] = [];

  constructor(options: PerCallerOptions<Caller, Part>) {
    this.#options = options;
  }

  /** That of whoever calls over a connection. A promise only where that has to be found out. */
  of(socket: Socket): Part | Promise<Part> {
    const caller = this.#options.callerOf(socket);
    return caller instanceof Promise ? caller.then((found) => this.#of(found)) : this.#of(caller);
  }

  /** Closes all; resolves when what they saw is on record. */
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

  /** @param newest about to be used */
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
