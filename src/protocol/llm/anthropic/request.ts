import { elementsOf, findKeyProblem, membersOf, type TextSpan, wholeOf } from '../json-text.ts';
import { isObject, type JsonObject, textOf, objectsIn } from '../json-object.ts';
import { addedTool, readTools, type RequestTool } from './request-tools.ts';
import { hasVariantKey, knownKeys } from '../variant-key.ts';
import { urlWithoutSecrets } from '../url-without-secrets.ts';

export interface ModelRequest {
  readonly model: string | undefined;
  readonly isStream: boolean;
  readonly tools: readonly RequestTool[];
  /** MCP servers that the provider is to call, and the tools that they are restricted to, if so. The URL is without what may be a secret: user, query, fragment. */
  readonly mcpServers: readonly { readonly name: string; readonly url: string; readonly allowed: readonly string[] }[];
  /** What the client says that calls came to. */
  readonly results: readonly { readonly id: string; readonly isError: boolean }[];
  /** The provider remembers the conversation: from now on, or since an earlier message. */
  readonly usesThread: 'create' | 'continue' | undefined;
  /** The message that it goes on from. */
  readonly previousAnswer: string | undefined;
}

const REQUEST_KEYS = knownKeys(['model', 'stream', 'tools', 'mcp_servers', 'messages', 'thread', 'system']);

/**
 * Reads a request for a message, in time linear in its length. No secret in it is kept.
 *
 * @param text the body, decoded
 * @returns what is wrong, where readers may differ on it
 */
export function readRequest(text: string): ModelRequest | string {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return 'the request is not JSON';
  }
  if (!isObject(body)) return 'the request is no object';
  const problem = findKeyProblem(text);
  if (problem === 'too_deep') return 'the request is nested too deeply';
  if (problem !== undefined) return 'a key occurs twice in the request';
  if (hasVariantKey(body, REQUEST_KEYS)) return 'the request has a key that some readers take for another';
  const { model, thread } = body;
  const members = membersOf(text, wholeOf(text));
  const offered = [...(elementsOf(text, members?.get('tools')) ?? []), ...addedTools(text, members?.get('messages'))];
  return {
    model: typeof model === 'string' ? model : undefined,
    isStream: body['stream'] === true,
    tools: offered.flatMap((span) => readTools(text, span)),
    mcpServers: objectsIn(body['mcp_servers']).map((server) => ({
      name: textOf(server['name']),
      url: urlWithoutSecrets(textOf(server['url'])),
      allowed: allowedTools(server['tool_configuration']),
    })),
    results: blocksIn(body['messages'])
      .filter(({ type }) => type === 'tool_result')
      .map((block) => ({ id: textOf(block['tool_use_id']), isError: block['is_error'] === true })),
    usesThread: threadOf(thread),
    previousAnswer: isObject(thread) ? textOf(thread['previous_message_id']) || undefined : undefined,
  };
}

/** Tools that a server is restricted to in the older form of the request. */
function allowedTools(configuration: unknown): readonly string[] {
  const allowed = isObject(configuration) ? configuration['allowed_tools'] : undefined;
  return Array.isArray(allowed) ? allowed.filter((name) => typeof name === 'string') : [];
}

function threadOf(thread: unknown): ModelRequest['usesThread'] {
  const type = isObject(thread) ? thread['type'] : undefined;
  return type === 'create' || type === 'continue' ? type : undefined;
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
