import { idText, INTERNAL_ERROR } from '../../protocol/jsonrpc.ts';
import type { Message } from '../../protocol/message.ts';
import { onArgumentsOf } from '../../core/outgoing/secrets-of-call.ts';
import type { Connection } from '../connection.ts';
import { keyOf, requestIdOf } from '../messages/message-parts.ts';
import { USER_REJECTED } from '../messages/server-requests.ts';
import { idOf } from '../messages/pending.ts';
import { BUSY, DROP, FORWARD, type Verdict } from '../verdict.ts';
import { saysSomething, toAnswerCall } from './answer-call.ts';
import { editedLine } from './edit-arguments.ts';
import { DENIED, errorLine } from './reply.ts';
import type { Outcome } from './review.ts';

/** Judges what the client answers to requests of its server. It leaves for the server, as arguments do. */
export class ClientAnswers {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** Judges an answer. If it returns `BUSY`, nothing has changed. */
  handle(message: Message): Verdict | Promise<Verdict> {
    const { elicitation, fromServer, tally } = this.#connection;
    const key = keyOf(message);
    if (elicitation.isAnswer(key)) {
      const answer = this.#connection.readAnswer(message);
      elicitation.take(key, message.result === undefined || 'problem' in answer ? undefined : answer.value);
      tally.countClient('(answer)');
      return DROP;
    }
    const asked = key === undefined ? undefined : fromServer.get(key);
    // An error without an id is about an unreadable message.
    const isWanted = asked !== undefined || (message.id === undefined && message.result === undefined);
    const verdict = isWanted ? this.#judge(message, asked?.method ?? 'error') : DROP;
    if (verdict === BUSY) return BUSY;
    tally.countClient('(answer)');
    if (asked !== undefined) fromServer.take(asked.key);
    if (!isWanted) tally.countUnasked();
    return verdict;
  }

  /** Refuses an unacceptable answer. The server waits for it; the client may have a request of its own under that id. */
  refuse(message: Message, problem: string): Verdict {
    this.#connection.noteRefusal('client', message, problem);
    const key = keyOf(message);
    const asked = key === undefined ? undefined : this.#connection.fromServer.take(key);
    if (asked === undefined) return DROP;
    const line = errorLine(idOf(asked), INTERNAL_ERROR, `clawai refused the client's answer: ${problem}`);
    return { kind: 'replace', line };
  }

  /** @param method of the request that it answers */
  #judge(message: Message, method: string): Verdict | Promise<Verdict> {
    const { setup, recorder, reviewer, questions, session, tally } = this.#connection;
    if (!saysSomething(message)) return FORWARD;
    if (!this.#connection.refreshPolicy()) return BUSY;
    const { dlp } = setup.policy.current().policy;
    if (!dlp.enabled) return FORWARD;
    const started = setup.ports.clock.elapsed();
    const answer = this.#connection.readAnswer(message);
    if ('problem' in answer) {
      if (onArgumentsOf(setup.policy.current().policy, setup.server) === 'alert') return FORWARD;
      return this.refuse(message, answer.problem);
    }
    if (!recorder.open()) return BUSY;
    const call = toAnswerCall(setup.server, method, answer.value);
    const decision = reviewer.decide(call);
    // Most answers have no secret, and are not recorded.
    if (decision.action === 'allow' && decision.dlp === undefined && !session.hasUnread(call)) return FORWARD;
    // Read now: the message's bytes are freed while a person is asked.
    const part = {
      of: message.result === undefined ? 'error' : 'result',
      member: undefined,
      secrets: decision.dlp ?? [],
    } as const;
    const edited = editedLine(message, [part]);
    const denial = message.id === undefined ? '' : denialOf(idText(message), method);
    const question = questions.create();
    const conclude = ({ isForwarded, decision: { isRedacted } }: Outcome): Verdict => {
      tally.countInspected();
      tally.countDecided(!isForwarded);
      if (isForwarded && isRedacted !== true) return FORWARD;
      const line = isForwarded ? (edited ?? denial) : denial;
      return line === '' ? DROP : { kind: 'replace', line };
    };
    const outcome = reviewer.settle(
      { from: 'client', call, requestId: requestIdOf(message), started },
      decision,
      question.signal,
    );
    return outcome instanceof Promise ? questions.hold(question, outcome).then(conclude) : conclude(outcome);
  }
}

/** The answer that takes the place of a denied one. It tells the server no reason, since the server may be hostile. @param id as JSON text */
function denialOf(id: string, method: string): string {
  const code = method === 'sampling/createMessage' ? USER_REJECTED : DENIED;
  return errorLine(id, code, "clawai denied the client's answer: the user's policy does not let it leave");
}
