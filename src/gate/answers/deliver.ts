import { idText, INTERNAL_ERROR } from '../../protocol/jsonrpc.ts';
import type { Message } from '../../protocol/message.ts';
import { saysSomething } from '../calls/answer-call.ts';
import { errorLine } from '../calls/reply.ts';
import type { Connection } from '../connection.ts';
import type { IdKey } from '../messages/id-key.ts';
import { keyOf, type LineMessages, messageText } from '../messages/message-parts.ts';
import { idOf, type PendingRequest } from '../messages/pending.ts';
import { DROP, FORWARD, type Verdict } from '../verdict.ts';

const UNRECORDED = 'clawai denied this, because it could not be recorded';

/** Answers a client's request in the server's place; returns an empty text if nobody waits. */
export function failRequest({ fromClient, waitingAnswers }: Connection, key: IdKey, why: string): string {
  const pending = fromClient.take(key);
  if (pending === undefined) return '';
  waitingAnswers.get(pending)?.abort();
  return failureOf(pending, why);
}

/** Lines that answer a request with an error; empty if nobody waits, or if its batch waits for other answers. */
export function failureOf(request: PendingRequest, why: string): string {
  return answerFor(request, errorLine(idOf(request), INTERNAL_ERROR, why));
}

/**
 * Watches the records that are added from now on.
 *
 * @returns tells, once the open transaction is over, whether it added a call and was lost
 */
export function watchRecord({ recorder }: Connection): () => Promise<boolean> {
  const { added, current } = recorder;
  return async () => {
    await recorder.closed();
    return current.isLost && recorder.added !== added;
  };
}

/** Messages that would have gone on, although their decision is not on record. */
export interface Unrecorded {
  readonly onward: readonly LineMessages[];
  /** Lines that go back in any case. */
  readonly reply: string;
}

/**
 * Handles a client's unrecorded messages: requests are answered, notifications are dropped, and answers become errors if they say something.
 */
export function answerUnrecorded({ fromClient, reviewer }: Connection, { onward, reply }: Unrecorded): Verdict {
  let line = '';
  let back = reply;
  for (const message of onward.flatMap(({ messages }) => messages)) {
    if (message.kind === 'response')
      line += saysSomething(message) ? errorLine(idText(message), INTERNAL_ERROR, UNRECORDED) : `${messageText(message)}\n`;
    const key = message.kind === 'request' ? keyOf(message) : undefined;
    const pending = key === undefined ? undefined : fromClient.take(key);
    if (pending === undefined) continue;
    const denial = pending.deny?.(reviewer.refusal('audit_unavailable'));
    back += denial === undefined ? failureOf(pending, UNRECORDED) : answerFor(pending, denial);
  }
  if (line !== '') return { kind: 'replace', line, reply: back };
  return back === '' ? DROP : { kind: 'reply', line: back };
}

/**
 * Handles a server's unrecorded messages: its requests are answered, and an answer that may ask the client for something becomes an error.
 */
export function refuseUnrecorded({ fromServer }: Connection, { onward, reply }: Unrecorded): Verdict {
  let line = '';
  let back = reply;
  for (const { isBatch, messages } of onward) {
    const answers: string[] = [];
    for (const message of messages) {
      const key = keyOf(message);
      const error = errorLine(idText(message), INTERNAL_ERROR, UNRECORDED);
      const mayAsk = message.inputRequests !== undefined || message.error !== undefined;
      if (message.kind === 'response') answers.push(mayAsk ? error.trimEnd() : messageText(message));
      else if (message.kind === 'request' && key !== undefined && fromServer.take(key) !== undefined) back += error;
    }
    if (answers.length > 0) line += isBatch ? `[${answers.join(',')}]\n` : `${answers.join('')}\n`;
  }
  return { kind: 'replace', line, reply: back };
}

function answerFor({ isCancelled, batch, key }: PendingRequest, answer: string): string {
  if (isCancelled) return '';
  return batch === undefined ? answer : (batch.settle(key, answer) ?? '');
}

/**
 * Sends the answer to whoever waits: by itself, or within the one answer to its batch.
 *
 * @param text the answer, if it goes into that of a batch
 * @param instead the line that takes its place
 */
export function deliver(
  { fromClient, waitingAnswers }: Pick<Connection, 'fromClient' | 'waitingAnswers'>,
  pending: PendingRequest,
  text: string | undefined,
  instead?: string,
): Verdict {
  // While a person was asked, another answer may have come, or the server may have ended.
  if (fromClient.get(pending.key) !== pending) return DROP;
  fromClient.take(pending.key);
  if (waitingAnswers.size > 0) waitingAnswers.get(pending)?.abort();
  if (pending.isCancelled) return DROP;
  if (pending.batch === undefined) return instead === undefined ? FORWARD : { kind: 'replace', line: instead };
  const whole = pending.batch.settle(pending.key, instead ?? text);
  return whole === undefined ? DROP : { kind: 'replace', line: whole };
}

/** The answer as text if it goes into the one answer to a batch. */
export function batchText(message: Message, { batch }: PendingRequest): string | undefined {
  return batch === undefined ? undefined : messageText(message);
}
