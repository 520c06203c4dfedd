import { isUtf8 } from 'node:buffer';
import type { Decision } from '../core/decision.ts';
import { isJsonObject, type JsonObject, parseJson } from '../core/json.ts';
import { JsonScanner } from '../protocol/json-scanner.ts';
import { idText, INVALID_REQUEST, type Message, PARSE_ERROR, readMessage } from '../protocol/jsonrpc.ts';
import { findKeyProblem } from '../protocol/key-check.ts';
import { CLIENT_METHODS, PROTOCOL_VERSION_KEY } from '../protocol/mcp/methods.ts';
import { Census, type CensusReport } from './census.ts';
import { REVIEWED_METHODS, type ReviewedMethod, reviewedVariant, toMethodCall } from './methods.ts';
import type { GateSetup } from './ports.ts';
import { DENIED, type Denial, denyRequest, denyToolCall, errorLine } from './reply.ts';
import { type Outcome, type Review, Reviewer } from './review.ts';
import { DROP, FORWARD, type Verdict } from './verdict.ts';

/** Makes the answer to a denied request out of its id (JSON text) and what is known of the denial. */
type Deny = (id: string, denial: Denial) => string;

/**
 * The gate of one connection: is handed every message of both directions and says what happens to its bytes. It knows
 * protocol and policy and no sockets, so that every transport gives the same decision.
 */
export class Interceptor {
  readonly #setup: GateSetup;
  readonly #reviewer: Reviewer;
  readonly #scanner = new JsonScanner();
  readonly #census = new Census();

  constructor(setup: GateSetup) {
    this.#setup = setup;
    this.#reviewer = new Reviewer(setup);
  }

  /**
   * A line from the client, `bytes[start..end)` without its line feed. The verdict is a promise only where somebody has to be
   * asked; such a message waits alone. Never throws, never rejects.
   */
  fromClient(bytes: Buffer, start: number, end: number): Verdict | Promise<Verdict> {
    const message = readMessage(this.#scanner, bytes, start, end);
    if (message.kind === 'blank') return FORWARD;
    if (message.kind === 'malformed' || message.kind === 'batch') return this.#refuse(message, message.problem ?? 'malformed');
    if (!isUtf8(bytes.subarray(start, end))) return this.#refuse(message, 'not valid UTF-8');
    if (message.kind === 'response') {
      this.#census.countClient('(answer)');
      return FORWARD;
    }
    const method = message.method as string;
    this.#census.countClient(method);
    const reviewed = REVIEWED_METHODS.get(method);
    if (reviewed !== undefined) return this.#review(message, reviewed);
    const variant = CLIENT_METHODS.has(method) ? undefined : reviewedVariant(method);
    if (variant !== undefined) return this.#refuse(message, `its method is a variant of ${JSON.stringify(variant)}`);
    return this.#passOther(message, method);
  }

  /** A line from the server. */
  fromServer(bytes: Buffer, start: number, end: number): Verdict {
    const message = readMessage(this.#scanner, bytes, start, end);
    if (message.kind !== 'blank')
      this.#census.countServer(message.method ?? (message.kind === 'response' ? '(answer)' : '(other)'));
    return FORWARD;
  }

  /** A line from the client that is longer than the limit and was skipped unread. */
  oversized(length: number): Verdict {
    this.#census.countRefused();
    return { kind: 'reply', line: errorLine('null', INVALID_REQUEST, `clawai refused a message of more than ${length} bytes`) };
  }

  report(): CensusReport {
    return this.#census.report();
  }

  #refuse(message: Message, problem: string): Verdict {
    this.#census.countRefused();
    const code = problem.startsWith('not valid JSON') ? PARSE_ERROR : INVALID_REQUEST;
    return { kind: 'reply', line: errorLine(idText(message), code, `clawai refused this message: ${problem}`) };
  }

  #review(message: Message, method: ReviewedMethod): Verdict | Promise<Verdict> {
    const started = this.#setup.ports.clock.elapsed();
    const params = this.#readParams(message);
    if (typeof params === 'string') return this.#refuse(message, params);
    const result = method.toCall(this.#setup.server, params);
    if ('problem' in result) return this.#refuse(message, result.problem);
    const decision = this.#reviewer.decide(result.call);
    const deny: Deny = (id, denial) =>
      method.denial === 'tool' ? denyToolCall(id, isModern(params), denial) : denyRequest(id, denial);
    return this.#settle({ call: result.call, requestId: requestIdOf(message), started }, decision, deny);
  }

  #settle(review: Review, decision: Decision, deny: Deny): Verdict | Promise<Verdict> {
    const conclude = (outcome: Outcome): Verdict => {
      this.#census.countReviewed(!outcome.isForwarded);
      if (outcome.isForwarded) return FORWARD;
      // A notification has nobody who waits for an answer.
      if (review.requestId === undefined) return DROP;
      return { kind: 'reply', line: deny(review.requestId, { ...outcome, call: review.call }) };
    };
    const outcome = this.#reviewer.settle(review, decision);
    return outcome instanceof Promise ? outcome.then(conclude) : conclude(outcome);
  }

  /** Params as values, or what is wrong with them. */
  #readParams(message: Message): JsonObject | string {
    const span = message.params;
    if (span === undefined) return {};
    const problem = findKeyProblem(this.#scanner, message.bytes, span);
    if (problem !== undefined) return problem;
    try {
      const params = parseJson(message.bytes.toString('utf8', span.start, span.end));
      return isJsonObject(params) ? params : 'params is not an object';
    } catch {
      // The scanner checks the grammar but not the insides of strings; those fail here.
      return 'not valid JSON';
    }
  }

  /** Methods that are not reviewed pass, unless the policy names them or refuses what it does not know. */
  #passOther(message: Message, method: string): Verdict | Promise<Verdict> {
    const { policy, ports, server } = this.#setup;
    if (policy.concernsMethod(method)) {
      const call = toMethodCall(server, method);
      const started = ports.clock.elapsed();
      const decision = this.#reviewer.decide(call);
      // The default is about calls; what no rule names passes, or nothing would get past the handshake.
      if (decision.reason !== 'default')
        return this.#settle({ call, requestId: requestIdOf(message), started }, decision, denyRequest);
    }
    if (policy.policy.defaults.unknownMethods === 'deny' && !CLIENT_METHODS.has(method)) {
      this.#census.countRefused();
      if (message.id === undefined) return DROP;
      const text = `clawai denied the request ${JSON.stringify(method)}: the policy denies unknown methods`;
      return { kind: 'reply', line: errorLine(idText(message), DENIED, text) };
    }
    return FORWARD;
  }
}

function requestIdOf(message: Message): string | undefined {
  return message.id === undefined ? undefined : idText(message);
}

/** Modern-era requests say their protocol revision in `_meta`; era is a property of the request, not of the connection. */
function isModern(params: JsonObject): boolean {
  const meta = params['_meta'];
  return isJsonObject(meta) && typeof meta[PROTOCOL_VERSION_KEY] === 'string';
}
