import type { Socket } from 'node:net';
import type { Interceptor } from '../../gate/interceptor.ts';
import { PerCaller } from '../http/per-caller.ts';

interface CallerGatesOptions<Caller> {
  readonly create: (caller: Caller) => Interceptor;
  /** A monotonic clock, in milliseconds. */
  readonly now: () => number;
  /** Finds the caller of a connection; the same object for the same caller. Never rejects. */
  readonly callerOf: (socket: Socket) => Caller | Promise<Caller>;
}

/** Milliseconds without a request after which a session is dropped; a later request with it gets a new gate. */
const IDLE = 60 * 60 * 1000;

/** Most sessions of a server (the least recently used is dropped first), and most idle gates for requests without a session. */
const MOST_SESSIONS = 10_000;
const MOST_IDLE = 64;

/** The era of the protocol: requests of one era can share a gate, one after the other. */
export type Era = 'legacy' | 'modern';

interface Session {
  readonly gate: Interceptor;
  /** The time of the last request, in milliseconds. */
  used: number;
}

/**
 * The gates of one remote server: one per session, in which requests, streams and answers belong together, and one per request without a
 * session, since other clients' requests may have the same ids.
 */
export class Gates {
  readonly #create: () => Interceptor;
  readonly #now: () => number;
  /** Sessions by id, the most recently used last. */
  readonly #sessions = new Map<string, Session>();
  readonly #idle: Readonly<Record<Era, Interceptor[]>> = { legacy: [], modern: [] };
  readonly #inUse = new Set<Interceptor>();
  /** Open streams by gate. */
  readonly #streaming = new Map<Interceptor, number>();
  #ending: Promise<unknown>[] = [];
  readonly #ended = new WeakSet<Interceptor>();

  /** @param now a monotonic clock, in milliseconds */
  constructor({ create, now }: { readonly create: () => Interceptor; readonly now: () => number }) {
    this.#create = create;
    this.#now = now;
  }

  get sessions(): number {
    return this.#sessions.size;
  }

  /** The number of all gates. */
  get size(): number {
    return this.#sessions.size + this.#idle.legacy.length + this.#idle.modern.length + this.#inUse.size;
  }

  /** True while a stream is open, or a request in flight. */
  get isBusy(): boolean {
    return this.#inUse.size > 0 || this.#streaming.size > 0;
  }

  /** Returns the gate of a session, even of one from before our start. */
  ofSession(id: string): Interceptor {
    const known = this.#sessions.get(id);
    const gate = known?.gate ?? this.#create();
    this.bind(id, gate);
    return gate;
  }

  /** Binds a session to this gate. If a server uses one session id twice, the gate with requests in flight keeps it. */
  bind(id: string, gate: Interceptor): void {
    const known = this.#sessions.get(id);
    if (known !== undefined && known.gate !== gate && this.#streaming.has(known.gate)) return;
    this.#inUse.delete(gate);
    if (known !== undefined && known.gate !== gate) this.#end(known.gate);
    this.#sessions.delete(id);
    this.#sessions.set(id, { gate, used: this.#now() });
    this.#forgetOld();
  }

  /** Ends a session. */
  end(id: string): void {
    const session = this.#sessions.get(id);
    this.#sessions.delete(id);
    if (session !== undefined) this.#end(session.gate);
  }

  /** Tells whether this gate has ended, so that it has forgotten even the requests that still wait for answers. */
  hasEnded(gate: Interceptor): boolean {
    return this.#ended.has(gate);
  }

  /** Notes a stream or request in flight, so that its session is not idle, until the returned function is called. */
  beginStream(gate: Interceptor): () => void {
    this.#streaming.set(gate, (this.#streaming.get(gate) ?? 0) + 1);
    return () => {
      const others = (this.#streaming.get(gate) ?? 1) - 1;
      if (others === 0) this.#streaming.delete(gate);
      else this.#streaming.set(gate, others);
    };
  }

  /** Takes a gate for one request. Sequential requests get the same gate. */
  acquire(era: Era): Interceptor {
    const gate = this.#idle[era].pop() ?? this.#create();
    this.#inUse.add(gate);
    return gate;
  }

  /** Takes a gate that nobody has used. */
  acquireNew(): Interceptor {
    const gate = this.#create();
    this.#inUse.add(gate);
    return gate;
  }

  /** Returns a gate after its request. A gate that now belongs to a session stays with it. */
  release(era: Era, gate: Interceptor): void {
    if (!this.#inUse.delete(gate)) return;
    gate.requests.forgetAll();
    if (this.#idle[era].length < MOST_IDLE) this.#idle[era].push(gate);
    else this.#end(gate);
  }

  /** Finds the gate in flight whose server asked the question that this answers. */
  findAsking(answer: Buffer): Interceptor | undefined {
    let isAnswer: boolean | undefined;
    for (const gate of this.#inUse) {
      // Servers ask rarely, so the body is only parsed if some gate waits for an answer.
      if (!gate.requests.awaitsAnswers) continue;
      isAnswer ??= gate.requests.isAnswer(answer);
      if (!isAnswer) return undefined;
      if (gate.requests.isAwaited(answer)) return gate;
    }
    return undefined;
  }

  /** Ends all gates; resolves when everything they saw is on record. */
  async close(): Promise<void> {
    for (const { gate } of this.#sessions.values()) this.#end(gate);
    for (const gate of [...this.#idle.legacy.splice(0), ...this.#idle.modern.splice(0), ...this.#inUse]) this.#end(gate);
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

/** The gates of one remote server, separate per caller: whatever session id a caller sends, it never gets another caller's gate. */
export class CallerGates<Caller> extends PerCaller<Caller, Gates> {
  constructor({ create, now, callerOf }: CallerGatesOptions<Caller>) {
    super({ create: (caller) => new Gates({ create: () => create(caller), now }), callerOf });
  }

  get sessions(): number {
    return this.sum(({ sessions }) => sessions);
  }

  /** The number of all gates. */
  get size(): number {
    return this.sum(({ size }) => size);
  }
}
