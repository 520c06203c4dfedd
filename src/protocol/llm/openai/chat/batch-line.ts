import { holdsCallWords, withoutEscapes } from '../../call-words.ts';
import type { CallVerdict, ModelCall } from '../../dialect.ts';
import { isObject } from '../../json-object.ts';
import { findAnswerCalls, rewriteAnswer } from './buffered.ts';

/** Where a line of a batch's results has its answer. */
const ANSWER = ['response', 'body'];

/** What an answer with calls has in it, in the words of this API or of another one of OpenAI's. */
const ANSWER_WORDS = /"(?:choices|output)"/;
const CALL_WORDS = /"(?:tool_calls|function_call|custom_tool_call)"/;

/**
 * The calls in one line of a file: of a batch's results, which are JSON Lines with a whole answer each. A line that is not JSON is no answer, unless it looks
 * like one: there are readers that know numbers like `-Infinity`, drop a byte order mark, or end a line at a carriage return.
 *
 * @param line without its line end
 * @returns what is wrong, where readers may differ on what the calls are, or the answer is in another API's words
 */
export function findLineCalls(line: string): readonly ModelCall[] | string {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    const plain = withoutEscapes(line);
    return ANSWER_WORDS.test(plain) && CALL_WORDS.test(plain) ? 'it is not JSON to all readers' : [];
  }
  const { response, ...others } = isObject(value) ? value : {};
  if ('custom_id' in others && holdsCallWords(others)) return 'a call is where none is expected';
  const body = isObject(response) ? response['body'] : undefined;
  if (!isObject(body) && holdsCallWords(response)) return 'a call is where none is expected';
  if (isObject(body) && 'output' in body) return 'it is an answer of another API';
  return findAnswerCalls(line, ANSWER);
}

/** The line with what was denied replaced by notes. @param verdicts one for each call that was found in it */
export function rewriteLine(line: string, verdicts: readonly CallVerdict[]): string {
  return rewriteAnswer(line, verdicts, ANSWER);
}
