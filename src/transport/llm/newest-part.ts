import type { JsonObject, JsonValue } from '../../core/json.ts';

/** Members in which APIs have the conversation, oldest first. */
const CONVERSATIONS = ['messages', 'input', 'contents'] as const;

/**
 * A request with its conversation first, and of that the newest part: each request says again what those before it have said.
 *
 * @param most characters of it, as JSON; the newest message stays in any case
 */
export function newestPart(request: JsonObject, most: number): JsonObject {
  const name = CONVERSATIONS.find((known) => Array.isArray(request[known]));
  if (name === undefined) return request;
  const { [name]: conversation, ...others } = request;
  const messages = conversation as readonly JsonValue[];
  let from = messages.length;
  for (let length = 0; from > 0; from -= 1) {
    length += JSON.stringify(messages[from - 1] ?? null).length;
    if (length > most && from < messages.length) break;
  }
  const left = from === 0 ? messages : [`…(${from} earlier)`, ...messages.slice(from)];
  return { [name]: left, ...others };
}
