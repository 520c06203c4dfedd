import { MOST_CALLS } from '../../core/facts.ts';
import type { PastCall } from '../../core/finding.ts';
import { PastCalls } from '../../core/flow/past-calls.ts';
import type { Flow } from '../../core/policy/parse-flow.ts';
import type { LogVersion, Provenance, ResultMarks, SessionLog } from '../ports/session-port.ts';
import { UnreadResults } from './unread-results.ts';

/** Milliseconds after which a session is read again even if nobody else has written: it may have been idle, and its time is noted. */
const READ_EVERY = 30_000;

/** Milliseconds for which a tool's first owner is cached. */
const KNOWN_FOR = 250;

/** Most results whose values are read from the log. */
const MOST_RESULTS = 256;

/** Most tool names whose owners are cached, since peers choose them. */
const MOST_SHADOWS = 256;

/** Most sessions that are remembered; a forgotten one is read again. */
const MOST_SESSIONS = 64;

interface Owner {
  /** Undefined for the server itself. */
  readonly owner: string | undefined;
  readonly until: number;
}

/** One process's memory of one session, shared by all its connections: a note of one is known to all at once. */
export class SessionMemory {
  readonly session: string;
  readonly provenance: Provenance;
  readonly unread: UnreadResults;
  readonly #log: SessionLog;
  calls = new PastCalls();
  servers: readonly string[] = [];
  /** Servers of this process that were noted since the session was read. */
  readonly #joined = new Set<string>();
  /** Positions of the entries and values that were read last. */
  #lastEntry = 0;
  #lastValues = 0;
  #hasAllValues = false;
  /** Versions of the log at that time, and the time. */
  #others: number | undefined;
  #lost: number | undefined;
  #readAt = Number.NEGATIVE_INFINITY;
  readonly #owners = new Map<string, Owner>();
  /** Time of the last recorded alert about a server's burst, since each of its calls would raise one. */
  readonly burstReports = new Map<string, number>();

  constructor(
    session: string,
    parts: { readonly log: SessionLog; readonly provenance: Provenance; readonly marks: ResultMarks },
  ) {
    this.session = session;
    this.#log = parts.log;
    this.provenance = parts.provenance;
    this.unread = new UnreadResults(session, parts.marks);
  }

  /**
   * True if there is more than one server: until then nothing can flow from one to another, and nothing is noted. A result may steer calls of
   * its own server.
   */
  isActive({ enabled, steeredCall }: Flow): boolean {
    return this.servers.length > 1 || (enabled && steeredCall.enabled);
  }

  /** True if others may have written since it was read, or its notes are lost. */
  isStale({ lost, others }: LogVersion, now: number): boolean {
    return this.#lost !== lost || this.#others !== others || !this.isOfNow(now);
  }

  /** Tells whether it was read so recently that the session can't have ended. */
  isOfNow(now: number): boolean {
    return Math.abs(now - this.#readAt) < READ_EVERY;
  }

  /** Reads the entries that other processes have noted since. */
  read({ lost, others }: LogVersion, now: number, flow: Flow): void {
    // Notes of a rolled-back transaction are gone.
    const isLost = this.#lost !== undefined && this.#lost !== lost;
    if (isLost) this.#forget();
    // Its servers are still connected.
    if (isLost) for (const server of this.servers) this.#log.addServer(this.session, server, now);
    this.#lost = lost;
    this.#others = undefined;
    this.#joined.clear();
    this.#hasAllValues = false;
    this.#readServers(now, flow);
    this.#others = others;
    this.#readAt = now;
  }

  /** Notes that a server is part of the session. */
  join(server: string, now: number, flow: Flow): void {
    if (this.#joined.has(server)) return;
    this.#log.addServer(this.session, server, now);
    this.#joined.add(server);
    if (!this.servers.includes(server)) this.#readServers(now, flow);
  }

  add(call: PastCall): void {
    this.#lastEntry = this.#log.addCall(this.session, call);
    this.calls.add(call);
  }

  retract(id: string, now: number): void {
    this.#lastEntry = this.#log.retract(this.session, id, now);
    this.calls.retract(id);
  }

  /** Dates a call by its answer: a late one must not be older than the window from the start. */
  answer(id: string, now: number): void {
    const call = this.calls.find(id);
    if (call === undefined) return;
    this.retract(id, now);
    this.add({ ...call, time: now, made: call.made ?? call.time });
  }

  /** Notes the values in a result. */
  addValues(values: Parameters<SessionLog['addValues']>[1]): void {
    this.#log.addValues(this.session, values);
    this.#hasAllValues = false;
  }

  /** Gives the provenance all noted values. */
  readValues(): void {
    if (this.#hasAllValues) return;
    for (const values of this.#log.values(this.session, this.#lastValues, MOST_RESULTS)) {
      this.#lastValues = values.n;
      this.provenance.add(values);
    }
    this.#hasAllValues = true;
  }

  /** The other server of the session that had a tool first. @param find returns the session's first one, if any */
  ownerOf(
    tool: string,
    server: string,
    { now, find }: { readonly now: number; readonly find: () => string | undefined },
  ): string | undefined {
    const key = `${server} ${tool}`;
    const known = this.#owners.get(key);
    if (known !== undefined && now < known.until && now > known.until - 2 * KNOWN_FOR) return known.owner;
    const first = find();
    const owner = first === server ? undefined : first;
    if (this.#owners.size >= MOST_SHADOWS) this.#owners.clear();
    // The first owner stays the owner. While there is none, any server may become it.
    if (first !== undefined) this.#owners.set(key, { owner, until: now + KNOWN_FOR });
    return owner;
  }

  #readServers(now: number, flow: Flow): void {
    const { readThenSend, crossServerFlow, steeredCall, burst } = flow;
    this.servers = this.#log.servers(this.session);
    this.#owners.clear();
    if (!this.isActive(flow)) return;
    const isNew = this.#lastEntry === 0;
    // Some entries only retract others.
    for (const entry of this.#log.entries(this.session, this.#lastEntry, 3 * MOST_CALLS)) {
      this.#lastEntry = entry.n;
      if (entry.kind === 'call') this.calls.add(entry.call);
      else this.calls.retract(entry.id);
    }
    if (!isNew || this.#lastEntry !== 0) return;
    // Nothing was noted while there was one server; its results may flow to the next.
    const steered = steeredCall.enabled ? steeredCall.window : 0;
    const window = Math.max(readThenSend.window, crossServerFlow.window, burst.window, steered);
    for (const call of this.#log.recorded(this.session, now - window, MOST_CALLS)) this.add(call);
  }

  #forget(): void {
    this.calls = new PastCalls();
    this.#lastEntry = 0;
    this.#lastValues = 0;
    this.burstReports.clear();
    this.provenance.clear();
  }
}

/** One process's memories of all sessions that its connections are part of. */
export class SessionMemories {
  readonly #create: (session: string) => SessionMemory;
  readonly #known = new Map<string, SessionMemory>();
  /** The session that was used last, which is never forgotten. */
  #last: SessionMemory | undefined;

  constructor(parts: { readonly log: SessionLog; readonly createProvenance: () => Provenance; readonly marks: ResultMarks }) {
    const { log, createProvenance, marks } = parts;
    this.#create = (session) => new SessionMemory(session, { log, provenance: createProvenance(), marks });
  }

  of(session: string): SessionMemory {
    if (session === this.#last?.session) return this.#last;
    const known = this.#known.get(session);
    if (known === undefined && this.#known.size >= MOST_SESSIONS) this.#forgetOne();
    const memory = known ?? this.#create(session);
    // Moves it to the end, as the most recently used.
    this.#known.delete(session);
    this.#known.set(session, memory);
    this.#last = memory;
    return memory;
  }

  /** Forgets the least recently used session. Sessions with results being read stay, since calls wait for them. */
  #forgetOne(): void {
    for (const [session, { unread }] of this.#known) {
      if (unread.isBusy) continue;
      this.#known.delete(session);
      return;
    }
  }
}
