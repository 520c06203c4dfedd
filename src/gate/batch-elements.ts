import { MOST_ELEMENTS, readBatch, readMessage } from '../protocol/jsonrpc.ts';
import type { Message } from '../protocol/message.ts';
import type { Connection } from './connection.ts';

/** The one revision that has batches. */
const BATCH_REVISION = '2025-03-26';

/** The messages of a batch; undefined where there may be none, or it is malformed. */
export function batchElements({ revision, scanner }: Connection, { bytes, start, end }: Message): Message[] | undefined {
  if (revision !== BATCH_REVISION) return undefined;
  const spans = readBatch(scanner, bytes, start, end);
  return spans?.map((span) => readMessage(scanner, bytes, span.start, span.end));
}

/** What is wrong with a batch that has no such messages. */
export function batchProblem({ revision }: Connection): string {
  return revision === BATCH_REVISION ? `not a batch of 1 to ${MOST_ELEMENTS} messages` : 'batches are not accepted';
}
