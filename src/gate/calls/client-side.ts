import type { Call } from '../../core/call.ts';
import type { Decision } from '../../core/decision.ts';
import { idText, INVALID_REQUEST, PARSE_ERROR } from '../../protocol/jsonrpc.ts';
import type { Message } from '../../protocol/message.ts';
import type { Connection } from '../connection.ts';
import { type ChangingList, type Declaring, toDeclaring, toListening } from '../messages/list-methods.ts';
import { type IdKey, spellingOf } from '../messages/id-key.ts';
import { cancelledKey, keyOf, messageText, plainKeyOf, requestIdOf } from '../messages/message-parts.ts';
import { KnownMethods, type MethodFacts } from '../messages/method-facts.ts';
import { MAY_ASK_FOR_INPUT, type ReviewedMethod, reviewUnknownMessage, toMethodCall } from '../messages/methods.ts';
import { type BatchAnswer, type PendingRequest } from '../messages/pending.ts';
import type { ForwardedCall } from '../recorder.ts';
import { carriedAnswers, INPUT_RESPONSES } from './answer-call.ts';
import { ClientAnswers } from './client-answers.ts';
import { editedLine, mayEdit } from './edit-arguments.ts';
import { denyRequest, denyToolCall, errorLine } from './reply.ts';
import type { Outcome, Review } from './review.ts';
import { BUSY, DROP, FORWARD, type Verdict } from '../verdict.ts';

/** Formats the answer to a denied request as a line. @param id as JSON text */
type Deny = (id: string, call: Call, outcome: Outcome) => string;

/** A call and its decision. */
interface Decided {
  readonly review: Review;
  readonly decision: Decision;
}

/** A message and its context. */
interface Origin {
  readonly message: Message;
  readonly method: string;
  readonly batch: BatchAnswer | undefined;
  readonly key: IdKey | undefined;
  /** The definitions that its answer declares. */
  readonly declaring: Declaring | undefined;
  /** The call whose task's result it asks for. */
  readonly task: ForwardedCall | undefined;
  /** Lists whose changes it subscribes to. */
  readonly listening?: ReadonlySet<ChangingList>;
  /** The message without the secrets in its arguments, as a line. */
  readonly edited?: string | undefined;
}

/** Further facts about a forwarded request; its answer needs them. */
interface Forwarded {
  readonly spelling: string | undefined;
  readonly deny?: PendingRequest['deny'];
  readonly trackedCall?: ForwardedCall | undefined;
  readonly scannedCall?: ForwardedCall | undefined;
}

/** Milliseconds without an answer to the greeting after which a server counts as slow. */
const STARTS_SLOWLY = 20;

const LISTEN = 'subscriptions/listen';

/** Brings a task what its server asked for. */
const CARRYING = 'tasks/update';

/** Controller for calls that nobody is asked about; it never aborts. */
const NO_QUESTION = new AbortController();

/** Judges the client's messages: passes, reviews or refuses each. */
export class ClientSide {
  readonly #connection: Connection;
  readonly #methods: KnownMethods;
  readonly #answers: ClientAnswers;

  constructor(connection: Connection) {
    this.#connection = connection;
    this.#answers = new ClientAnswers(connection);
    this.#methods = new KnownMethods(connection.setup);
  }

  /** Judges a message. @param batch the batch that contained it, if any @returns a promise only if it waits, such as for a person */
  handle(message: Message, batch: BatchAnswer | undefined): Verdict | Promise<Verdict> {
    if (message.kind === 'response') return this.#answers.handle(message);
    // The policy determines which methods are decided, so it must be current.
    if (!this.#connection.refreshPolicy()) return BUSY;
    const verdict = this.#judge(message, batch);
    if (verdict !== BUSY) this.#connection.tally.countClient(message.method as string);
    return verdict;
  }

  /** Judges a request or notification. If it returns `BUSY`, nothing has changed, so that the message can be judged again. */
  #judge(message: Message, batch: BatchAnswer | undefined): Verdict | Promise<Verdict> {
    const { fromClient, tasks, waiting } = this.#connection;
    const method = message.method as string;
    const facts = this.#methods.factsOf(method);
    if (method === 'notifications/cancelled' && message.kind === 'notification') return this.#cancel(message);
    const plain = plainKeyOf(message);
    const key = plain ?? keyOf(message);
    if (key !== undefined) {
      const obstacle =
        waiting.size > 0 && waiting.has(key) ? 'its id is in use by a call that waits' : fromClient.findObstacle(key, message.id);
      if (obstacle !== undefined) return this.refuse(message, obstacle);
    }
    if (facts.isPlain && batch === undefined && plain !== undefined) {
      fromClient.addPlain(plain, method);
      return FORWARD;
    }
    if (facts.variant !== undefined) return this.refuse(message, `the method is a variant of ${JSON.stringify(facts.variant)}`);
    // Read now: the message's bytes are freed while a person is asked.
    const task = tasks.sourceOf(message);
    const origin = { message, method, batch, key, task, declaring: toDeclaring(facts.declaring, message) };
    const reviewed = facts.call.isUnknownMethod === true ? reviewUnknownMessage(message) : facts.reviewed;
    return reviewed === undefined ? this.#handleOther(origin, facts) : this.#review(origin, reviewed);
  }

  /** Refuses a message and answers it, so that nobody waits in vain. @param errorCode of the answer, if not the problem's usual one */
  refuse(message: Message, problem: string, errorCode?: number): Verdict {
    if (message.hasAnswer && message.method === undefined) return this.#answers.refuse(message, problem);
    this.#connection.noteRefusal('client', message, problem);
    const code = errorCode ?? (problem.startsWith('not valid JSON') ? PARSE_ERROR : INVALID_REQUEST);
    return { kind: 'reply', line: errorLine(idText(message), code, `clawai refused this message: ${problem}`) };
  }

  #cancel(message: Message): Verdict {
    const { fromClient, waiting, waitingAnswers } = this.#connection;
    const key = cancelledKey(message);
    if (key === undefined) return FORWARD;
    waiting.get(key)?.controller.abort();
    waiting.delete(key);
    const pending = fromClient.get(key);
    // The server has not seen a denied, waiting or answered request, so it need not learn of its cancellation.
    if (pending === undefined) return DROP;
    fromClient.cancel(pending);
    waitingAnswers.get(pending)?.abort();
    const whole = pending.batch?.settle(key, undefined);
    // The request was held back with its batch and will not be sent.
    if (pending.batch?.isSent === false) return DROP;
    return whole === undefined || whole === '' ? FORWARD : { kind: 'replace', line: `${messageText(message)}\n`, reply: whole };
  }

  /** Turns a message into its calls, decides each, and settles them. */
  #review(origin: Origin, reviewed: ReviewedMethod): Verdict | Promise<Verdict> {
    const { setup, recorder, reviewer } = this.#connection;
    const started = setup.ports.clock.elapsed();
    const { message } = origin;
    const params = this.#connection.readParams(message);
    if (typeof params === 'string') return this.refuse(message, params);
    const result = reviewed.toCalls(setup.server, params);
    if ('problem' in result) return this.refuse(message, result.problem, result.code);
    const isEditable = result.calls.length === 1 && mayEdit(origin.method) && this.#connection.mayEdit;
    const calls = isEditable ? result.calls : result.calls.map((call): Call => ({ ...call, isUneditable: true }));
    const answers = carriedAnswers(setup.server, origin.method, params);
    // Opened only now: reading a huge message must not keep other processes from the store.
    const [firstCall] = calls;
    if (firstCall !== undefined && !recorder.isOpen) reviewer.readAhead(firstCall);
    if (!recorder.open()) return BUSY;
    const modern = this.#connection.noteEra(params);
    const deny: Deny = (id, call, outcome) =>
      reviewed.denial === 'tool' ? denyToolCall(id, modern, { ...outcome, call }) : denyRequest(id, { ...outcome, call });
    const requestId = requestIdOf(message);
    const reviews = calls.map((call): Decided => ({
      review: { from: 'client', call, requestId, started },
      decision: reviewer.decide(call),
    }));
    if (answers !== undefined) reviews.push(...this.#reviewAnswers(answers, { requestId, started }));
    // If one call is denied, nothing of the message goes on: nobody is asked about the others, and they count for nothing.
    // A value that its own server has said just now may still change a denial.
    const isFinal = ({ review: { call }, decision }: Decided): boolean =>
      decision.action === 'deny' && !(this.#connection.session.hasUnread(call) && reviewer.mayChange(decision));
    const denied = setup.isObserving ? [] : reviews.filter(isFinal);
    const listening = origin.method === LISTEN ? { listening: toListening(params) } : {};
    const edited = withoutSecrets(message, reviews);
    return this.#settle({ ...origin, ...listening, edited }, denied.length > 0 ? denied : reviews, deny);
  }

  /** The review of answers that a request carries; none if they have no secret, as they are not recorded then. */
  #reviewAnswers(call: Call, { requestId, started }: Pick<Review, 'requestId' | 'started'>): readonly Decided[] {
    const { reviewer, session } = this.#connection;
    const decision = reviewer.decide(call);
    const isPassed = decision.action === 'allow' && decision.dlp === undefined && !session.hasUnread(call);
    return isPassed ? [] : [{ review: { from: 'client', call, requestId, started }, decision }];
  }

  /** Settles a message's calls. It is forwarded if all are granted; otherwise the first denial answers it. */
  #settle(origin: Origin, reviews: readonly Decided[], deny: Deny): Verdict | Promise<Verdict> {
    const { tally, questions, reviewer, session, waiting } = this.#connection;
    const requestId = requestIdOf(origin.message);
    const first = reviews[0]?.review.call ?? toMethodCall(this.#connection.setup.server, origin.method);
    // Read now: the message's bytes are freed while a person is asked.
    const spelling = spellingIn(origin);
    const mayWait = reviews.some(({ review, decision }) => decision.action === 'prompt' || session.hasUnread(review.call));
    const controller = mayWait ? questions.create() : NO_QUESTION;
    const conclude = (outcomes: readonly Outcome[], isWaitedFor: boolean): Verdict => {
      if (outcomes.length > 0) tally.countInspected();
      for (const { isForwarded } of outcomes) tally.countDecided(!isForwarded);
      if (!isWaitedFor) return DROP;
      const at = outcomes.findIndex(({ isForwarded }) => !isForwarded);
      const isRedacted = outcomes.some(({ decision }) => decision.isRedacted === true);
      // The policy may ask for an edit only since a person was asked, when the message is gone.
      const denied = at === -1 && isRedacted && origin.edited === undefined ? asUnredacted(outcomes) : outcomes[at];
      if (denied === undefined) {
        const known = withoutContent(first);
        const verdict = this.#forward(origin, {
          spelling,
          deny: lateDenial(deny, requestId, known),
          trackedCall: origin.task ?? this.#trackedCall(known, outcomes),
          scannedCall: origin.task ?? this.#scan(origin.message, reviews, { outcomes, known }),
        });
        return isRedacted && origin.edited !== undefined ? { kind: 'replace', line: origin.edited } : verdict;
      }
      // Nobody waits for an answer to a notification.
      if (requestId === undefined) return DROP;
      const call = reviews[at]?.review.call ?? first;
      const line = deny(requestId, call, denied);
      if (denied.record === undefined) return { kind: 'reply', line };
      return { kind: 'reply', line, unrecorded: () => deny(requestId, call, reviewer.unrecorded(denied)) };
    };
    const outcomes = reviews.map(({ review, decision }) => reviewer.settle(review, decision, controller.signal));
    if (outcomes.every(isSettled)) return conclude(outcomes, true);
    const answered = questions.hold(controller, Promise.all(outcomes));
    const { key, batch } = origin;
    if (key === undefined || requestId === undefined) return answered.then((settled) => conclude(settled, true));
    waiting.set(key, { id: requestId, batch, controller });
    // Once the call was cancelled, or answered because the server ended, nobody waits for the outcome.
    const stopWaiting = (): boolean => waiting.get(key)?.controller === controller && waiting.delete(key);
    return answered.then((settled) => conclude(settled, stopWaiting())).finally(stopWaiting);
  }

  /**
   * Queues a forwarded call's arguments to be scanned.
   *
   * @param known the call without its content
   * @returns the call, to be named in findings of its answer; undefined if detection is off
   */
  #scan(
    { start, end }: Message,
    reviews: readonly Decided[],
    { outcomes, known }: { readonly outcomes: readonly Outcome[]; readonly known: Call },
  ): ForwardedCall | undefined {
    const { recorder, setup, texts } = this.#connection;
    const [outcome] = outcomes;
    const call = reviews[0]?.review.call;
    if (outcome === undefined || call === undefined || call.isAnswer === true || !setup.policy.current().policy.detection.enabled)
      return undefined;
    texts.noteArguments(call, outcome.record, end - start);
    return { record: outcome.record, transaction: recorder.current, call: known };
  }

  /** The call that flow and rate rules follow; undefined if none may. @param call without its content */
  #trackedCall(call: Call, [outcome]: readonly Outcome[]): ForwardedCall | undefined {
    const { session } = this.#connection;
    const isLimited = this.#connection.setup.policy.current().policy.rateLimits.enabled;
    // Flow rules may follow it even if it is the session's only server now: another may join before its answer comes.
    if (outcome === undefined || call.isAnswer === true || !(isLimited || session.concerns(call))) return undefined;
    return { record: outcome.record, call };
  }

  /** Passes a message of any other method, unless the policy names the method or denies unknown ones. */
  #handleOther(origin: Origin, { call, ...facts }: MethodFacts): Verdict | Promise<Verdict> {
    const { setup, recorder, reviewer } = this.#connection;
    const { message, method, task } = origin;
    const isNotification = message.kind === 'notification';
    const mayBeDecided = isNotification ? facts.mayBeStopped : facts.mayBeDecided;
    const params = method === CARRYING ? this.#connection.readParams(message) : {};
    if (typeof params === 'string') return this.refuse(message, params);
    const answers = carriedAnswers(setup.server, method, params);
    if ((mayBeDecided || answers !== undefined) && !recorder.open()) return BUSY;
    if (method === 'initialize') this.#connection.noteGreeting(message);
    if (task !== undefined && !this.#connection.enterSession()) return BUSY;
    const deny: Deny = (id, denied, outcome) => denyRequest(id, { ...outcome, call: denied });
    const reviews: Decided[] = [];
    const started = setup.ports.clock.elapsed();
    if (mayBeDecided) {
      const decision = reviewer.decide(call);
      // A message that no rule matches passes unrecorded, or pings would fill the audit; so does an allowed notification.
      const isDecided = decision.action !== 'allow' || (decision.reason !== 'default' && !isNotification);
      const review = { from: 'client' as const, call, requestId: requestIdOf(message), started };
      if (isDecided) reviews.push({ review, decision });
    }
    if (answers !== undefined) reviews.push(...this.#reviewAnswers(answers, { requestId: requestIdOf(message), started }));
    if (reviews.length > 0) return this.#settle({ ...origin, edited: withoutSecrets(message, reviews) }, reviews, deny);
    const spelling = spellingIn(origin);
    if (!MAY_ASK_FOR_INPUT.has(method)) return this.#forward(origin, { spelling, trackedCall: task, scannedCall: task });
    const late = lateDenial(deny, requestIdOf(message), withoutContent(call));
    return this.#forward(origin, { spelling, deny: late, trackedCall: task, scannedCall: task });
  }

  #warmFor(declaring: Declaring): void {
    const { definitions, recorder, session } = this.#connection;
    if (definitions.holds) this.#connection.warm();
    else if (!session.hasToKnow(false)) return;
    else if (declaring !== 'greeting') recorder.warm();
    // A list request comes next, and a slow server leaves time for this.
    else setTimeout(() => recorder.warm(), STARTS_SLOWLY).unref();
  }

  #forward({ method, batch, key, declaring, listening }: Origin, rest: Forwarded): Verdict {
    if (key === undefined) return FORWARD;
    // Warmed while the server works out its answer, which has to be compared before it goes on.
    if (declaring !== undefined) this.#warmFor(declaring);
    const { spelling, deny, trackedCall, scannedCall } = rest;
    if (trackedCall !== undefined && trackedCall.isTask !== true) this.#connection.results.newestCall = trackedCall;
    const asked = { key, spelling, method, deny, batch, trackedCall, scannedCall, declaring, listening, isCancelled: false };
    this.#connection.fromClient.add(asked);
    return FORWARD;
  }
}

function spellingIn({ message, key }: Origin): string | undefined {
  return key === undefined || message.id === undefined ? undefined : spellingOf(message.bytes, message.id, key);
}

/** Denies a request after it was forwarded. @param known the call without its content */
function lateDenial(deny: Deny, id: string | undefined, known: Call): PendingRequest['deny'] {
  return id === undefined ? undefined : (outcome) => deny(id, known, outcome);
}

/** Drops a call's arguments, or a server that never answers would make us keep them all. */
function withoutContent({ args: _args, like: _like, extra: _extra, ...call }: Call): Call {
  return call;
}

/** The message as a line without its secrets; undefined if it has none, or they can't be taken out. */
function withoutSecrets(message: Message, reviews: readonly Decided[]): string | undefined {
  const parts = reviews.flatMap(({ review: { call }, decision: { dlp } }) =>
    dlp === undefined
      ? []
      : [{ of: 'params' as const, member: call.isAnswer === true ? INPUT_RESPONSES : 'arguments', secrets: dlp }],
  );
  return parts.length === 0 ? undefined : editedLine(message, parts);
}

/** The outcome of a call that should go on without its secrets, and can't. */
function asUnredacted(outcomes: readonly Outcome[]): Outcome | undefined {
  const outcome = outcomes.find(({ decision }) => decision.isRedacted === true);
  if (outcome === undefined) return undefined;
  const { isRedacted: _, ...decision } = outcome.decision;
  return { ...outcome, isForwarded: false, decision: { ...decision, action: 'deny', reason: 'dlp' } };
}

function isSettled(outcome: Outcome | Promise<Outcome>): outcome is Outcome {
  return !(outcome instanceof Promise);
}
