import { idText, readMessage } from '../../protocol/jsonrpc.ts';
import type { Message } from '../../protocol/message.ts';
import type { Connection } from '../connection.ts';
import { deliver } from './deliver.ts';
import { scanDeclared } from '../detection/declared-ahead.ts';
import { actedOn, toFindings } from '../detection/findings.ts';
import type { HeldOutcome } from '../detection/held-scans.ts';
import { type MessagePart, partOfAnswer, partOfMessage } from '../detection/message-part.ts';
import { keyOf } from '../messages/message-parts.ts';
import { idOf } from '../messages/pending.ts';
import { denyRequest, explain } from '../calls/reply.ts';
import type { Outcome } from '../calls/review.ts';
import { refuseServerRequest, toServerCall } from '../messages/server-requests.ts';
import { BUSY, DROP, FORWARD, type Verdict } from '../verdict.ts';

/** Outcome of a message that contains only definitions, which were scanned as such. */
const NOTHING_ELSE: HeldOutcome = { kind: 'pass', reported: [] };

/** Judges a message in which nothing was found, or its redacted form. */
type Judge = (message: Message) => Verdict | Promise<Verdict>;

/** Scans a server's messages: afterwards, or before they are judged if the policy acts on findings. */
export class ScannedMessages {
  readonly #connection: Connection;
  /** Outcomes of messages that are judged now; by message, since those of a batch may be the same. */
  readonly #outcomes = new WeakMap<Message, HeldOutcome>();

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  handle(message: Message, judge: Judge): Verdict | Promise<Verdict> {
    const { texts } = this.#connection;
    if (!this.isScanned(message)) return BUSY;
    const part = this.#partOf(message);
    if (part === undefined) return judge(message);
    if (texts.actionOn(part) === 'alert') {
      const verdict = judge(message);
      if (verdict !== BUSY) texts.note(message, part);
      return verdict;
    }
    const outcome = this.#outcomes.get(message);
    if (outcome === undefined) return BUSY;
    const verdict = this.#actOn(message, outcome, judge);
    if (verdict !== BUSY) texts.conclude(message, part, outcome);
    return verdict;
  }

  isScanned(message: Message): boolean {
    const { fromClient, scans, texts } = this.#connection;
    if ((!scans.holds && !texts.holds) || this.#outcomes.has(message)) return true;
    if (message.kind === 'response' && scans.holds) {
      const key = keyOf(message);
      const declaring = key === undefined ? undefined : fromClient.get(key)?.declaring;
      const scanned = declaring === undefined ? 'part' : scanDeclared(scans, message, declaring);
      if (scanned === 'all') this.#outcomes.set(message, NOTHING_ELSE);
      if (scanned !== 'part') return scanned === 'all';
    }
    const part = texts.holds ? this.#partOf(message) : undefined;
    if (part === undefined || texts.actionOn(part) === 'alert') return true;
    const outcome = texts.outcomeOf(message, part);
    if (outcome !== undefined) this.#outcomes.set(message, outcome);
    return outcome !== undefined;
  }

  /** The part of a message that is scanned, if any; undefined for an answer that nobody waits for. */
  #partOf(message: Message): MessagePart | undefined {
    if (!this.#connection.setup.policy.current().policy.detection.enabled) return undefined;
    if (message.kind !== 'response') return partOfMessage(message);
    if (message.id === undefined) return partOfAnswer(message, undefined);
    const key = keyOf(message);
    const pending = key === undefined ? undefined : this.#connection.fromClient.peek(key);
    return pending === undefined || pending.isCancelled ? undefined : partOfAnswer(message, pending);
  }

  #actOn(message: Message, outcome: HeldOutcome, judge: Judge): Verdict | Promise<Verdict> {
    const { scanner } = this.#connection;
    if (outcome.kind === 'pass') return judge(message);
    if (outcome.kind === 'deny') return this.#keepBack(message, outcome);
    const line = Buffer.from(outcome.line);
    const instead = (verdict: Verdict): Verdict => (verdict === FORWARD ? { kind: 'replace', line: outcome.line } : verdict);
    const verdict = judge(readMessage(scanner, line, 0, line.length - 1));
    return verdict instanceof Promise ? verdict.then(instead) : instead(verdict);
  }

  /** Tells whoever waits why the message was kept back; nobody waits for a notification. */
  #keepBack(message: Message, { reported, isBlind }: Extract<HeldOutcome, { kind: 'deny' }>): Verdict {
    const { tally, reviewer, setup } = this.#connection;
    const { kind, method = '' } = message;
    tally.countServer(kind === 'response' ? '(answer)' : method);
    tally.countInspected();
    const refusal = reviewer.refusal(isBlind ? 'internal_error' : 'detection');
    const findings = toFindings(actedOn(reported));
    const outcome: Outcome = { ...refusal, decision: { ...refusal.decision, findings, foundIn: 'answer' } };
    if (kind === 'response') return this.#answerInstead(message, outcome);
    if (kind !== 'request') return DROP;
    const why = explain({ ...outcome, call: toServerCall(setup.server, method, {}) });
    return { kind: 'reply', line: refuseServerRequest(method, idText(message), why) };
  }

  #answerInstead(message: Message, outcome: Outcome): Verdict {
    const { fromClient, setup } = this.#connection;
    const key = keyOf(message);
    const pending = key === undefined ? undefined : fromClient.get(key);
    if (pending === undefined) return DROP;
    const { method, scannedCall } = pending;
    const call = scannedCall?.call ?? toServerCall(setup.server, method, {});
    const denied = { ...outcome, record: scannedCall?.transaction?.isLost === true ? undefined : scannedCall?.record };
    return deliver(
      this.#connection,
      pending,
      undefined,
      pending.deny?.(denied) ?? denyRequest(idOf(pending), { ...denied, call }),
    );
  }
}
