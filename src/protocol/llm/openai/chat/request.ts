import { isObject, type JsonObject, textOf, objectsIn } from '../../json-object.ts';
import { elementsOf, membersOf, type TextSpan, wholeOf } from '../../json-text.ts';
import type { AnswerRequest, ResultOfCall } from '../../model-api.ts';
import { hasVariantKey, knownKeys } from '../../variant-key.ts';
import { isServerEntry, SEARCH_MEMBERS, SEARCH_TOOL, toMcpServer, toOfferedTool } from './request-tools.ts';
import { hasOtherThanList, readRequestBody } from '../../read-request-body.ts';

const REQUEST_KEYS = knownKeys(['model', 'stream', 'tools', 'functions', 'messages', ...SEARCH_MEMBERS]);

const ENTRY_KEYS = knownKeys(['type', 'name', 'function', 'custom', 'server_label', 'server_url', 'allowed_tools']);

const MESSAGE_KEYS = knownKeys(['role', 'content', 'tool_calls', 'function_call', 'tool_call_id']);

/** Roles of messages that tell what calls came to. */
const RESULT_ROLES: ReadonlySet<unknown> = new Set(['tool', 'function']);

/**
 * Reads a request for a completion, in time linear in its length. No secret in it is kept.
 *
 * @param text the body, decoded
 * @returns what is wrong, where readers may differ on it
 */
export function readChatRequest(text: string): AnswerRequest | string {
  const body = readRequestBody(text);
  if (typeof body === 'string') return body;
  if (hasOtherThanList(body, ['tools', 'functions'])) return 'the request has tools that are no list';
  const members = membersOf(text, wholeOf(text));
  const tools = entriesIn(text, members?.get('tools'));
  const functions = entriesIn(text, members?.get('functions'));
  const messages = objectsIn(body['messages']);
  const isUnclear =
    hasVariantKey(body, REQUEST_KEYS) ||
    [...tools, ...functions].some(({ entry }) => hasVariantKey(entry, ENTRY_KEYS)) ||
    messages.some((message) => hasVariantKey(message, MESSAGE_KEYS));
  if (isUnclear) return 'the request has a key that some readers take for another';
  const hasSearch = SEARCH_MEMBERS.some((member) => (body[member] ?? null) !== null);
  return {
    tools: [
      ...tools
        .filter(({ entry }) => !isServerEntry(entry))
        .map(({ entry, source }) => ({ ...toOfferedTool(entry), definition: source })),
      ...functions.map(({ entry, source }) => ({ ...toOfferedTool(entry, true), definition: source })),
      ...(hasSearch ? [{ name: SEARCH_TOOL, type: SEARCH_TOOL, group: undefined }] : []),
    ],
    mcpServers: tools.filter(({ entry }) => isServerEntry(entry)).map(({ entry }) => toMcpServer(entry)),
    results: readResults(messages),
    // The provider remembers no conversation.
    previousAnswer: undefined,
  };
}

/** In the older form, a message makes one call, which has no id, and the next one is its result. */
function readResults(messages: readonly JsonObject[]): readonly ResultOfCall[] {
  const results: ResultOfCall[] = [];
  let call: ResultOfCall['call'];
  for (const message of messages) {
    const made = message['function_call'];
    if (isObject(made)) call = { name: textOf(made['name']), args: textOf(made['arguments']) };
    if (!RESULT_ROLES.has(message['role'])) continue;
    const id = textOf(message['tool_call_id']);
    results.push(id === '' ? { id, call } : { id });
    call = undefined;
  }
  return results;
}

/** The objects in an array, with their source texts. */
function entriesIn(
  text: string,
  array: TextSpan | undefined,
): readonly { readonly entry: JsonObject; readonly source: string }[] {
  const elements = elementsOf(text, array) ?? [];
  return elements.flatMap(({ start, end }) => {
    const source = text.slice(start, end);
    const entry: unknown = JSON.parse(source);
    return isObject(entry) ? [{ entry, source }] : [];
  });
}
