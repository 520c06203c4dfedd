import { type Call, type Category, CLIENT_CALLS } from '../../core/call.ts';
import { MOST_CALLS, type SessionFacts } from '../../core/facts.ts';
import type { ArgumentSecret, Evidence, FlowAction, FlowFinding, PastCall, Steering } from '../../core/finding.ts';
import { recordedURI } from '../../core/outgoing/recorded-arguments.ts';
import { actsOnSecrets, SECRET_SOURCE, secretsInTexts } from '../../core/outgoing/known-secrets.ts';
import { asksForResults, asksForValues } from '../../core/flow/find-sources.ts';
import { isActing } from '../../core/flow/steering/find-steering.ts';
import { SAID_SOURCE, tellingNames, TOLD_SOURCE } from '../../core/flow/steering/told-marks.ts';
import type { JsonObject } from '../../core/json.ts';
import type { Flow } from '../../core/policy/parse-flow.ts';
import type { Policy } from '../../core/policy/tables.ts';
import { turnOf } from '../calls/client-meta.ts';
import type { GateSetup } from '../ports/ports.ts';
import type { LogVersion, ReadValues, SessionLog } from '../ports/session-port.ts';
import type { SessionMemory } from './session-memory.ts';
import type { Unread } from './unread-results.ts';

/** Milliseconds without a call after which a session is over. */
export const IDLE = 30 * 60 * 1000;

/** Milliseconds from which on it matters whether a window begins with a call or with its answer. */
const LATE = 1000;

/** Milliseconds after which a server's own secrets are remembered again. */
const OWN_EVERY = 10 * 60 * 1000;

/** Milliseconds after which the names of the agent's tools are read again. */
const TOOLS_EVERY = 60 * 1000;

/** Most characters that are noted of a name, since peers choose it. */
const LONGEST_SUBJECT = 256;

/** A call that was decided and is on record. */
export interface NotedCall {
  readonly call: Call;
  /** Id of its record. */
  readonly id: string;
  readonly time: number;
  readonly categories: readonly Category[];
  readonly isForwarded: boolean;
  readonly flow: readonly FlowFinding[];
  /** The action on it because of the first finding, if that was no alert. */
  readonly action: FlowAction | undefined;
  /** The secrets that were found in its arguments. */
  readonly secrets: readonly ArgumentSecret[];
}

/** The session's methods that a review uses. */
export type CallSession = Pick<
  SessionView,
  'concerns' | 'facts' | 'isActive' | 'note' | 'takeBack' | 'hasUnread' | 'takeUnread' | 'onlyAlerts'
>;

/**
 * One connection's view of its session. Call all of it while the recorder is open, unless noted otherwise; it throws if the store fails.
 */
export class SessionView {
  readonly #setup: GateSetup;
  /** The memory of the session at the last transaction. */
  #memory: SessionMemory | undefined;
  /** The log's version then; each transaction has a value of its own. */
  #version: LogVersion | undefined;
  /** Time when the server's own secrets were remembered last. */
  #ownAt = Number.NEGATIVE_INFINITY;
  /** Names of the agent's tools, and the time when they were read. */
  #tools: readonly string[] = [];
  #toolsAt = Number.NEGATIVE_INFINITY;
  /** Calls whose decision needs values of results that are being read; `read` once they have waited. */
  readonly #unread = new WeakMap<Call, Unread | 'read'>();

  constructor(setup: GateSetup) {
    this.#setup = setup;
  }

  /** Tells whether a call needs the session at all. Call it at any time. */
  concerns({ method, isAnswer }: Call): boolean {
    return (CLIENT_CALLS.has(method) || isAnswer === true) && this.#flow.enabled;
  }

  /**
   * True if there is more than one server: until then nothing can flow from one to another, and no call is noted. If the policy asks for
   * values, results count for later servers, too: programs read from one, and only then connect to the next. Call it at any time.
   */
  get isActive(): boolean {
    return this.#memory !== undefined && (this.#memory.isActive(this.#flow) || this.hasToMeet);
  }

  /**
   * Tells whether the session must learn of the server before its list goes on. From then on its tools may be called, and so may others' of
   * the same names. Call it at any time.
   *
   * @param isKnown the list has not changed since it was compared last
   */
  hasToKnow(isKnown: boolean): boolean {
    return this.#flow.enabled && !(isKnown && this.#memory?.isOfNow(this.#setup.ports.clock.now()) === true);
  }

  /**
   * True if the session must learn of the server as soon as it was greeted: results are read if there is another, and a client that knows
   * the tools asks for no list. Call it at any time.
   */
  get hasToMeet(): boolean {
    return asksForResults(this.#flow) !== undefined;
  }

  /** Notes that the server is part of the session. */
  join(): void {
    if (this.#flow.enabled) this.#enter();
  }

  /** The session's facts for a call; undefined while nothing can flow in it. */
  facts(call: Call): SessionFacts | undefined {
    const { ports, server } = this.#setup;
    const memory = this.#enter();
    if (!memory.isActive(this.#flow)) return undefined;
    this.#learnTools();
    const clock = ports.clock.now();
    const now = memory.calls.nowFrom(clock);
    const { tool } = call;
    const find = (): string | undefined =>
      ports.registry.listers(tool ?? '').find((lister) => lister === server || memory.servers.includes(lister));
    let evidence: readonly Evidence[] | undefined;
    let secrets: readonly Evidence[] | undefined;
    return {
      now,
      calls: memory.calls.list(now),
      turn: turnOf(call),
      servers: memory.servers.length,
      shadowed: tool === undefined ? undefined : memory.ownerOf(tool, server, { now: clock, find }),
      evidence: () => (evidence ??= this.#evidence(memory, call)),
      steering: (categories) => this.#steering(memory, call, categories),
      secrets: (args) => (secrets ??= this.#secrets(memory, call, args)),
    };
  }

  /** Tells whether a call that was just decided must be decided again when results are read. Call it at any time. */
  hasUnread(call: Call): boolean {
    const unread = this.#unread.get(call);
    return unread !== undefined && unread !== 'read';
  }

  /** Takes these results, once. Call it at any time. */
  takeUnread(call: Call): Unread | undefined {
    const unread = this.#unread.get(call);
    if (unread === undefined || unread === 'read') return undefined;
    // Later answers can't be in its arguments.
    this.#unread.set(call, 'read');
    return unread;
  }

  /** Notes a decided call and its findings. Call it in the transaction that records it. */
  note({ call, id, time, categories, isForwarded, flow, action, secrets }: NotedCall): void {
    const { ports, isObserving } = this.#setup;
    const memory = this.#enter();
    if (isForwarded) memory.provenance.noteSent(call.server, sentBy(call), time);
    if (isForwarded && this.#flow.steeredCall.enabled) memory.provenance.noteSaid(call.args, time);
    // A person saw the value and let it pass.
    const isAllowed =
      isForwarded && action === 'prompt' && flow.some(({ rule, action: by }) => rule === 'steered_call' && by === 'prompt');
    if (isAllowed && !isObserving)
      memory.addValues({ source: `${SAID_SOURCE}${id}`, server: call.server, time, hashes: memory.provenance.readAllowed(call) });
    // An answer returns nothing.
    if (!memory.isActive(this.#flow) || call.isAnswer === true) return;
    const shown = call.resource === undefined ? call : { ...call, resource: recordedURI(call.resource, secrets) };
    // A denied call returned nothing; noted, it would only push out calls that did.
    if (isForwarded) memory.add(toPast({ call: shown, id, time, categories }));
    for (const finding of flow) {
      const isAlert = isObserving || finding.action === 'alert' || finding !== flow[0];
      if (isAlert && finding.rule === 'burst') {
        const reported = memory.burstReports.get(call.server) ?? Number.NEGATIVE_INFINITY;
        if (Math.abs(time - reported) < this.#flow.burst.window) continue;
        memory.burstReports.set(call.server, time);
      }
      const { session } = memory;
      ports.sink.record({
        type: 'flow',
        time,
        session,
        call: shown,
        record: id,
        finding,
        action: isAlert ? 'alert' : (action ?? 'alert'),
      });
    }
  }

  /** Takes back a noted call that did not reach the server. */
  takeBack(id: string): void {
    const memory = this.#enter();
    if (memory.isActive(this.#flow)) memory.retract(id, this.#setup.ports.clock.now());
  }

  /** Tells whether an answer is so late that it has to be noted. Call it at any time. @param id of the call's record */
  isLate(id: string): boolean {
    if (this.#memory?.isActive(this.#flow) !== true) return false;
    const call = this.#memory.calls.find(id);
    return call === undefined || Math.abs(this.#setup.ports.clock.now() - call.time) > LATE;
  }

  /** Notes that the answer to a call comes now. */
  noteAnswer(id: string): void {
    const memory = this.#enter();
    if (memory.isActive(this.#flow)) memory.answer(id, this.#setup.ports.clock.now());
  }

  /**
   * Notes that a result is about to go on, if a decision may need its values. Call it at any time.
   *
   * @returns to be called when they are remembered, or can't be; undefined if no decision needs them
   */
  passResult(): (() => void) | undefined {
    const isAwaited = asksForResults(this.#flow) !== undefined || actsOnSecrets(this.#policy);
    return isAwaited ? this.#memory?.unread.pass(this.#setup.server) : undefined;
  }

  /** True if nothing depends on the values of results but alarms. Call it at any time. */
  onlyAlerts({ server }: Call): boolean {
    return asksForResults(this.#flow) === 'alert' && !actsOnSecrets(this.#policy, server);
  }

  /** Reads the values of a result that are worth remembering. Call it at any time while the session is active. */
  readResult(texts: readonly string[]): Generator<undefined, ReadValues> {
    if (this.#memory === undefined) throw new Error('a result was read before anything could be recorded');
    return this.#memory.provenance.read(this.#setup.server, texts);
  }

  /**
   * Reads what a result tells a reader to do, and with what; what a trusted server says counts as if the user said it. Nothing if the policy
   * does not ask for it. Call it at any time while the session is active.
   */
  *readTold(
    texts: readonly string[],
  ): Generator<undefined, { readonly source: string; readonly hashes: Uint8Array } | undefined> {
    const provenance = this.#memory?.provenance;
    if (provenance === undefined || !this.#flow.enabled || !this.#flow.steeredCall.enabled) return undefined;
    if (this.#setup.policy.current().trustsServer?.(this.#setup.server) === true)
      return { source: SAID_SOURCE, hashes: provenance.readSaid(texts.join('\n')) };
    return { source: TOLD_SOURCE, hashes: yield* provenance.readTold(texts, this.#tools) };
  }

  /** Reads the secrets in a result. Call it at any time while the session is active. */
  readSecrets(texts: readonly string[]): Uint8Array | undefined {
    const secrets = secretsInTexts(texts, this.#policy);
    return secrets.length === 0 ? undefined : this.#memory?.provenance.readSecrets(secrets);
  }

  /** Remembers what is known of a result besides its values. @param kind begins its source */
  rememberAs(kind: string, values: { readonly source: string; readonly time: number; readonly hashes: Uint8Array }): void {
    if (values.hashes.length === 0) return;
    this.#enter().addValues({ ...values, source: `${kind}${values.source}`, server: this.#setup.server });
  }

  /** Remembers the values of a result. */
  remember(values: { readonly source: string; readonly time: number; readonly hashes: Uint8Array }): void {
    this.#enter().addValues({ ...values, server: this.#setup.server });
    // Some answers do not tell which call they answer, such as error pages.
    if (this.isLate(values.source)) this.noteAnswer(values.source);
  }

  get #policy(): Policy {
    return this.#setup.policy.current().policy;
  }

  get #flow(): Flow {
    return this.#policy.flow;
  }

  /** The session as it is now, including the entries of other processes. */
  #enter(): SessionMemory {
    const { ports, server } = this.#setup;
    const version = ports.sessionLog.version();
    // Nobody else writes in a transaction.
    if (ports.memories().of(ports.session()) === this.#memory && version === this.#version) return this.#memory;
    const now = ports.clock.now();
    const memory = currentMemory(ports, this.#flow);
    memory.join(server, now, this.#flow);
    this.#rememberOwn(memory, now);
    this.#memory = memory;
    this.#version = version;
    return memory;
  }

  /** Remembers the secrets that this server was given, now and then: others may have pushed them out. */
  #rememberOwn(memory: SessionMemory, now: number): void {
    const { ownSecrets, policy, server } = this.#setup;
    if (ownSecrets === undefined || (memory === this.#memory && Math.abs(now - this.#ownAt) < OWN_EVERY)) return;
    this.#ownAt = now;
    const secrets = policy.current().policy.dlp.enabled ? ownSecrets() : [];
    const hashes = secrets.length === 0 ? undefined : memory.provenance.readSecrets(secrets);
    if (hashes !== undefined && hashes.length > 0)
      memory.addValues({ source: `${SECRET_SOURCE}environment`, server, time: now, hashes });
  }

  /** Looks for secrets of other servers, and notes the results that the call has to wait for. */
  #secrets(memory: SessionMemory, call: Call, args: JsonObject): readonly Evidence[] {
    const find = (): readonly Evidence[] => memory.provenance.findSecrets(args, call.server);
    return this.#find(memory, call, { find, mayWait: actsOnSecrets(this.#policy, call.server) });
  }

  #steering(memory: SessionMemory, call: Call, categories: readonly Category[]): Steering | undefined {
    if (!isActing(categories)) return undefined;
    // A result of its own server may steer it, so it waits for those, too.
    const waits = this.#unread.get(call) === 'read' ? undefined : memory.unread.find(call.server)(true);
    memory.readValues();
    const found = memory.provenance.findSteering(call, categories, this.#setup.policy.current().knowsAddress);
    if (waits !== undefined) this.#unread.set(call, waits);
    return found;
  }

  /** Learns the names of the agent's tools now and then: whoever writes one into a text speaks to an agent. */
  #learnTools(): void {
    const now = this.#setup.ports.clock.now();
    if (!this.#flow.steeredCall.enabled || Math.abs(now - this.#toolsAt) < TOOLS_EVERY) return;
    this.#toolsAt = now;
    this.#tools = tellingNames([...this.#setup.ports.registry.tools().values()].flat());
  }

  #evidence(memory: SessionMemory, call: Call): readonly Evidence[] {
    const find = (): readonly Evidence[] => memory.provenance.find(call.args, call.server);
    return this.#find(memory, call, { find, mayWait: asksForValues(this.#flow) !== undefined });
  }

  #find(
    memory: SessionMemory,
    call: Call,
    { find, mayWait }: { readonly find: () => readonly Evidence[]; readonly mayWait: boolean },
  ): readonly Evidence[] {
    // Looked up before the values are read: results that are read in between are still among these.
    const unread = mayWait && !this.#unread.has(call) ? memory.unread.find(call.server) : undefined;
    memory.readValues();
    const evidence = find();
    const waits = unread?.(evidence.length > 0);
    if (waits !== undefined) this.#unread.set(call, waits);
    return evidence;
  }
}

/** The memory of the current session, with what other processes have noted. Call it while the recorder is open; throws if the store fails. */
export function currentMemory(
  ports: Pick<GateSetup['ports'], 'clock' | 'followSession' | 'memories' | 'session' | 'sessionLog'>,
  flow: Flow,
): SessionMemory {
  const now = ports.clock.now();
  const version = ports.sessionLog.version();
  const known = ports.memories().of(ports.session());
  if (!known.isStale(version, now)) return known;
  followSession(ports);
  const memory = ports.memories().of(ports.session());
  if (memory.isStale(version, now)) memory.read(version, now, flow);
  return memory;
}

/** Switches to the current session. Call it while the recorder is open; throws if the store fails. */
export function followSession(ports: Pick<GateSetup['ports'], 'clock' | 'followSession' | 'session' | 'sessionLog'>): void {
  const log = ports.sessionLog;
  const now = ports.clock.now();
  const before = ports.followSession(
    (name, servers = []) =>
      (servers.length === 0 ? undefined : log.latestOf(servers, now - IDLE)) ?? log.current(name, { now, idle: IDLE }),
  );
  if (before !== undefined) goOnAs(log, { before, session: ports.session(), now });
}

/** Copies the notes of one session to another that turned out to be the same. */
function goOnAs(
  log: SessionLog,
  { before, session, now }: { readonly before: string; readonly session: string; readonly now: number },
): void {
  const servers = before === session ? [] : log.servers(before);
  if (servers.length === 0) return;
  const noted = log.entries(session, 0, 3 * MOST_CALLS);
  const [since, newest] = [
    now - IDLE,
    noted.reduce((latest, entry) => Math.max(latest, 'call' in entry ? entry.call.time : 0), 0),
  ];
  const known = new Set(noted.map((entry) => (entry.kind === 'call' ? entry.call.id : entry.id)));
  // A call that was retracted and noted again has the time of its answer.
  const times = new Map<string, number | undefined>();
  for (const entry of log.entries(before, 0, 3 * MOST_CALLS)) {
    if (entry.kind === 'call') times.set(entry.call.id, entry.call.time);
    else times.set(entry.id, undefined);
  }
  for (const [id, time] of times) if (time === undefined) known.add(id);
  // While there was one server, calls were recorded and not noted; after the first note here, nobody looks for those any more.
  const own = noted.length === 0 ? log.recorded(session, since, MOST_CALLS) : [];
  const others = log.recorded(before, since, MOST_CALLS).filter(({ id }) => !known.has(id));
  const calls = [...own, ...others.map((call) => ({ ...call, time: times.get(call.id) ?? call.time }))];
  for (const call of calls.toSorted((one, other) => one.time - other.time)) {
    // No call may be older than one noted before it.
    log.addCall(session, { ...call, time: Math.max(call.time, newest) });
  }
  const remembered = new Set(log.values(session, 0, MOST_CALLS).map(({ source }) => source));
  for (const values of log.values(before, 0, MOST_CALLS)) if (!remembered.has(values.source)) log.addValues(session, values);
  for (const server of servers) log.addServer(session, server, now);
}

/** Everything that a call tells its server: the name comes back in errors, and the extra params may. */
function sentBy({ tool, resource, prompt, args = {}, extra = {} }: Call): JsonObject {
  return { name: tool ?? resource ?? prompt ?? '', args, extra };
}

function toPast({ call, id, time, categories }: Pick<NotedCall, 'call' | 'id' | 'time' | 'categories'>): PastCall {
  const { server, method, tool, resource, prompt } = call;
  const subject = (tool ?? resource ?? prompt ?? '').slice(0, LONGEST_SUBJECT);
  return { id, time, server, method, subject, categories, turn: turnOf(call), isForwarded: true };
}
