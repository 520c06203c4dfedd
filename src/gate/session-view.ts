import { type Call, CLIENT_CALLS } from '../core/call.ts';
import { type FlowAction, type FlowFinding } from '../core/flow/finding.ts';
import { PastCalls } from '../core/flow/past-calls.ts';
import { MOST_CALLS, type Evidence, type PastCall, type SessionFacts } from '../core/flow/window.ts';
import type { Category } from '../core/registry/category.ts';
import type { GateSetup } from './ports.ts';
import type { Recorder, Transaction } from './recorder.ts';
import { turnOf } from './turn.ts';

/** A session in which nothing happens for so many milliseconds is over. */
export const IDLE = 30 * 60 * 1000;

/** Milliseconds for which is not asked again who had a tool first. */
const KNOWN_FOR = 250;

/** Milliseconds after which a session is read again although nobody else has written: it may have been idle, and its time is noted. */
const READ_EVERY = 30_000;

/** Results that are looked back at. */
const MOST_RESULTS = 256;

/** Names come from peers: what is noted of one, and how many are remembered here. */
const LONGEST_SUBJECT = 256;
const MOST_SHADOWS = 256;

/** A call that was decided and is on record. */
export interface NotedCall {
  readonly call: Call;
  /** Of its record. */
  readonly id: string;
  readonly time: number;
  readonly categories: readonly Category[];
  readonly isForwarded: boolean;
  readonly flow: readonly FlowFinding[];
  /** What became of it because of the first finding, where that was no alert. */
  readonly action: FlowAction | undefined;
}

/** What one connection knows of the session that it is part of; other processes add to that, and it is read anew in each transaction. */
export class SessionView {
  readonly #setup: GateSetup;
  readonly #recorder: Recorder;
  #calls = new PastCalls();
  #session: string | undefined;
  /** Places of what was read last. */
  #lastEntry = 0;
  #lastValues = 0;
  /** As of which version of the log that was, and when. */
  #version: number | undefined;
  #readAt = Number.NEGATIVE_INFINITY;
  /** What of others' results is known is as of this version. */
  #hasValuesOf: number | undefined;
  #enteredIn: Readonly<Transaction> | undefined;
  #servers: readonly string[] = [];
  readonly #shadows = new Map<string, { readonly owner: string | undefined; readonly until: number }>();
  /** When the last alert about a burst was recorded: each call of it would be one. */
  #burstTold = Number.NEGATIVE_INFINITY;

  constructor(setup: GateSetup, recorder: Recorder) {
    this.#setup = setup;
    this.#recorder = recorder;
  }

  /** Is anything of the session asked for this call? */
  concerns({ method }: Call): boolean {
    return CLIENT_CALLS.has(method) && this.#setup.policy.current().policy.flow.enabled;
  }

  /** There is more than one server: until then nothing can flow from one to another, and nothing is noted. */
  get isActive(): boolean {
    return this.#servers.length > 1;
  }

  /** Notes that the server is part of the session. To be called while the recorder is open; throws where the store fails. */
  join(): void {
    if (!this.#setup.policy.current().policy.flow.enabled) return;
    this.#enter();
  }

  /**
   * What is known of the session that a call is part of; undefined while nothing can flow in it. To be called while the recorder is open;
   * throws where the store fails.
   */
  facts(call: Call): SessionFacts | undefined {
    const { ports } = this.#setup;
    this.#enter();
    if (!this.isActive) return undefined;
    const clock = ports.clock.now();
    const now = this.#calls.nowFrom(clock);
    const servers = this.#servers;
    let evidence: readonly Evidence[] | undefined;
    return {
      now,
      calls: this.#calls.list(now),
      turn: turnOf(call),
      servers: servers.length,
      shadowed: call.tool === undefined ? undefined : this.#shadowed(call.tool, clock),
      evidence: () => (evidence ??= this.#evidence(call)),
    };
  }

  /** Notes a call that was decided, and what was found in it. To be called in the transaction that records it. */
  note({ call, id, time, categories, isForwarded, flow, action }: NotedCall): void {
    const { ports, isObserving, policy } = this.#setup;
    this.#enter();
    if (!this.isActive) return;
    // What was denied gave nothing; noted, it would only push out what did.
    if (isForwarded) this.#add({ call, id, time, categories });
    for (const finding of flow) {
      const isAlert = isObserving || finding.action === 'alert' || finding !== flow[0];
      if (isAlert && finding.rule === 'burst') {
        if (Math.abs(time - this.#burstTold) < policy.current().policy.flow.burst.window) continue;
        this.#burstTold = time;
      }
      const session = this.#id;
      ports.sink.recordFlow({ time, session, call, record: id, finding, action: isAlert ? 'alert' : (action ?? 'alert') });
    }
  }

  #add({ call, id, time, categories }: Pick<NotedCall, 'call' | 'id' | 'time' | 'categories'>): void {
    const { sessionLog, provenance } = this.#setup.ports;
    const past: PastCall = {
      id,
      time,
      server: call.server,
      method: call.method,
      subject: (call.tool ?? call.resource ?? call.prompt ?? '').slice(0, LONGEST_SUBJECT),
      categories,
      turn: turnOf(call),
      isForwarded: true,
    };
    this.#lastEntry = sessionLog.addCall(this.#id, past);
    this.#calls.add(past);
    provenance.noteSaid(call.args, time);
  }

  /** Takes back a call that was noted: it did not reach the server. To be called while the recorder is open. */
  takeBack(id: string): void {
    this.#enter();
    if (!this.isActive) return;
    this.#lastEntry = this.#setup.ports.sessionLog.retract(this.#id, id, this.#setup.ports.clock.now());
    this.#calls.retract(id);
  }

  /** Remembers what a result had in it. To be called while the recorder is open. */
  remember(values: { readonly source: string; readonly time: number; readonly hashes: Uint8Array }): void {
    this.#enter();
    this.#setup.ports.sessionLog.addValues(this.#id, { ...values, server: this.#setup.server });
  }

  get #id(): string {
    return this.#session ?? this.#setup.ports.session();
  }

  /** Reads what others have noted since, once in each transaction; nothing where nobody else has written anything. */
  #enter(): void {
    const { current } = this.#recorder;
    if (this.#enteredIn === current) return;
    // What was added in a transaction that is lost is nowhere.
    if (this.#enteredIn?.isLost === true) this.#forget();
    const { ports } = this.#setup;
    const version = ports.sessionLog.version();
    const now = ports.clock.now();
    if (version !== this.#version || Math.abs(now - this.#readAt) >= READ_EVERY) {
      this.#read(now);
      this.#version = version;
      this.#readAt = now;
    }
    this.#enteredIn = current;
  }

  #read(now: number): void {
    const { ports, server } = this.#setup;
    ports.followSession((name) => ports.sessionLog.current(name, { now, idle: IDLE }));
    const session = ports.session();
    if (session !== this.#session) this.#forget();
    this.#session = session;
    ports.sessionLog.addServer(session, server, now);
    this.#servers = ports.sessionLog.servers(session);
    this.#shadows.clear();
    this.#hasValuesOf = undefined;
    if (!this.isActive) return;
    const before = this.#lastEntry;
    // Some of them only take others back.
    for (const entry of ports.sessionLog.entries(session, this.#lastEntry, 3 * MOST_CALLS)) {
      this.#lastEntry = entry.n;
      if (entry.kind === 'call') this.#calls.add(entry.call);
      else this.#calls.retract(entry.id);
    }
    if (before === 0 && this.#lastEntry === 0) this.#noteWhatWas(session, now);
  }

  /** Nothing was noted while there was one server; what it gave by then may flow to the next. */
  #noteWhatWas(session: string, now: number): void {
    const { sessionLog } = this.#setup.ports;
    const { readThenSend, crossServerFlow, burst } = this.#setup.policy.current().policy.flow;
    const window = Math.max(readThenSend.window, crossServerFlow.window, burst.window);
    for (const call of sessionLog.recorded(session, now - window, MOST_CALLS)) {
      this.#lastEntry = sessionLog.addCall(session, call);
      this.#calls.add(call);
    }
  }

  #forget(): void {
    this.#calls = new PastCalls();
    this.#lastEntry = 0;
    this.#lastValues = 0;
    this.#servers = [];
    this.#version = undefined;
    this.#shadows.clear();
    this.#setup.ports.provenance.clear();
  }

  /** The other server of the session that had a tool of this name first. */
  #shadowed(tool: string, now: number): string | undefined {
    const known = this.#shadows.get(tool);
    if (known !== undefined && isFresh(known.until, now)) return known.owner;
    const { ports, server } = this.#setup;
    const first = ports.registry.listers(tool).find((lister) => lister === server || this.#servers.includes(lister));
    const owner = first === server ? undefined : first;
    if (this.#shadows.size >= MOST_SHADOWS) this.#shadows.clear();
    this.#shadows.set(tool, { owner, until: now + KNOWN_FOR });
    return owner;
  }

  #evidence(call: Call): readonly Evidence[] {
    const { provenance, sessionLog } = this.#setup.ports;
    if (this.#hasValuesOf === undefined || this.#hasValuesOf !== this.#version) {
      for (const values of sessionLog.values(this.#id, this.#lastValues, MOST_RESULTS)) {
        this.#lastValues = values.n;
        provenance.add(values);
      }
      this.#hasValuesOf = this.#version;
    }
    return provenance.find(call.args, call.server);
  }
}

/** Not past, nor so far ahead that the clock must have been set back since. */
function isFresh(until: number, now: number): boolean {
  return now < until && now > until - 2 * KNOWN_FOR;
}
