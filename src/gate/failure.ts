import { idText, INTERNAL_ERROR } from '../protocol/jsonrpc.ts';
import type { Message } from '../protocol/message.ts';
import { type Connection, keyOf } from './connection.ts';
import type { IdKey } from './id-key.ts';
import { idOf, type PendingRequest } from './pending.ts';
import { errorLine } from './reply.ts';
import { DROP, type Verdict } from './verdict.ts';

const UNRECORDED = 'clawai denied this, because it could not be recorded';

/** Answers a request of the client's in the server's place; an empty text where nobody waits. */
export function failRequest({ fromClient, waitingAnswers }: Connection, key: IdKey, why: string): string {
  const pending = fromClient.take(key);
  if (pending === undefined) return '';
  waitingAnswers.get(pending)?.abort();
  return failureOf(pending, why);
}

/** Lines that answer a request with an error; none where nobody waits, or where its batch waits for others. */
export function failureOf(request: PendingRequest, why: string): string {
  return answerFor(request, errorLine(idOf(request), INTERNAL_ERROR, why));
}

/**
 * What becomes of a client's message that was to be forwarded and is not, since what was decided of it is on no record: its requests
 * are answered.
 *
 * @param keys of the ids of the requests in it
 */
export function answerUnrecorded({ fromClient, reviewer }: Connection, keys: readonly IdKey[]): Verdict {
  let line = '';
  for (const key of keys) {
    const pending = fromClient.take(key);
    if (pending === undefined) continue;
    const denial = pending.deny?.(reviewer.refusal('audit_unavailable'));
    line += denial === undefined ? failureOf(pending, UNRECORDED) : answerFor(pending, denial);
  }
  return line === '' ? DROP : { kind: 'reply', line };
}

/**
 * The same of a server's messages: its requests are answered to it, and the client gets an error for the answers that asked it for
 * something.
 */
export function refuseUnrecorded({ fromServer }: Connection, messages: readonly Message[]): Verdict {
  let line = '';
  let reply = '';
  for (const message of messages) {
    const key = keyOf(message);
    if (key === undefined) continue;
    const error = errorLine(idText(message), INTERNAL_ERROR, UNRECORDED);
    if (message.kind === 'response') line += error;
    else if (fromServer.take(key) !== undefined) reply += error;
  }
  return { kind: 'replace', line, reply };
}

function answerFor({ isCancelled, batch, key }: PendingRequest, answer: string): string {
  if (isCancelled) return '';
  return batch === undefined ? answer : (batch.settle(key, answer) ?? '');
}
