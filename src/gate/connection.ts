import { setTimeout } from 'node:timers/promises';
import { SUBJECT_METHODS } from '../core/call.ts';
import type { DetectionRules } from '../core/detect/types.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../core/json.ts';
import { JsonScanner } from '../protocol/json-scanner.ts';
import { idText } from '../protocol/jsonrpc.ts';
import {
  findDeclarationKeyProblem,
  findDuplicateKey,
  findErrorKeyProblem,
  findKeyProblem,
  hasClearKeys,
} from '../protocol/key-check.ts';
import { CLIENT_INFO_KEY, PROTOCOL_VERSION_KEY } from '../protocol/mcp/methods.ts';
import type { Message, Span } from '../protocol/message.ts';
import { Tally } from './tally.ts';
import { Definitions } from './definitions/definitions.ts';
import { DefinitionScans } from './detection/definition-scans.ts';
import { DetectorSource } from './detection/detector-source.ts';
import { ScanQueue } from './detection/scan-queue.ts';
import { partOfAnswer } from './detection/message-part.ts';
import { TextScans } from './detection/text-scans.ts';
import { HiddenWatch } from './definitions/hidden-watch.ts';
import type { IdKey } from './messages/id-key.ts';
import { readObject } from './messages/message-parts.ts';
import { readValue } from './messages/read-value.ts';
import { type BatchAnswer, type PendingRequest, PendingRequests } from './messages/pending.ts';
import type { GateSetup } from './ports/ports.ts';
import type { AuditRecord } from './ports/records.ts';
import { Questions } from './calls/asking.ts';
import { Recorder, type ForwardedCall } from './recorder.ts';
import { Results } from './session/results.ts';
import { Reviewer } from './calls/review.ts';
import { ServerCallLinks } from './model/call-links.ts';
import { ServerLaunch } from './definitions/server-launch.ts';
import { SessionView } from './session/session-view.ts';
import { Tasks } from './answers/tasks.ts';

/** Params of at most so many bytes are parsed before their keys are checked, which is faster and takes more memory. */
const SMALL = 64 * 1024;

/** Milliseconds at the end for unfinished scans; loading the detector may take a fifth of that. */
const LAST_SCANS = 500;

/** How often that time is repeated for results that calls in other processes wait for: they wait as long. */
const MORE_SCANS = 9;

/** A call of the client that waits for a person, or for unread results. */
export interface WaitingCall {
  /** Its id as JSON text. */
  readonly id: string;
  readonly batch: BatchAnswer | undefined;
  /** Withdraws it. */
  readonly controller: AbortController;
}

/** State that both directions of one connection share. */
export class Connection {
  readonly setup: GateSetup;
  readonly launch: ServerLaunch;
  readonly recorder: Recorder;
  readonly definitions: Definitions;
  readonly scans: DefinitionScans;
  readonly hidden: HiddenWatch;
  readonly texts: TextScans;
  readonly session: SessionView;
  readonly results: Results;
  readonly reviewer: Reviewer;
  readonly scanner: JsonScanner;
  readonly tally = new Tally();
  /** Requests of the client that the server has, and of the server that the client has: two separate spaces of ids. */
  readonly fromClient = new PendingRequests();
  readonly fromServer = new PendingRequests();
  readonly questions = new Questions();
  readonly tasks: Tasks;
  /** Calls of the client that wait for a person, by the key of their id. One that was removed has its answer, or needs none. */
  readonly waiting = new Map<IdKey, WaitingCall>();
  /** The same for the server's requests: controllers that withdraw them. */
  readonly waitingOfServer = new Map<IdKey, AbortController>();
  /** Answers that ask for something a person has to approve first, by the request that they answer. */
  readonly waitingAnswers = new Map<PendingRequest, AbortController>();
  /** Revision that the server named in its answer to `initialize`; undefined before. */
  revision: string | undefined;
  /**
   * `isLegacy`: the client has sent `initialize`. `isModern`: it has sent a request of the modern era. A server may serve both eras on one
   * connection.
   */
  isLegacy = false;
  isModern = false;
  /** True if the arguments of the message that is judged may be changed: no header repeats them. */
  mayEdit = true;
  /** The client's name as it gives it; empty until then. */
  client = '';

  /** Params that were read before their message is judged, for `readParams`. */
  #readAhead: { readonly message: Message; readonly params: JsonObject | string } | undefined;
  /** True if the policy was refreshed since the last commit: thousands of messages may come at once, so one refresh serves all. */
  #isPolicyFresh = false;

  /** @param tasks the server's tasks, if other connections may ask for their results */
  constructor(setup: GateSetup, tasks = new Tasks()) {
    this.setup = setup;
    this.launch = new ServerLaunch(setup);
    this.tasks = tasks;
    this.scanner = new JsonScanner(setup.maxDepth);
    this.recorder = new Recorder({ ...setup.ports, prepare: () => this.#followPolicy() && this.scans.isReady() });
    const rules = (): DetectionRules => setup.policy.current().policy.detection.rules;
    const source = new DetectorSource(rules, setup.ports.warn, setup.ports.loadDetector);
    const { launch } = this;
    const queue = setup.ports.scanQueue ?? new ScanQueue(setup.ports.clock);
    this.scans = new DefinitionScans(setup, { recorder: this.recorder, tally: this.tally, source, launch, queue });
    this.texts = new TextScans(setup, { recorder: this.recorder, tally: this.tally, source, queue });
    // The first list comes right behind the greeting, and would wait for it. The server needs time to start, too.
    if (this.texts.holds) void source.load();
    this.session = new SessionView(setup);
    this.hidden = new HiddenWatch(setup, this.recorder, this);
    this.definitions = new Definitions(this);
    this.results = new Results(setup, this);
    this.reviewer = new Reviewer(setup, {
      recorder: this.recorder,
      session: this.session,
      facts: (call) => this.definitions.facts(call),
      seenCalls: new ServerCallLinks(setup.ports),
    });
  }

  /**
   * Refreshes the policy; call it before asking whether a rule concerns a message. False while the current policy is unknown: decide nothing
   * then. All decisions of one transaction use one policy.
   */
  refreshPolicy(): boolean {
    this.#isPolicyFresh ||= this.recorder.isOpen || this.#followPolicy();
    return this.#isPolicyFresh;
  }

  /** Joins the current session, unless the connection has. False if the store is locked. */
  enterSession(): boolean {
    // Clients ask for a task's result again and again, so this is checked first.
    if (!this.session.hasToKnow(true)) return true;
    if (!this.recorder.open()) return false;
    this.recorder.within(() => this.session.join());
    return true;
  }

  /**
   * Notes a call's result, or the task that it became.
   *
   * @param method of the request that is answered, or of the notification
   * @returns false if the store is locked
   */
  noteResult({ record, isTask, ...source }: ForwardedCall, message: Message, method: string): boolean {
    if (!this.session.isActive && isTask !== true) return true;
    if (isTask === true && !this.tasks.hasOutcome({ method, message })) return true;
    if (record !== undefined && this.session.isLate(record)) {
      if (!this.recorder.open()) return false;
      this.recorder.within(() => this.session.noteAnswer(record));
    }
    if (isTask !== true) this.tasks.note({ record, ...source }, message);
    const { bytes, result = message.params, error } = message;
    if (record !== undefined) this.results.note(record, { bytes, result, error });
    return true;
  }

  /** Tells whether something may be hidden from the client. */
  hides(): boolean {
    return this.definitions.holds;
  }

  /** Prepares what is needed before an answer goes on. */
  warm(): void {
    this.recorder.warm();
    this.scans.isReady();
  }

  /** Resolves when a message that waits for the store or a scan can be judged again. */
  async ready(): Promise<void> {
    const scanning = [this.scans.waiting, this.texts.held].filter((held) => held !== undefined);
    await (scanning.length === 0 ? this.recorder.ready() : Promise.race(scanning));
  }

  /** Commits the decisions since the last call. False if they are not on record. */
  commit(): boolean {
    this.#isPolicyFresh = false;
    return this.recorder.close();
  }

  /** Ends the connection: records pending findings and a summary. @param isHurried we are about to be killed */
  async finish(isHurried: boolean): Promise<void> {
    const { tally, definitions, scans, recorder, results, setup, texts } = this;
    const { clock, session, sink } = setup.ports;
    const last = Promise.all([definitions.settled().then(() => scans.settled()), results.settled(), texts.settled()]);
    await waitAtMost(LAST_SCANS, last);
    for (let more = 0; more < MORE_SCANS && results.isReading; more += 1) await waitAtMost(LAST_SCANS, results.settled());
    results.stop();
    await scans.recordRest();
    if (definitions.waiting > 0) setup.ports.warn('could not record what the server listed last');
    if (texts.waiting > 0) tally.countScan('busy', texts.waiting);
    const summary = { time: clock.now(), session: session(), server: setup.server, tally: tally.report() };
    recorder.recordLater(() => sink.record({ type: 'summary', ...summary }));
    await recorder.finish(isHurried);
  }

  /** Notes a legacy client's greeting and its name. */
  noteGreeting(message: Message): void {
    this.isLegacy = true;
    this.#noteClient(message.params === undefined ? undefined : readObject(message, message.params)?.['clientInfo']);
  }

  /**
   * Notes a modern client: each of its requests has the protocol revision and the client's name in `_meta`.
   *
   * @returns whether these are the params of such a request; era is a property of the request, not of the connection
   */
  noteEra(params: JsonObject): boolean {
    const meta = params['_meta'];
    if (!isJsonObject(meta) || typeof meta[PROTOCOL_VERSION_KEY] !== 'string') return false;
    this.isModern = true;
    if (this.client === '') this.#noteClient(meta[CLIENT_INFO_KEY]);
    return true;
  }

  #noteClient(info: JsonValue | undefined): void {
    const name = isJsonObject(info) ? info['name'] : undefined;
    if (typeof name === 'string') this.client = name;
  }

  #followPolicy(): boolean {
    const { policy, ports, server } = this.setup;
    const isKnown = policy.refresh();
    for (const change of policy.takeChanges()) {
      const time = ports.clock.now();
      this.recorder.recordLater(() => ports.sink.record({ type: 'policy', ...change, time, session: ports.session(), server }));
    }
    return isKnown;
  }

  /** Counts and records a refused message; the refusal stands even if that fails. */
  noteRefusal(from: 'client' | 'server', message: Pick<Message, 'method' | 'id' | 'bytes'>, problem: string): void {
    this.tally.countRefused();
    const { ports, server, isObserving } = this.setup;
    const record: AuditRecord<'refusal'> = {
      type: 'refusal',
      time: ports.clock.now(),
      session: ports.session(),
      server,
      from,
      problem,
      method: message.method,
      requestId: message.id === undefined ? undefined : idText(message),
      isObserved: isObserving,
    };
    this.recorder.recordLater(() => ports.sink.record(record));
  }

  /** The params of a reviewed message, or the problem with them. Never throws. */
  readParams(message: Message): JsonObject | string {
    const ahead = this.#readAhead;
    this.#readAhead = undefined;
    if (ahead?.message === message) return ahead.params;
    const { params, paramKeys } = message;
    const isSmall = params !== undefined && params.end - params.start <= SMALL;
    const read = isSmall ? readObject(message, params) : undefined;
    return read !== undefined && hasClearKeys(read, paramKeys) ? read : this.#read(message, params, findKeyProblem);
  }

  /** Reads params for a caller that needs them before the message is judged. */
  readParamsAhead(message: Message): JsonObject | string {
    const params = this.readParams(message);
    this.#readAhead = { message, params };
    return params;
  }

  /** The definition of a tool as the server listed it last, if known; undefined while others have the store. */
  readDefinition(tool: string): { readonly text: string | undefined } | undefined {
    if (!this.recorder.open()) return undefined;
    const call = { method: SUBJECT_METHODS.tool, server: this.setup.server, tool };
    return { text: this.recorder.within(() => this.definitions.facts(call)?.definition()) };
  }

  /** Forgets params that were read ahead. */
  forgetRead(): void {
    this.#readAhead = undefined;
  }

  /** The requests for input in a message, by the names that the server gave them, or the problem with them. Never throws. */
  readInputRequests(message: Message): JsonObject | string {
    return this.#read(message, message.inputRequests, findDuplicateKey);
  }

  /** The reason why readers may read a declaring answer differently, if any. */
  findResultProblem({ bytes, result }: Message): string | undefined {
    return result === undefined ? undefined : findDeclarationKeyProblem(this.scanner, bytes, result);
  }

  /** Queues a whole answer to be scanned, including the parts that usually count as definitions. */
  noteWhole(message: Message, pending: PendingRequest): void {
    const part = partOfAnswer(message, pending);
    if (part !== undefined) this.texts.note(message, { ...part, leftOut: undefined });
  }

  /** Reads the result or the error of an answer, or the problem with it. Never throws. */
  readAnswer({ bytes, result, error }: Message): { readonly value: JsonValue } | { readonly problem: string } {
    const span = result ?? error;
    const problem = span === undefined ? 'it says nothing' : findDuplicateKey(this.scanner, bytes, span);
    if (span === undefined || problem !== undefined) return { problem: problem ?? '' };
    try {
      return { value: readValue(bytes, span.start, span.end) };
    } catch {
      // The scanner checks the grammar but not the insides of strings; those fail here.
      return { problem: 'not valid JSON' };
    }
  }

  /** The error of an answer, or the problem with it. Never throws. */
  readError(message: Message): JsonObject | string {
    return this.#read(message, message.error, findErrorKeyProblem);
  }

  #read(message: Message, span: Span | undefined, findProblem: typeof findKeyProblem): JsonObject | string {
    if (span === undefined) return {};
    const problem = findProblem(this.scanner, message.bytes, span);
    if (problem !== undefined) return problem;
    return readObject(message, span) ?? 'not valid JSON, or not an object';
  }
}

/** Waits for work, but at most so many milliseconds. Keeps the process alive meanwhile: at its end, nothing else may. */
export async function waitAtMost(milliseconds: number, work: Promise<unknown>): Promise<void> {
  const stop = new AbortController();
  const late = setTimeout(milliseconds, undefined, { signal: stop.signal }).catch(() => undefined);
  try {
    await Promise.race([work, late]);
  } finally {
    stop.abort();
  }
}
