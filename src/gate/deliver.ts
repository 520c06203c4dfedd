import type { Message } from '../protocol/message.ts';
import type { Connection } from './connection.ts';
import { messageText } from './message-parts.ts';
import type { PendingRequest } from './pending.ts';
import { DROP, FORWARD, type Verdict } from './verdict.ts';

/**
 * The answer goes to whoever waits: by itself, or within the one answer to its batch.
 *
 * @param text the answer, where it goes into that of a batch
 * @param instead the line that takes its place
 */
export function deliver(
  { fromClient, waitingAnswers }: Pick<Connection, 'fromClient' | 'waitingAnswers'>,
  pending: PendingRequest,
  text: string | undefined,
  instead?: string,
): Verdict {
  // While somebody was asked, another answer may have come, or the end of the server.
  if (fromClient.get(pending.key) !== pending) return DROP;
  fromClient.take(pending.key);
  if (waitingAnswers.size > 0) waitingAnswers.get(pending)?.abort();
  if (pending.isCancelled) return DROP;
  if (pending.batch === undefined) return instead === undefined ? FORWARD : { kind: 'replace', line: instead };
  const whole = pending.batch.settle(pending.key, instead ?? text);
  return whole === undefined ? DROP : { kind: 'replace', line: whole };
}

/** The answer as text, where it goes into the one answer to a batch. */
export function batchText(message: Message, { batch }: PendingRequest): string | undefined {
  return batch === undefined ? undefined : messageText(message);
}
