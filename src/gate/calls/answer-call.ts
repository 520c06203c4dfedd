import type { Call } from '../../core/call.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../core/json.ts';
import type { Message } from '../../protocol/message.ts';

/** Member of a request's params with answers to what its server asked for before (MCP 2026-07-28). */
export const INPUT_RESPONSES = 'inputResponses';

const ANSWER = ' (answer)';

/** Fewest bytes of an answer with a secret: the member's name and a few characters. */
const SHORTEST = 12;

/** Tells whether an answer of the client's may have a secret: most say nothing, such as those to pings. */
export function saysSomething({ result, error }: Pick<Message, 'result' | 'error'>): boolean {
  const span = result ?? error;
  return span !== undefined && span.end - span.start >= SHORTEST;
}

/**
 * The client's answer to its server as a call, so that what leaves in it is searched like arguments. Its method shows in events and questions.
 *
 * @param method of the request that it answers, or that carries it
 */
export function toAnswerCall(server: string, method: string, answer: JsonValue): Call {
  const call = { method: `${method}${ANSWER}`, server, isAnswer: true } as const;
  // An answer that is no object is invalid, and can only be refused.
  return isJsonObject(answer) ? { ...call, args: answer } : { ...call, args: { answer }, isUneditable: true };
}

/** The answers that a request carries; undefined if it has none. */
export function carriedAnswers(server: string, method: string, params: JsonObject): Call | undefined {
  const answers = params[INPUT_RESPONSES];
  return answers === undefined ? undefined : toAnswerCall(server, method, answers);
}

/** Tells whether the method of a record is that of an answer. */
export function isAnswerMethod(method: string): boolean {
  return method.endsWith(ANSWER);
}
