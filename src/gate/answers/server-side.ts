import { CALL_METHODS } from '../../core/call.ts';
import type { JsonObject } from '../../core/json.ts';
import { idText, INTERNAL_ERROR, INVALID_REQUEST, METHOD_NOT_FOUND } from '../../protocol/jsonrpc.ts';
import { hasNoHandshake } from '../../protocol/mcp/methods.ts';
import type { Message } from '../../protocol/message.ts';
import { AlikeNotifications } from './alike-notifications.ts';
import { errorLine, explain } from '../calls/reply.ts';
import type { Outcome } from '../calls/review.ts';
import type { Connection } from '../connection.ts';
import { batchText, deliver, watchRecord } from './deliver.ts';
import { ScannedMessages } from './scanned-messages.ts';
import { idKey } from '../messages/id-key.ts';
import type { Declaring } from '../messages/list-methods.ts';
import { cancelledKey, isText, keyOf, readSmallObject } from '../messages/message-parts.ts';
import { MAY_ASK_FOR_INPUT } from '../messages/methods.ts';
import { idOf, type PendingRequest } from '../messages/pending.ts';
import {
  type Asked,
  readInputRequests,
  readUrlRequests,
  refuseServerRequest,
  reviewedServerVariant,
  toServerCall,
} from '../messages/server-requests.ts';
import { TASK_NEWS } from './tasks.ts';
import { BUSY, DROP, FORWARD, type Verdict } from '../verdict.ts';

const NOT_TEXT = 'not valid UTF-8';

/** Params that need not be read, since no rule concerns them. */
const NOT_READ: JsonObject = {};

/**
 * Judges messages of the server.
 *
 * Bytes that are not UTF-8 are refused in reviewed messages: clients replace them, so they would read something else than what was decided.
 * In all other messages they pass, as they would through a pipe: a tool's result with a few broken bytes is better than none.
 */
export class ServerSide {
  readonly #connection: Connection;
  readonly #scanned: ScannedMessages;
  /** Requests whose answer is being denied: no other answer is taken until the denial is delivered. */
  readonly #denied = new WeakSet<PendingRequest>();
  readonly alike: AlikeNotifications;

  constructor(connection: Connection) {
    this.#connection = connection;
    this.alike = new AlikeNotifications(connection);
    this.#scanned = new ScannedMessages(connection);
  }

  /** Judges a message; if the policy acts on findings, only once it was scanned. */
  handle(message: Message): Verdict | Promise<Verdict> {
    return this.#scanned.handle(message, this.#judge);
  }

  /** Tells whether everything was scanned that must be before a message is judged; starts scanning if not. */
  isScanned(message: Message): boolean {
    return this.#scanned.isScanned(message);
  }

  readonly #judge = (message: Message): Verdict | Promise<Verdict> => {
    const { tally, recorder, tasks } = this.#connection;
    if (message.kind !== 'response' && !this.#connection.refreshPolicy()) return BUSY;
    if (message.kind === 'response') {
      const verdict = this.#answer(message);
      if (verdict !== BUSY) tally.countServer('(answer)');
      return verdict;
    }
    const method = message.method as string;
    const isPlain = this.alike.passes(message);
    // A notification may carry a task's result.
    const task = TASK_NEWS.has(method) ? tasks.sourceOf(message) : undefined;
    if (task !== undefined && !this.#connection.enterSession()) return BUSY;
    if (!isPlain && (message.inputRequests !== undefined || this.#reads(method)) && !recorder.open()) return BUSY;
    if (task !== undefined && !this.#connection.noteResult(task, message, method)) return BUSY;
    tally.countServer(method);
    if (message.kind === 'request') return this.#request(message, method);
    if (method === 'notifications/cancelled') return this.#cancel(message);
    return isPlain ? FORWARD : this.#notification(message, method);
  };

  #answer(message: Message): Verdict | Promise<Verdict> {
    const { tally, fromClient, recorder } = this.#connection;
    if (message.id === undefined && message.result === undefined) {
      // An error without an id is about an unreadable message; its sender has to know, and clients show it.
      const { newestCall } = this.#connection.results;
      return newestCall === undefined || this.#connection.noteResult(newestCall, message, '') ? FORWARD : BUSY;
    }
    const key = keyOf(message);
    const asksForNothing = message.inputRequests === undefined && message.error === undefined;
    if (asksForNothing && key !== undefined && fromClient.takePlain(key)) return FORWARD;
    const pending = key === undefined ? undefined : fromClient.get(key);
    if (pending === undefined || pending.isCancelled || this.#denied.has(pending)) {
      if (pending?.isCancelled === true) fromClient.take(pending.key);
      tally.countUnasked();
      return DROP;
    }
    if (message.inputRequests !== undefined && !recorder.open()) return BUSY;
    // Results that ask for input are noted too: clients that do not know of input requests read them as plain results.
    if (pending.trackedCall !== undefined && !this.#connection.noteResult(pending.trackedCall, message, pending.method))
      return BUSY;
    if (message.inputRequests !== undefined) return this.#inputRequired(message, pending);
    if (message.error !== undefined) {
      const urls = readUrlRequests(this.#connection, message);
      if (urls === undefined || urls.length > 0) return this.#askFirst(message, pending, urls);
    }
    if (pending.method === 'initialize') {
      const revision = readRevision(message);
      if (revision !== undefined && hasNoHandshake(revision)) return this.#refuseGreeting(pending, revision);
      this.#connection.revision = revision;
    }
    if (pending.declaring === undefined) return deliver(this.#connection, pending, batchText(message, pending));
    return this.#declare(message, pending, pending.declaring);
  }

  /** Compares a server's declarations with what is trusted before anybody reads them. */
  #declare(message: Message, pending: PendingRequest, declaring: Declaring): Verdict {
    const { definitions } = this.#connection;
    const isGreeting = declaring === 'greeting';
    const verdict = isGreeting ? definitions.greeted(message, pending) : definitions.listed(message, pending, declaring);
    if (verdict === BUSY) return BUSY;
    const instead = verdict.kind === 'replace' ? verdict.line : undefined;
    return deliver(this.#connection, pending, batchText(message, pending), instead);
  }

  /** Which rules hold in such a session nobody could tell: the revision has none. */
  #refuseGreeting(pending: PendingRequest, revision: string): Verdict {
    const why = `clawai refused the answer to initialize: it names MCP ${JSON.stringify(revision.slice(0, 32))}, which has no sessions`;
    return deliver(this.#connection, pending, undefined, errorLine(idOf(pending), INTERNAL_ERROR, why));
  }

  /** Handles an answer that first asks the client for input. */
  #inputRequired(message: Message, pending: PendingRequest): Verdict | Promise<Verdict> {
    if (MAY_ASK_FOR_INPUT.has(pending.method))
      return this.#askFirst(message, pending, readInputRequests(this.#connection, message));
    const why = `clawai refused the answer to ${pending.method}: such an answer may not ask for input`;
    return deliver(this.#connection, pending, undefined, errorLine(idOf(pending), INTERNAL_ERROR, why));
  }

  /** Reviews each request in an answer as if the server had sent it; a denied one denies the call that is answered. */
  #askFirst(message: Message, pending: PendingRequest, requests: readonly Asked[] | undefined): Verdict | Promise<Verdict> {
    const { tally, questions, recorder, reviewer, setup, waitingAnswers } = this.#connection;
    if (!recorder.open()) return BUSY;
    const isLost = watchRecord(this.#connection);
    // Each request has at most one question open.
    if (waitingAnswers.has(pending)) {
      tally.countUnasked();
      return DROP;
    }
    // Read now: the message's bytes are freed while a person is asked.
    const text = batchText(message, pending);
    const conclude = (outcome: Outcome | undefined): Verdict => {
      if (outcome === undefined) return deliver(this.#connection, pending, text);
      const why = `clawai refused the answer to ${pending.method}: what it asks for is denied`;
      return deliver(this.#connection, pending, text, pending.deny?.(outcome) ?? errorLine(idOf(pending), INTERNAL_ERROR, why));
    };
    const question = questions.create();
    const denied = this.#firstDenied(requests, question.signal);
    if (denied === undefined && pending.batch === undefined) return conclude(undefined);
    if (denied !== undefined && !(denied instanceof Promise)) this.#denied.add(pending);
    waitingAnswers.set(pending, question);
    const stopWaiting = (): boolean => waitingAnswers.delete(pending);
    // A denial names its record; and a batch may keep an answer until the others have come, so nobody would ask again whether it may go on.
    const recorded = async (outcome: Outcome | undefined): Promise<Outcome | undefined> => {
      if (!(await isLost())) return outcome;
      if (outcome !== undefined) return reviewer.unrecorded(outcome);
      return setup.onError === 'deny' ? reviewer.refusal('audit_unavailable') : undefined;
    };
    return questions.hold(question, Promise.resolve(denied)).finally(stopWaiting).then(recorded).then(conclude);
  }

  /** The outcome of the first denied request; undefined if all may go on. */
  #firstDenied(
    requests: readonly Asked[] | undefined,
    withdrawn: AbortSignal,
  ): Outcome | undefined | Promise<Outcome | undefined> {
    const { reviewer, tally } = this.#connection;
    tally.countInspected();
    if (requests === undefined) return reviewer.refusal('malformed');
    const outcomes: (Outcome | Promise<Outcome>)[] = [];
    for (const asked of requests) {
      const outcome = this.#review(asked, undefined, withdrawn);
      if (outcome !== undefined) outcomes.push(outcome);
    }
    const pick = (settled: readonly Outcome[]): Outcome | undefined => settled.find((outcome) => !outcome.isForwarded);
    const isSettled = (outcome: Outcome | Promise<Outcome>): outcome is Outcome => !(outcome instanceof Promise);
    return outcomes.every(isSettled) ? pick(outcomes) : Promise.all(outcomes).then(pick);
  }

  #request(message: Message, method: string): Verdict | Promise<Verdict> {
    const { tally, fromServer, isLegacy, isModern, questions, setup, waitingOfServer: waiting } = this.#connection;
    const id = idText(message);
    const key = idKey(id);
    if (isModern && !isLegacy) {
      this.#connection.noteRefusal('server', message, 'this protocol revision has no requests from servers');
      return { kind: 'reply', line: errorLine(id, METHOD_NOT_FOUND, 'servers send no requests in this protocol revision') };
    }
    const obstacle = waiting.has(key) ? 'its id is in use by a request that waits' : fromServer.findObstacle(key, message.id);
    if (obstacle !== undefined) return this.#refuse(message, obstacle);
    const variant = reviewedServerVariant(method);
    if (variant !== undefined) return this.#refuse(message, `the method is a variant of ${JSON.stringify(variant)}`);
    const params = this.#readParams(message, method);
    if (typeof params === 'string') return this.#refuse(message, params);
    const question = questions.create();
    const outcome = this.#review({ method, params }, id, question.signal);
    const conclude = (settled: Outcome | undefined, isWaitedFor: boolean): Verdict => {
      if (settled !== undefined) tally.countInspected();
      if (!isWaitedFor) return DROP;
      if (settled !== undefined && !settled.isForwarded) {
        const why = explain({ ...settled, call: toServerCall(setup.server, method, params) });
        return { kind: 'reply', line: refuseServerRequest(method, id, why) };
      }
      fromServer.add({
        key,
        spelling: String(key) === id ? undefined : id,
        method,
        deny: undefined,
        batch: undefined,
        isCancelled: false,
      });
      return FORWARD;
    };
    if (!(outcome instanceof Promise)) return conclude(outcome, true);
    waiting.set(key, question);
    // If the request was cancelled or the server has ended, nobody waits for it.
    const stopWaiting = (): boolean => waiting.get(key) === question && waiting.delete(key);
    const answered = questions.hold(question, outcome);
    return answered.then((settled) => conclude(settled, stopWaiting())).finally(stopWaiting);
  }

  #notification(message: Message, method: string): Verdict | Promise<Verdict> {
    const { questions } = this.#connection;
    const question = questions.create();
    const outcome =
      message.inputRequests === undefined
        ? this.#unanswered(message, method, question.signal)
        : this.#firstDenied(readInputRequests(this.#connection, message), question.signal);
    // Nobody waits for an answer to a notification.
    const conclude = (settled: Outcome | undefined): Verdict => (settled === undefined || settled.isForwarded ? FORWARD : DROP);
    return outcome instanceof Promise ? questions.hold(question, outcome).then(conclude) : conclude(outcome);
  }

  #cancel(message: Message): Verdict {
    const { fromServer, waitingOfServer } = this.#connection;
    const key = cancelledKey(message);
    if (key === undefined) return FORWARD;
    const question = waitingOfServer.get(key);
    if (question === undefined) {
      fromServer.take(key);
      return FORWARD;
    }
    // The client has not seen the request, so it need not learn of its cancellation.
    waitingOfServer.delete(key);
    question.abort();
    return DROP;
  }

  /** Decides a notification that a rule concerns, or that is a call without an id. */
  #unanswered(message: Message, method: string, withdrawn: AbortSignal): Outcome | Promise<Outcome> | undefined {
    const { tally, reviewer } = this.#connection;
    const variant = reviewedServerVariant(method);
    const params = this.#readParams(message, method);
    if (variant === undefined && params === NOT_READ) return undefined;
    if (variant !== undefined || typeof params === 'string') {
      const problem = variant === undefined ? String(params) : `the method is a variant of ${JSON.stringify(variant)}`;
      this.#connection.noteRefusal('server', message, problem);
      return reviewer.refusal('malformed');
    }
    const outcome = this.#review({ method, params, isNotification: true }, undefined, withdrawn);
    if (outcome !== undefined) tally.countInspected();
    return outcome;
  }

  /** Reviews a server's request; undefined if no rule concerns it. */
  #review(
    { method, params, isNotification = false }: Asked,
    requestId: string | undefined,
    withdrawn: AbortSignal,
  ): Outcome | Promise<Outcome> | undefined {
    if (!this.#reads(method)) return undefined;
    const { setup, reviewer, tally } = this.#connection;
    const started = setup.ports.clock.elapsed();
    const call = toServerCall(setup.server, method, params);
    const decision = reviewer.decide(call);
    const isUnrecorded = decision.reason === 'default' || (isNotification && decision.action === 'allow');
    if (isUnrecorded && !CALL_METHODS.has(method)) return undefined;
    const outcome = reviewer.settle({ from: 'server', call, requestId, started }, decision, withdrawn);
    const counted = (settled: Outcome): Outcome => {
      tally.countDecided(!settled.isForwarded);
      return settled;
    };
    return outcome instanceof Promise ? outcome.then(counted) : counted(outcome);
  }

  /** The params of a request or notification, or the problem with them; `NOT_READ` if no rule concerns it. */
  #readParams(message: Message, method: string): JsonObject | string {
    // A reader that drops invalid characters may see the name of a call.
    if (!this.#reads(method) && !method.includes('\ufffd')) return NOT_READ;
    return isText(message) ? this.#connection.readParams(message) : NOT_TEXT;
  }

  #reads(method: string): boolean {
    return CALL_METHODS.has(method) || this.#connection.setup.policy.current().concernsMethod(method);
  }

  #refuse(message: Message, problem: string): Verdict {
    this.#connection.noteRefusal('server', message, problem);
    return { kind: 'reply', line: errorLine(idText(message), INVALID_REQUEST, `clawai refused this message: ${problem}`) };
  }
}

function readRevision(message: Message): string | undefined {
  const revision = readSmallObject(message, message.result)?.['protocolVersion'];
  return typeof revision === 'string' ? revision : undefined;
}
