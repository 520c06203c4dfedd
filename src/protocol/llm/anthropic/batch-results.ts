import type { CallVerdict, ModelCall } from '../dialect.ts';
import { findMessageCalls, rewriteMessage } from './buffered.ts';

/** Where a line of a batch's results has its message. */
const MESSAGE = ['result', 'message'];

/**
 * The calls in one line of a batch's results (JSON Lines; each line has a whole message, or tells why there is none).
 *
 * @param line without its line end
 * @returns what is wrong, where readers may differ on what the calls are
 */
export function findBatchResultCalls(line: string): readonly ModelCall[] | string {
  return findMessageCalls(line, MESSAGE);
}

/** The line with what was denied replaced by notes. @param verdicts one for each call that was found in it */
export function rewriteBatchResult(line: string, verdicts: readonly CallVerdict[]): string {
  return rewriteMessage(line, verdicts, MESSAGE);
}
