import { hasVariantKey, isObject, type JsonObject, knownKeys, objectsIn, textOf } from '../../json-object.ts';
import { elementsOf, membersOf, type TextSpan, wholeOf } from '../../json-text.ts';
import type { AnswerRequest, OfferedTool, ResultOfCall } from '../../model-api.ts';
import { hasOtherThanList, readRequestBody, urlWithoutSecrets } from '../../read-request.ts';
import { saidMembers } from '../../said/said-texts.ts';

/** Types of tools that the client runs. All others are the provider's own, whoever the provider is. */
const CLIENT_TYPES: ReadonlySet<string> = new Set(['function', 'custom']);

/** Members that make the provider search the web by itself: OpenAI's, and those of other providers of its API. */
export const SEARCH_MEMBERS = ['web_search_options', 'search_parameters'];

/** The name of web search in policies. */
export const SEARCH_TOOL = 'web_search';

const REQUEST_KEYS = knownKeys(['model', 'stream', 'tools', 'functions', 'messages', ...SEARCH_MEMBERS]);

const ENTRY_KEYS = knownKeys(['type', 'name', 'function', 'custom', 'server_label', 'server_url', 'allowed_tools']);

const MESSAGE_KEYS = knownKeys(['role', 'content', 'tool_calls', 'function_call', 'tool_call_id']);

/** Roles of messages with results of calls. */
const RESULT_ROLES: ReadonlySet<unknown> = new Set(['tool', 'function']);

/**
 * Reads a request for a completion, in time linear in its length. It keeps no secrets.
 *
 * @param text the body, decoded
 * @returns a description of the fault if readers may differ on it
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
    // The provider stores no conversation.
    previousAnswer: undefined,
    said: saidMembers(body, 'chat'),
  };
}

/** Reads the results of calls. In the older form, a message makes one call, which has no id, and the next result is its. */
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

/** Returns the objects in an array, with their source texts. */
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

/** Returns the tool that an entry of `tools` or `functions` offers. @param legacy an entry of `functions` */
export function toOfferedTool(entry: JsonObject, legacy = false): OfferedTool {
  const { type = 'function' } = entry;
  const kind = legacy ? 'function' : textOf(type);
  const inner = legacy ? undefined : entry[kind];
  const name = (isObject(inner) ? textOf(inner['name']) : '') || textOf(entry['name']);
  return { name: name === '' && !CLIENT_TYPES.has(kind) ? kind : name, type: kind, group: undefined };
}

/** Tells whether the provider itself runs this tool of a request. */
export function isProviderTool({ type }: Pick<OfferedTool, 'type'>): boolean {
  return !CLIENT_TYPES.has(type);
}

/** Tells whether an entry of `tools` is an MCP server that the provider calls. */
export function isServerEntry(entry: JsonObject): boolean {
  return entry['type'] === 'mcp';
}

/** Returns the MCP server of such an entry. Its URL is without possible secrets: user, query, fragment. */
export function toMcpServer(entry: JsonObject): AnswerRequest['mcpServers'][number] {
  const { allowed_tools: allowed } = entry;
  const names: unknown = isObject(allowed) ? allowed['tool_names'] : allowed;
  return {
    name: textOf(entry['server_label']),
    url: urlWithoutSecrets(textOf(entry['server_url'])),
    allowed: Array.isArray(names) ? names.filter((name) => typeof name === 'string') : [],
  };
}
