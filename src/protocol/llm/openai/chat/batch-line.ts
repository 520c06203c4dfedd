import type { CallVerdict, ModelCall } from '../../dialect.ts';
import { isObject } from '../../json-object.ts';
import { findAnswerCalls, rewriteAnswer } from './buffered.ts';

/** Where a line of a batch's results has its answer. */
const ANSWER = ['response', 'body'];

/**
 * The calls in one line of a file: of a batch's results, which are JSON Lines with a whole answer each. A line that is not JSON is no answer.
 *
 * @param line without its line end
 * @returns what is wrong, where readers may differ on what the calls are, or the answer is in another API's words
 */
export function findLineCalls(line: string): readonly ModelCall[] | string {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return [];
  }
  const response = isObject(value) ? value['response'] : undefined;
  const body = isObject(response) ? response['body'] : undefined;
  if (isObject(body) && 'output' in body) return 'it is an answer of another API';
  return findAnswerCalls(line, ANSWER);
}

/** The line with what was denied replaced by notes. @param verdicts one for each call that was found in it */
export function rewriteLine(line: string, verdicts: readonly CallVerdict[]): string {
  return rewriteAnswer(line, verdicts, ANSWER);
}
