import { idText, INTERNAL_ERROR, readMessage } from '../../protocol/jsonrpc.ts';
import type { Message } from '../../protocol/message.ts';
import { batchElements } from '../messages/batch.ts';
import type { Connection } from '../connection.ts';
import { failRequest, failureOf } from './deliver.ts';
import { type IdKey, spanKey, spellingOf } from '../messages/id-key.ts';
import { declaringOf, toDeclaring } from '../messages/list-methods.ts';
import { messagesIn, requestKeys } from '../messages/message-parts.ts';
import type { PendingRequests } from '../messages/pending.ts';
import { errorLine } from '../calls/reply.ts';

export const INPUT_CLOSED = 'the server has closed its input';

/** The answer to a request that can't be handed on, since the server has closed its input; undefined for what has no answer. */
export function undeliverableAnswer(message: Message): string | undefined {
  const isRequest = message.kind === 'request' || (message.kind === 'malformed' && message.method !== undefined);
  if (!isRequest || message.id === undefined) return undefined;
  return errorLine(idText(message), INTERNAL_ERROR, INPUT_CLOSED);
}

/** Fails the requests in lines that were forwarded. @returns lines for the client, for those that somebody waits for */
export function failUndelivered(
  connection: Connection,
  lines: Buffer,
  { why, hasArrived }: { readonly why: string; readonly hasArrived: boolean },
): string {
  const { fromClient, reviewer } = connection;
  const keys = keysIn(connection, lines);
  for (const key of keys) {
    const source = fromClient.get(key)?.source;
    if (!hasArrived && source !== undefined && source.isTask !== true) reviewer.takeBack(source);
  }
  return keys.map((key) => failRequest(connection, key, why)).join('');
}

/** Has an error that answers nothing be read like the results of the calls in lines that were forwarded. @param said whatever the server said */
export function noteAside(connection: Connection, lines: Buffer, said: Buffer): void {
  const { fromClient, recorder, results, scanner, session, setup } = connection;
  const sources = keysIn(connection, lines).map((key) => fromClient.get(key)?.source?.record);
  const unanswered = sources.filter((source) => source !== undefined);
  if (unanswered.length === 0) return;
  const message = readMessage(scanner, said, 0, said.length);
  if (message.id !== undefined || message.error === undefined) return;
  for (const source of unanswered) {
    results.note(source, message);
    if (!session.isLate(source)) continue;
    const noted = recorder.alone(
      () => session.noteAnswer(source),
      () => {},
    );
    noted.catch((error: unknown) => setup.ports.warn(`that an answer came late is not on record: ${String(error)}`));
  }
}

/** Forgets the requests in lines of the client's, which waits for them no more, and withdraws what a person was asked about them. */
export function abandonRequests(connection: Connection, lines: Buffer): void {
  const { waiting } = connection;
  for (const key of keysIn(connection, lines)) {
    const call = waiting.get(key);
    waiting.delete(key);
    call?.controller.abort();
    failRequest(connection, key, 'nobody waits for it');
  }
}

/** Fails all requests that the server still has, or that wait for a person. @returns lines for the client */
export function failAll({ fromClient, waiting, waitingOfServer }: Connection, why: string): string {
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
export function forgetAll({ fromClient, fromServer, questions, waiting, waitingOfServer }: Connection): void {
  if (waiting.size > 0) waiting.clear();
  if (waitingOfServer.size > 0) waitingOfServer.clear();
  fromClient.takeAll();
  fromServer.takeAll();
  questions.withdrawOpen();
}

function keysIn(connection: Connection, lines: Buffer): IdKey[] {
  const found = messagesIn(connection.scanner, lines, (batch) => batchElements(connection, batch));
  return requestKeys(found.flatMap(({ messages }) => messages));
}

/** When only observing, also what was refused goes on, so its answer is waited for too. */
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
