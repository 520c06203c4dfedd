import { idText, INTERNAL_ERROR, readMessage } from '../../protocol/jsonrpc.ts';
import type { Message } from '../../protocol/message.ts';
import { batchElements } from '../messages/batch.ts';
import type { Connection } from '../connection.ts';
import { failRequest, failureOf } from './deliver.ts';
import { type IdKey, spanKey, spellingOf } from '../messages/id-key.ts';
import { declaringOf, toDeclaring } from '../messages/list-methods.ts';
import { keyOf, messagesIn, requestKeys } from '../messages/message-parts.ts';
import type { PendingRequests } from '../messages/pending.ts';
import { errorLine } from '../calls/reply.ts';

const INPUT_CLOSED = 'the server has closed its input';

/** The unanswered requests of one connection, for the transport that carries them: only it knows who has gone and what has arrived. */
export class OpenRequests {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** True if the client waits to be told of changes. */
  get isSubscribed(): boolean {
    return this.#connection.fromClient.listening().length > 0;
  }

  /** True if the server asked something that the client has not answered yet. */
  get awaitsAnswers(): boolean {
    return this.#connection.fromServer.size > 0;
  }

  /** Tells whether a line is an answer. */
  isAnswer(line: Buffer): boolean {
    return readMessage(this.#connection.scanner, line, 0, line.length).kind === 'response';
  }

  /** Tells whether the server waits for this answer of the client's. */
  isAwaited(line: Buffer): boolean {
    const { fromServer, scanner } = this.#connection;
    const message = readMessage(scanner, line, 0, line.length);
    const key = message.kind === 'response' ? keyOf(message) : undefined;
    return key !== undefined && fromServer.get(key) !== undefined;
  }

  /**
   * Fails the requests in lines that were forwarded and did not reach the server. @returns lines for the client, for the requests that
   * somebody waits for
   *
   * @param why told to the client
   * @param options `hasArrived`: the server got them and gave no answer, so they count as calls that were made
   */
  undelivered(lines: Buffer, why = INPUT_CLOSED, { hasArrived = false } = {}): string {
    const { fromClient, reviewer } = this.#connection;
    if (fromClient.size === 0) return '';
    const keys = this.#keysIn(lines);
    for (const key of keys) {
      const call = fromClient.get(key)?.trackedCall;
      if (!hasArrived && call !== undefined && call.isTask !== true) reviewer.takeBack(call);
    }
    return keys.map((key) => failRequest(this.#connection, key, why)).join('');
  }

  /**
   * Reads the values of an error without an id, which is about to go on, as if it were the result of each call in forwarded lines.
   *
   * @param line the server's text outside of messages; ignored unless it is such an error
   */
  noteErrorWithoutId(lines: Buffer, line: Buffer): void {
    const { fromClient, recorder, results, scanner, session, setup } = this.#connection;
    if (fromClient.size === 0) return;
    const records = this.#keysIn(lines).map((key) => fromClient.get(key)?.trackedCall?.record);
    const unanswered = records.filter((record) => record !== undefined);
    if (unanswered.length === 0) return;
    const message = readMessage(scanner, line, 0, line.length);
    if (message.id !== undefined || message.error === undefined) return;
    for (const record of unanswered) {
      results.note(record, message);
      if (!session.isLate(record)) continue;
      const noted = recorder.transact(
        () => session.noteAnswer(record),
        () => {},
      );
      noted.catch((error: unknown) => setup.ports.warn(`could not record that an answer came late: ${String(error)}`));
    }
  }

  /**
   * Forgets the requests in lines of a client that can no longer receive answers, and withdraws the questions about them. The server keeps
   * what it has.
   */
  abandoned(lines: Buffer): void {
    const { waiting } = this.#connection;
    for (const key of this.#keysIn(lines)) {
      const call = waiting.get(key);
      waiting.delete(key);
      call?.controller.abort();
      failRequest(this.#connection, key, 'no request waits for it');
    }
  }

  /** Withdraws all questions, since the client has gone: a call that a person grants later goes nowhere. */
  clientGone(): void {
    this.#connection.questions.withdrawAll();
  }

  /** Fails all requests that the server has or that wait for a person, since the server has ended. @returns lines for the client */
  serverEnded(): string {
    const { fromClient, questions, waiting, waitingOfServer } = this.#connection;
    const why = 'the server ended before it answered';
    questions.withdrawAll();
    let lines = '';
    for (const [key, { id, batch }] of waiting) {
      // Within a batch, the withdrawal of the call becomes its part of the batch's answer.
      if (batch !== undefined) continue;
      waiting.delete(key);
      lines += errorLine(id, INTERNAL_ERROR, why);
    }
    waitingOfServer.clear();
    for (const request of fromClient.takeAll()) lines += failureOf(request, why);
    return lines;
  }

  /** Forgets all requests of both directions and withdraws all questions: whoever asked is gone, and others come after. */
  forgetAll(): void {
    const { fromClient, fromServer, questions, waiting, waitingOfServer } = this.#connection;
    if (waiting.size > 0) waiting.clear();
    if (waitingOfServer.size > 0) waitingOfServer.clear();
    fromClient.takeAll();
    fromServer.takeAll();
    questions.withdrawOpen();
  }

  #keysIn(lines: Buffer): IdKey[] {
    const { scanner } = this.#connection;
    const found = messagesIn(scanner, lines, (batch) => batchElements(this.#connection, batch));
    return requestKeys(found.flatMap(({ messages }) => messages));
  }
}

/** The answer to a request that cannot be forwarded because the server has closed its input; undefined for other messages. */
export function undeliverableAnswer(message: Message): string | undefined {
  const isRequest = message.kind === 'request' || (message.kind === 'malformed' && message.method !== undefined);
  if (!isRequest || message.id === undefined) return undefined;
  return errorLine(idText(message), INTERNAL_ERROR, INPUT_CLOSED);
}

/** Tracks a refused request too, which goes on when only observing, so that its answer is expected. */
export function track(message: Message, pending: PendingRequests): void {
  const { kind, bytes, id, method } = message;
  const isRequest = kind === 'request' || (kind === 'malformed' && method !== undefined);
  if (!isRequest || id === undefined) return;
  const key = spanKey(bytes, id);
  if (pending.findObstacle(key, id) !== undefined) return;
  const spelling = spellingOf(bytes, id, key);
  const declaring = toDeclaring(declaringOf(method ?? ''), message);
  pending.add({ key, spelling, method: method ?? '', deny: undefined, batch: undefined, declaring, isCancelled: false });
}
