import { MOST_ELEMENTS, readBatch, readMessage } from '../../protocol/jsonrpc.ts';
import type { Message } from '../../protocol/message.ts';
import type { Connection } from '../connection.ts';
import type { BatchAnswer, PendingRequests } from './pending.ts';
import type { Verdict } from '../verdict.ts';
import type { IdKey } from './id-key.ts';
import { keyOf, messageText } from './message-parts.ts';

/** The only revision that has batches. */
const BATCH_REVISION = '2025-03-26';

/**
 * Joins the verdicts on a batch's messages: allowed messages go on, each as a line of its own, and the replies go back.
 *
 * @param gathered `pending` has the requests of the batch that may go on; `answer` collects the replies to a client's batch into one line,
 * and is undefined for a server's
 */
export function collectBatch(
  messages: readonly Message[],
  verdicts: readonly (Verdict | Promise<Verdict>)[],
  gathered: Gathered,
): Verdict | Promise<Verdict> {
  const isSettled = (verdict: Verdict | Promise<Verdict>): verdict is Verdict => !(verdict instanceof Promise);
  // Read now: the messages' bytes are freed while a person is asked.
  const parts = messages.map((message) => ({
    text: messageText(message),
    key: message.kind === 'request' ? keyOf(message) : undefined,
  }));
  const collect = (settled: readonly Verdict[]): Verdict => collectSettled(parts, settled, gathered);
  return verdicts.every(isSettled) ? collect(verdicts) : Promise.all(verdicts).then(collect);
}

export interface Gathered {
  readonly pending: PendingRequests;
  readonly answer: BatchAnswer | undefined;
}

/** A message of a batch: its text, and the key of its id if it is a request. */
interface Part {
  readonly text: string;
  readonly key: IdKey | undefined;
}

function collectSettled(parts: readonly Part[], verdicts: readonly Verdict[], gathered: Gathered): Verdict {
  const { answer } = gathered;
  let line = '';
  let reply = '';
  let namesRecords = false;
  for (const [index, { text, key }] of parts.entries()) {
    const verdict = verdicts[index] as Verdict;
    if (verdict.kind === 'forward' && isStillWanted(key, gathered)) line += `${text}\n`;
    // The client's own message may have been edited; what replaces a server's has to go on.
    if (verdict.kind === 'replace' && (answer === undefined || isStillWanted(key, gathered))) {
      line += verdict.line;
      reply += verdict.reply ?? '';
    }
    const own = verdict.kind === 'reply' ? verdict.line : undefined;
    const isAnswered = verdict.kind === 'reply' || verdict.kind === 'drop';
    const unrecorded = verdict.kind === 'reply' ? verdict.unrecorded : undefined;
    namesRecords ||= unrecorded !== undefined;
    if (answer !== undefined && key !== undefined && isAnswered) reply += answer.settle(key, own, unrecorded) ?? '';
    else reply += own ?? '';
  }
  if (answer !== undefined) answer.isSent = true;
  if (answer === undefined || !namesRecords) return { kind: 'replace', line, reply };
  return { kind: 'replace', line, reply, unrecorded: () => answer.lose() ?? '' };
}

/** Tells whether a request still goes on: it may have been cancelled or answered while a person was asked about its neighbour. */
function isStillWanted(key: IdKey | undefined, { pending, answer }: Gathered): boolean {
  if (key === undefined) return true;
  const request = pending.get(key);
  if (request === undefined || request.batch !== answer) return false;
  if (request.isCancelled) pending.take(key);
  return !request.isCancelled;
}

/** The messages of a batch; undefined if batches are not allowed, or it is malformed. */
export function batchElements({ revision, scanner }: Connection, { bytes, start, end }: Message): Message[] | undefined {
  if (revision !== BATCH_REVISION) return undefined;
  const spans = readBatch(scanner, bytes, start, end);
  return spans?.map((span) => readMessage(scanner, bytes, span.start, span.end));
}

/** The reason why a batch was refused. */
export function batchProblem({ revision }: Connection): string {
  return revision === BATCH_REVISION ? `not a batch of 1 to ${MOST_ELEMENTS} messages` : 'batches are not accepted';
}
