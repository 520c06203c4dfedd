import type { Socket } from 'node:net';
import type { Interceptor } from '../../gate/interceptor.ts';
import { PerCaller } from '../http/per-caller.ts';

interface CallerGatesOptions<Caller> {
  readonly create: (caller: Caller) => Interceptor;
  /** Milliseconds on a clock that never jumps. */
  readonly now: () => number;
  /** Who calls over a connection; the same object for the same caller. Never rejects. */
  readonly callerOf: (socket: Socket) => Caller | Promise<Caller>;
}

/** Milliseconds without a request after which a session is forgotten; who comes back with it goes on under a new gate. */
const IDLE = 60 * 60 * 1000;

/** Sessions that a server may have at once, the one that was used longest ago goes first; and gates that are kept for requests without one. */
const MOST_SESSIONS = 10_000;
const MOST_SPARE = 64;

/** Which requests can share a gate, one after the other: what a server may do depends on the era of the protocol. */
export type Era = 'legacy' | 'modern';

interface Session {
  readonly gate: Interceptor;
  /** Milliseconds, of the last request. */
  used: number;
}

/**
 * The gates of one remote server: one for each session, in which requests, streams and answers belong together, and one for each request
 * that has none, since the ids of other clients' requests may be the same.
 */
export class Gates {
  readonly #create: () => Interceptor;
  readonly #now: () => number;
  /** The one that was used last is the last. */
  readonly #sessions = new Map<string, Session>();
  readonly #spare: Readonly<Record<Era, Interceptor[]>> = { legacy: [], modern: [] };
  readonly #lent = new Set<Interceptor>();
  /** How many streams each has open. */
  readonly #streaming = new Map<Interceptor, number>();
  #ending: Promise<unknown>[] = [];
  readonly #ended = new WeakSet<Interceptor>();

  /** @param now milliseconds on a clock that never jumps */
  constructor({ create, now }: { readonly create: () => Interceptor; readonly now: () => number }) {
    this.#create = create;
    this.#now = now;
  }

  get sessions(): number {
    return this.#sessions.size;
  }

  /** How many gates there are in all. */
  get size(): number {
    return this.#sessions.size + this.#spare.legacy.length + this.#spare.modern.length + this.#lent.size;
  }

  /** Is a stream open, or a request on its way? */
  get isBusy(): boolean {
    return this.#lent.size > 0 || this.#streaming.size > 0;
  }

  /** The gate of a session, also of one that began before we did. */
  ofSession(id: string): Interceptor {
    const known = this.#sessions.get(id);
    const gate = known?.gate ?? this.#create();
    this.bind(id, gate);
    return gate;
  }

  /** Notes that a session goes through this gate. Where a server names two sessions alike, they go through the one whose requests are on their way. */
  bind(id: string, gate: Interceptor): void {
    const known = this.#sessions.get(id);
    if (known !== undefined && known.gate !== gate && this.#streaming.has(known.gate)) return;
    this.#lent.delete(gate);
    if (known !== undefined && known.gate !== gate) this.#end(known.gate);
    this.#sessions.delete(id);
    this.#sessions.set(id, { gate, used: this.#now() });
    this.#forgetOld();
  }

  /** A session is over. */
  end(id: string): void {
    const session = this.#sessions.get(id);
    this.#sessions.delete(id);
    if (session !== undefined) this.#end(session.gate);
  }

  /** Is this gate over, so that it knows of no requests any more, also of those that still wait for their answers? */
  hasEnded(gate: Interceptor): boolean {
    return this.#ended.has(gate);
  }

  /** A stream goes through this gate, or a request is on its way, so that its session is not idle, until what is returned is called. */
  beginStream(gate: Interceptor): () => void {
    this.#streaming.set(gate, (this.#streaming.get(gate) ?? 0) + 1);
    return () => {
      const others = (this.#streaming.get(gate) ?? 1) - 1;
      if (others === 0) this.#streaming.delete(gate);
      else this.#streaming.set(gate, others);
    };
  }

  /** A gate for one request. The same client gets the same one again, as long as it makes one request at a time. */
  borrow(era: Era): Interceptor {
    const gate = this.#spare[era].pop() ?? this.#create();
    this.#lent.add(gate);
    return gate;
  }

  /** The request is over. A gate that has become a session's stays with it. */
  giveBack(era: Era, gate: Interceptor): void {
    if (!this.#lent.delete(gate)) return;
    gate.requests.forgetAll();
    if (this.#spare[era].length < MOST_SPARE) this.#spare[era].push(gate);
    else this.#end(gate);
  }

  /** The gate of the request, of those going on, in which the server asked what this is the answer to. */
  findAsking(answer: Buffer): Interceptor | undefined {
    let isAnswer: boolean | undefined;
    for (const gate of this.#lent) {
      // Servers ask rarely: what nobody waits for is not read to find that out.
      if (!gate.requests.awaitsAnswers) continue;
      isAnswer ??= gate.requests.isAnswer(answer);
      if (!isAnswer) return undefined;
      if (gate.requests.isAwaited(answer)) return gate;
    }
    return undefined;
  }

  /** Ends all of them; resolves when what they saw is on record. */
  async close(): Promise<void> {
    for (const { gate } of this.#sessions.values()) this.#end(gate);
    for (const gate of [...this.#spare.legacy.splice(0), ...this.#spare.modern.splice(0), ...this.#lent]) this.#end(gate);
    this.#sessions.clear();
    await Promise.all(this.#ending);
  }

  #forgetOld(): void {
    for (const [id, { used, gate }] of this.#sessions) {
      const isTooMany = this.#sessions.size > MOST_SESSIONS;
      if (!isTooMany && this.#now() - used < IDLE) return;
      if (isTooMany || !this.#streaming.has(gate)) this.end(id);
    }
  }

  #end(gate: Interceptor): void {
    this.#ended.add(gate);
    gate.requests.serverEnded();
    const ended = gate.finish().finally(() => {
      this.#ending = this.#ending.filter((other) => other !== ended);
    });
    this.#ending.push(ended);
  }
}

/** The gates of one remote server, apart for each caller: whatever id of a session one of them sends, it never gets another's gate. */
export class CallerGates<Caller> extends PerCaller<Caller, Gates> {
  constructor({ create, now, callerOf }: CallerGatesOptions<Caller>) {
    super({ create: (caller) => new Gates({ create: () => create(caller), now }), callerOf });
  }

  get sessions(): number {
    return this.sum(({ sessions }) => sessions);
  }

  /** How many gates there are in all. */
  get size(): number {
    return this.sum(({ size }) => size);
  }
}
