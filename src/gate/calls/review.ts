import { hasMoreValues } from '../../core/json.ts';
import type { Call, Category } from '../../core/call.ts';
import { withArgument } from '../../core/decide/deciding-argument.ts';
import { decide, ownPathsToResolve } from '../../core/decide/decide.ts';
import type { Decision, ReasonCode } from '../../core/decision.ts';
import { pathsToResolve } from '../../core/match/paths-to-resolve.ts';
import { Reading } from '../../core/match/reading.ts';
import type { RegistryFacts } from '../../core/facts.ts';
import { secretsOfCall } from '../../core/outgoing/secrets-of-call.ts';
import { findReach } from '../../core/self/find-reach.ts';
import type { Snapshot } from '../../core/decide/snapshot.ts';
import { type CallLinks, type Seen, SEEN_ONCE } from '../model/call-links.ts';
import type { Answer, Approval, AskByClient } from '../ports/approval-port.ts';
import type { GateSetup } from '../ports/ports.ts';
import type { AuditRecord, CallRecord, Intercepted } from '../ports/records.ts';
import type { Recorder, ForwardedCall } from '../recorder.ts';
import type { CallSession } from '../session/session-view.ts';
import type { Unread } from '../session/unread-results.ts';
import { dlpFindings } from './dlp-findings.ts';
import { schemaFinding } from './schema-finding.ts';
import { Asking, isSameQuestion } from './asking.ts';
import { turnOf } from './client-meta.ts';
import { ToolCategories } from './tool-categories.ts';
import { Rates } from './rates.ts';
import { RealPaths } from './real-paths.ts';
import { explain, isGranted, reasonOf } from './reply.ts';

const POLICY: readonly string[] = ['policy'];
const FLOW: readonly string[] = ['policy', 'flow'];
const DETECTION: readonly string[] = ['policy', 'detection'];
const BOTH: readonly string[] = ['policy', 'flow', 'detection'];

/** The outcome of a call: its decision, the approval, the id of its record if there is one, and whether that could not be written. */
export interface Outcome {
  readonly isForwarded: boolean;
  readonly decision: Decision;
  readonly asked: Approval | undefined;
  /** Id of the question that a person was asked, if any. */
  readonly question?: string | undefined;
  readonly record: string | undefined;
  readonly isLost?: boolean;
}

/** Most questions about one call: if each answer led to another rule's question, it would never end. */
const MOST_ROUNDS = 3;
/** Most values in arguments that are read after the store was opened: so many take less time than opening it. */
const QUICKLY_READ = 1000;
const WITHDRAWN: Answer = { approval: 'withdrawn' };
const UNKNOWN: readonly Category[] = ['unknown'];
const NO_PATHS: ReadonlyMap<string, string> = new Map();
/** The fate of a call that cannot be decided, by `on_error`, for the warning. */
const FATES = { deny: 'so it is denied', allow: 'so it passes, as on_error says' };

interface ReviewerParts {
  /** Open whenever `decide` or `settle` is called. */
  readonly recorder: Recorder;
  readonly session: CallSession;
  /** The registry's facts about the subject of a call. */
  readonly facts: (call: Call) => RegistryFacts | undefined;
  /** The rate limits; by default, `Rates` applies those of the policy. */
  readonly rates?: Pick<Rates, 'snapshot' | 'spend' | 'refund'>;
  /** Asks through the client, too; by default, it can't be asked. */
  readonly askByClient?: AskByClient;
  /** Links calls that are seen twice: in a model's answer, and where the agent makes them. By default, none is. */
  readonly seenCalls?: CallLinks;
}

/** Lets the snapshot be built member by member: spreading optional members costs more than the decision. */
type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** Facts about a recorded call for its session, its tokens and its link. */
interface NotedFacts extends Seen {
  readonly isForwarded: boolean;
  readonly isReserved: boolean;
}

/** A call with what its arguments reach for. */
interface ReadCall extends Required<Pick<Snapshot, 'own' | 'reading' | 'reach'>> {
  readonly call: Call;
}

/** A request on its way through the gate. */
export interface Review {
  /** The sender of the call. */
  readonly from: 'client' | 'server';
  readonly call: Call;
  /** The JSON-RPC id as JSON text; undefined for a notification. */
  readonly requestId: string | undefined;
  /** Facts about a model's call; undefined for MCP messages. */
  readonly intercepted?: Intercepted;
  /** `Clock.elapsed()` when the message was complete. */
  readonly started: number;
}

/**
 * Decides calls and records each before it may be forwarded. A bug in the decision or a record that cannot be written denies the call,
 * unless `on_error` allows it; an approval that cannot be asked for always does.
 */
export class Reviewer {
  readonly #setup: GateSetup;
  readonly #recorder: Recorder;
  readonly #session: CallSession;
  readonly #rates: Pick<Rates, 'snapshot' | 'spend' | 'refund'>;
  readonly #seenCalls: CallLinks;
  readonly #categories = new ToolCategories();
  /** Calls whose subjects detection has scanned. */
  readonly #scanned = new WeakSet<Call>();
  readonly #facts: (call: Call) => RegistryFacts | undefined;
  /** Calls that wait for a person and hold their tokens meanwhile. */
  readonly #reserved = new Set<Review>();
  readonly #paths: RealPaths;
  readonly #asking: Asking;
  /** The call that was read last before the store was opened, until it is decided. */
  #readAhead: ReadCall | undefined;

  constructor(setup: GateSetup, { recorder, session, facts, rates, askByClient, seenCalls = SEEN_ONCE }: ReviewerParts) {
    this.#setup = setup;
    this.#asking = new Asking(setup.ports, askByClient);
    this.#facts = facts;
    this.#recorder = recorder;
    this.#session = session;
    this.#paths = new RealPaths(setup.ports.realPath, recorder);
    this.#seenCalls = seenCalls;
    this.#rates = rates ?? new Rates(setup.ports, () => setup.policy.current());
  }

  /**
   * Reads a call with very many arguments before the store is opened, since other processes would have to wait that long. The next
   * `decide` of this call uses it. Never throws: `decide` meets the error again and handles it.
   */
  readAhead(call: Call): void {
    if (call.args === undefined || !hasMoreValues(call.args, QUICKLY_READ)) return;
    try {
      this.#readAhead = this.#read(call);
      const { own, reading, reach } = this.#readAhead;
      const policy = this.#setup.policy.current();
      // The decision finds again all that these read.
      pathsToResolve(policy, call, reading, () => true);
      decide(call, { policy, paths: this.#setup.paths, own, reach, reading, realPaths: NO_PATHS });
      secretsOfCall(call, { policy });
    } catch {
      this.#readAhead = undefined;
    }
  }

  #read(call: Call): ReadCall {
    const own = this.#setup.own();
    const reading = new Reading(this.#setup.paths);
    return { call, own, reading, reach: findReach(call, reading, own) };
  }

  /** Collects the snapshot and decides. Records nothing, never throws. @param hasTokens rate limits do not apply: it has its tokens */
  decide(call: Call, hasTokens = false): Decision {
    const { paths, ports } = this.#setup;
    const policy = this.#setup.policy.current();
    const ahead = this.#readAhead;
    this.#readAhead = undefined;
    try {
      const concerned = this.#session.concerns(call);
      if (call.isAnswer === true) {
        const session = concerned ? this.#recorder.within(() => this.#session.facts(call)) : undefined;
        return decide(call, { policy, paths, realPaths: NO_PATHS, ...(session !== undefined && { session }) });
      }
      const registry = this.#facts(call);
      const categories = concerned || policy.asksKind ? this.#categories.of(call, { policy, registry }) : undefined;
      const { own, reading, reach } = ahead?.call === call ? ahead : this.#read(call);
      const runsCommands = categories && (() => categories.includes('execute'));
      const wanted = pathsToResolve(policy, call, reading, runsCommands);
      const reached = ownPathsToResolve(reach, paths, own);
      if (wanted === undefined || reached === undefined) return this.#denial('too_many_paths');
      if (registry?.detection !== undefined) this.#scanned.add(call);
      const session = concerned ? this.#recorder.within(() => this.#session.facts(call)) : undefined;
      const isLimited = !hasTokens && policy.policy.rateLimits.enabled;
      const rates = isLimited ? this.#recorder.within(() => this.#rates.snapshot(call)) : undefined;
      const realPaths = this.#paths.of(wanted, reached);
      const snapshot: Mutable<Snapshot> = { policy, paths, own, reach, reading, realPaths };
      if (registry !== undefined) snapshot.registry = registry;
      if (session !== undefined) snapshot.session = session;
      if (registry?.detection !== undefined) snapshot.detection = registry.detection;
      if (categories !== undefined) snapshot.categories = categories;
      if (rates !== undefined) snapshot.rates = rates;
      return withArgument(decide(call, snapshot), call, snapshot);
    } catch (error) {
      ports.warn(`could not decide ${call.method}, ${FATES[this.#setup.onError]}: ${String(error)}`);
      return { ...this.#denial('internal_error'), action: this.#setup.onError };
    }
  }

  /**
   * Records a decided call; a `prompt` asks a person first. The outcome is a promise if a person is asked, or if the call waits for results
   * of other servers that it may pass on and that are still being read.
   */
  settle(review: Review, decision: Decision, withdrawn: AbortSignal): Outcome | Promise<Outcome> {
    const unread = this.#session.takeUnread(review.call);
    // An observed call goes on in any case.
    const isFinal = unread === undefined || !this.mayChange(decision) || this.#setup.isObserving;
    return isFinal ? this.#settle(review, decision, withdrawn) : this.#settleOnceRead(review, decision, { unread, withdrawn });
  }

  /** Tells whether results that are still being read may change a decision. They change no denial but that for a value which they have, too. */
  mayChange({ action, reason, flow }: Decision): boolean {
    return action !== 'deny' || (reason === 'flow' && flow?.[0]?.evidence !== undefined);
  }

  #settle(review: Review, decision: Decision, withdrawn: AbortSignal): Outcome | Promise<Outcome> {
    if (decision.action !== 'prompt') return this.#record(review, decision, undefined);
    // Nobody is asked about calls that go on in any case.
    if (this.#setup.isObserving) return this.#record(review, decision, { approval: 'unavailable' });
    if (withdrawn.aborted) return this.#record(review, decision, WITHDRAWN);
    const earlier = this.#recorder.within(() => this.#seenCalls.answerTo(review.call, decision));
    if (earlier !== undefined) return this.#record(review, decision, earlier);
    if (!this.#asking.hasRoom(review.from)) return this.#record(review, decision, { approval: 'flood' });
    this.#recorder.within(() => this.#rates.spend(review.call));
    this.#reserved.add(review);
    return this.#ask(review, decision, withdrawn);
  }

  async #settleOnceRead(
    review: Review,
    before: Decision,
    { unread, withdrawn }: { readonly unread: Unread; readonly withdrawn: AbortSignal },
  ): Promise<Outcome> {
    const isRead = await unread.wait(withdrawn);
    const settle = (decision: Decision): Outcome | Promise<Outcome> =>
      withdrawn.aborted
        ? this.#record(review, { ...decision, action: 'prompt' }, WITHDRAWN)
        : this.#settle(review, decision, withdrawn);
    // In an object, since a bare promise would be awaited, and keep the transaction open meanwhile.
    const { settled } = await this.#recorder.transact(
      () => ({ settled: settle(!isRead && before.action === 'deny' ? before : this.#decideOnceRead(review.call, isRead)) }),
      (lost) => ({ settled: lost.settled instanceof Promise ? lost.settled : this.unrecorded(lost.settled) }),
    );
    return settled;
  }

  /** Decides again with the results; if they were not read in time, that is an error unless flow rules only alert. */
  #decideOnceRead(call: Call, isRead: boolean): Decision {
    const { onError, ports } = this.#setup;
    if (isRead || this.#session.onlyAlerts(call)) return this.decide(call);
    ports.warn(`could not decide ${call.method}, ${FATES[onError]}: clawai did not read the answers of other servers in time`);
    return { ...this.#denial('internal_error'), action: onError };
  }

  /** Removes a call that did not reach the server from its session, and gives back its rate tokens; in the background. */
  takeBack({ record, call }: ForwardedCall): void {
    if (record === undefined) return;
    this.#recorder.recordLater(() => {
      this.#session.takeBack(record);
      this.#rates.refund(call);
    });
  }

  /** The outcome of a message that could not be read as a call and is not forwarded. */
  refusal(reason: ReasonCode): Outcome {
    return { isForwarded: false, decision: this.#denial(reason), asked: undefined, record: undefined };
  }

  async #ask(review: Review, first: Decision, withdrawn: AbortSignal): Promise<Outcome> {
    let decision = first;
    for (let asked = 1; ; asked++) {
      const answer = await this.#asking.ask(review, decision, withdrawn);
      const question = decision;
      const settled: Outcome | Decision = await this.#recorder.transact<Outcome | Decision>(
        // An answer that comes after the withdrawal counts for nothing.
        () =>
          withdrawn.aborted ? this.#record(review, question, WITHDRAWN) : this.#decideAgain(review, question, { answer, asked }),
        (result) => ('isForwarded' in result ? this.unrecorded(result) : result),
      );
      if ('isForwarded' in settled) return settled;
      decision = settled;
    }
  }

  /**
   * Decides again after a person's answer, since the policy and the disk may have changed meanwhile. A no stays a no, and a decision that
   * fails now is a denial. If another rule asks now, such as after a symbolic link was changed, the yes was not to it: the new decision is
   * returned, and its question is asked.
   */
  #decideAgain(review: Review, question: Decision, { answer, asked }: { answer: Answer; asked: number }): Outcome | Decision {
    if (answer.approval === 'refused' || answer.approval === 'withdrawn') return this.#record(review, question, answer);
    const decision = this.decide(review.call, this.#reserved.has(review));
    if (decision.reason === 'internal_error') return this.#record(review, { ...decision, action: 'deny' }, answer);
    if (answer.approval !== 'granted' || decision.action !== 'prompt' || isSameQuestion(question, decision)) {
      return this.#record(review, decision, answer);
    }
    return asked < MOST_ROUNDS ? decision : this.#record(review, decision, { ...answer, approval: 'unavailable' });
  }

  /** The outcome of a call whose record was lost: it is not forwarded unless `on_error` allows that, and no answer names the record. */
  unrecorded(outcome: Outcome): Outcome {
    if (outcome.isForwarded && this.#setup.onError === 'deny') return this.refusal('audit_unavailable');
    return { ...outcome, record: undefined, isLost: true };
  }

  #record(review: Review, decision: Decision, answer: Answer | undefined): Outcome {
    const { ports, isObserving } = this.#setup;
    const { call, requestId, intercepted, started } = review;
    const asked = answer?.approval;
    const before = this.#recorder.within(() => this.#seenCalls.take(call));
    const isForwarded = isGranted(decision, asked);
    const seen: Seen = { hasGoneOn: isForwarded || isObserving, before };
    const record: AuditRecord<'call'> = {
      type: 'call',
      id: ports.recordId(),
      time: ports.clock.now(),
      session: ports.session(),
      sessionBy: ports.sessionBy?.(),
      call,
      requestId,
      intercepted,
      decision,
      asked,
      answer,
      // If the first seen call was denied, the agent never got that call, so this is another one.
      firstSeenAs: before?.isDenied === false ? before.record : undefined,
      reason: reasonOf({ decision, asked }),
      isObserved: isObserving,
      inspectors: inspectorsOf(this.#session.concerns(call), this.#scanned.has(call)),
      categories: this.#categories.take(call),
      turn: turnOf(call),
      told: seen.hasGoneOn ? undefined : explain({ record: undefined, call, decision, asked, question: answer?.id }),
      latency: ports.clock.elapsed() - started,
    };
    const outcome = { isForwarded, decision, asked, question: answer?.id, record: record.id };
    const isReserved = this.#reserved.delete(review);
    const fault = decision.schema === undefined ? undefined : schemaFinding(record, seen.hasGoneOn);
    const secrets = decision.dlp === undefined ? [] : dlpFindings(record, seen.hasGoneOn);
    const recordFindings = (): boolean => {
      for (const finding of fault === undefined ? secrets : [fault, ...secrets]) ports.sink.record(finding);
      return true;
    };
    const isRecorded =
      this.#recorder.add(record) &&
      (fault === undefined && secrets.length === 0 ? true : this.#recorder.within(recordFindings) === true) &&
      this.#note(record, { ...seen, isForwarded, isReserved });
    return isRecorded ? outcome : this.unrecorded(outcome);
  }

  /** Notes a recorded call for later decisions. @returns whether that is on record too */
  #note(record: CallRecord, { isForwarded, isReserved, ...seen }: NotedFacts): boolean {
    const { call, id, time, categories = UNKNOWN, decision, intercepted } = record;
    const isConcerned = this.#session.isActive && this.#session.concerns(call);
    const isLinked = intercepted !== undefined || seen.before !== undefined;
    const isLimited = isReserved || this.#setup.policy.current().policy.rateLimits.enabled;
    if (!isConcerned && !isLinked && !isLimited) return true;
    const isNoted = (): boolean => {
      if (isLinked) this.#seenCalls.note(record, seen);
      if (isForwarded && !isReserved) this.#rates.spend(call);
      if (!isForwarded && isReserved) this.#rates.refund(call);
      if (!isConcerned) return true;
      const action = decision.reason === 'flow' ? decision.action : undefined;
      this.#session.note({
        call,
        id,
        time,
        categories,
        isForwarded: seen.hasGoneOn,
        flow: decision.flow ?? [],
        secrets: decision.dlp ?? [],
        action: action === 'allow' ? undefined : action,
      });
      return true;
    };
    return this.#recorder.within(isNoted) === true;
  }

  #denial(reason: ReasonCode): Decision {
    return { action: 'deny', reason, findings: [], policyHash: this.#setup.policy.current().hash };
  }
}

/**
 * The inspectors of a call, as its record lists them; the lists are shared, since nearly all calls have the same.
 *
 * @param hasFlow flow rules read its session
 * @param hasDetection the definition of its subject was scanned
 */
export function inspectorsOf(hasFlow: boolean, hasDetection: boolean): readonly string[] {
  if (hasDetection) return hasFlow ? BOTH : DETECTION;
  return hasFlow ? FLOW : POLICY;
}
