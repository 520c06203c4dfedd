import { holdsCallWords, withoutEscapes } from '../calls.ts';
import type { CallVerdict, ModelCall } from '../dialect.ts';
import { isObject, type JsonObject } from '../json-object.ts';
import { findAnswerCalls, rewriteAnswer } from './chat/buffered.ts';
import { findResponseCalls, rewriteResponse } from './responses/buffered.ts';

/** The path of the answer in a line of a batch's results. */
const ANSWER = ['response', 'body'];

/** Match the words of an answer with calls, in any of OpenAI's APIs. */
const ANSWER_WORDS = /"(?:choices|output)"/;
const CALL_WORDS = /"(?:tool_calls|[a-z_]+_call|mcp_approval_request)"/;

/**
 * Finds the calls in one line of a file: a batch's results are JSON Lines with a whole answer each. A line that is not JSON is not an
 * answer, unless it looks like one: some readers accept numbers like `-Infinity`, drop a byte order mark, or end a line at a carriage
 * return.
 *
 * @param line without its line end
 * @returns a description of the fault if readers may differ on the calls
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
  return isOfResponses(body) ? findResponseCalls(line, ANSWER) : findAnswerCalls(line, ANSWER);
}

/** Replaces denied calls in the line by notes. @param verdicts one for each call found in it */
export function rewriteLine(line: string, verdicts: readonly CallVerdict[]): string {
  const value: unknown = JSON.parse(line);
  const response = isObject(value) ? value['response'] : undefined;
  const body = isObject(response) ? response['body'] : undefined;
  return isOfResponses(body) ? rewriteResponse(line, verdicts, ANSWER) : rewriteAnswer(line, verdicts, ANSWER);
}

/** Tells whether an answer is one of the Responses API. */
function isOfResponses(body: unknown): body is JsonObject {
  return isObject(body) && 'output' in body;
}
