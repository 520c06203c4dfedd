import { elementsOf, membersOf, type TextSpan, wholeOf } from '../json-text.ts';
import { isObject, type JsonObject, textOf, objectsIn } from '../json-object.ts';
import type { AnswerRequest } from '../model-api.ts';
import { addedTool, readTools } from './request-tools.ts';
import { hasVariantKey, knownKeys } from '../variant-key.ts';
import { urlWithoutSecrets } from '../url-without-secrets.ts';
import { readRequestBody } from '../read-request-body.ts';

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
  const { thread } = body;
  const members = membersOf(text, wholeOf(text));
  const offered = [...(elementsOf(text, members?.get('tools')) ?? []), ...addedTools(text, members?.get('messages'))];
  return {
    tools: offered.flatMap((span) => readTools(text, span)),
    mcpServers: objectsIn(body['mcp_servers']).map((server) => ({
      name: textOf(server['name']),
      url: urlWithoutSecrets(textOf(server['url'])),
      allowed: allowedTools(server['tool_configuration']),
    })),
    results: blocksIn(body['messages'])
      .filter(({ type }) => type === 'tool_result')
      .map((block) => ({ id: textOf(block['tool_use_id']) })),
    previousAnswer: isObject(thread) ? textOf(thread['previous_message_id']) || undefined : undefined,
  };
}

/** Tools that a server is restricted to in the older form of the request. */
function allowedTools(configuration: unknown): readonly string[] {
  const allowed = isObject(configuration) ? configuration['allowed_tools'] : undefined;
  return Array.isArray(allowed) ? allowed.filter((name) => typeof name === 'string') : [];
}

/** Where the definitions lie that messages add to the tools. */
function addedTools(text: string, messages: TextSpan | undefined): readonly TextSpan[] {
  // Few conversations have any, and all of them are long.
  if (!text.includes('tool_addition')) return [];
  return (elementsOf(text, messages) ?? [])
    .flatMap((message) => elementsOf(text, membersOf(text, message)?.get('content')) ?? [])
    .flatMap((block) => addedTool(text, block) ?? []);
}

function blocksIn(messages: unknown): readonly JsonObject[] {
  return objectsIn(messages).flatMap((message) => objectsIn(message['content']));
}
