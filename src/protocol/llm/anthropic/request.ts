import { elementsOf, membersOf, wholeOf } from '../json-text.ts';
import { isObject, type JsonObject, textOf, objectsIn } from '../json-object.ts';
import type { AnswerRequest } from '../model-api.ts';
import { addedTools, readTools } from './request-tools.ts';
import { hasVariantKey, knownKeys } from '../variant-key.ts';
import { urlWithoutSecrets } from '../url-without-secrets.ts';
import { hasOtherThanList, readRequestBody } from '../read-request-body.ts';

const REQUEST_KEYS = knownKeys(['model', 'stream', 'tools', 'mcp_servers', 'messages', 'thread', 'system']);

/**
 * Reads a request for a message, in time linear in its length. No secret in it is kept.
 *
 * @param text the body, decoded
 * @returns what is wrong, where readers may differ on it
 */
export function readRequest(text: string): AnswerRequest | string {
  const body = readRequestBody(text);
  if (typeof body === 'string') return body;
  if (hasVariantKey(body, REQUEST_KEYS)) return 'the request has a key that some readers take for another';
  if (hasOtherThanList(body, ['tools', 'mcp_servers'])) return 'the request has tools or servers that are no list';
  const { thread } = body;
  const members = membersOf(text, wholeOf(text));
  const blocks = blocksIn(body['messages']);
  // Few conversations have any, and all of them are long.
  const isAdding = blocks.some(({ type, tool_changes: changes }) => type === 'tool_addition' || changes !== undefined);
  const added = isAdding ? addedTools(text, members?.get('messages')) : [];
  const offered = [...(elementsOf(text, members?.get('tools')) ?? []), ...added.map(({ definition }) => definition)];
  return {
    tools: offered.flatMap((span) => readTools(text, span)),
    mcpServers: objectsIn(body['mcp_servers']).map((server) => ({
      name: textOf(server['name']),
      url: urlWithoutSecrets(textOf(server['url'])),
      allowed: allowedTools(server['tool_configuration']),
    })),
    results: blocks.filter(({ type }) => type === 'tool_result').map((block) => ({ id: textOf(block['tool_use_id']) })),
    previousAnswer: isObject(thread) ? textOf(thread['previous_message_id']) || undefined : undefined,
  };
}

/** Tools that a server is restricted to in the older form of the request. */
function allowedTools(configuration: unknown): readonly string[] {
  const allowed = isObject(configuration) ? configuration['allowed_tools'] : undefined;
  return Array.isArray(allowed) ? allowed.filter((name) => typeof name === 'string') : [];
}

function blocksIn(messages: unknown): readonly JsonObject[] {
  return objectsIn(messages).flatMap((message) => objectsIn(message['content']));
}
