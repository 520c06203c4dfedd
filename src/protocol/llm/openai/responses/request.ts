import { hasVariantKey, isObject, type JsonObject, knownKeys, objectsIn, textOf } from '../../json-object.ts';
import { elementsOf, membersOf, stringOf, type TextSpan, wholeOf } from '../../json-text.ts';
import type { AnswerRequest, OfferedTool } from '../../model-api.ts';
import { hasOtherThanList, readRequestBody, urlWithoutSecrets } from '../../read-request.ts';
import { isServerEntry, toMcpServer } from '../chat/request.ts';
import { resultOf, runnerOfShell } from './call-kinds.ts';
import { saidMembers } from '../../said/said-texts.ts';

/** Types of tools that the client runs. All others are the provider's own, whoever the provider is. */
const CLIENT_TYPES: ReadonlySet<string> = new Set([
  'apply_patch',
  'computer',
  'computer_use',
  'computer_use_preview',
  'custom',
  'function',
  'local_shell',
  'namespace',
  'shell',
]);

/** The type by which tools are known whose commands run in a container of the provider. */
const CONTAINER_SHELL = 'container_shell';

/** Types of items that add tools to those of the request. */
const ADDING: ReadonlySet<unknown> = new Set(['additional_tools', 'tool_search_output']);

/** Members of a definition that do not define the tool. */
const NOT_DEFINING = new Set(['defer_loading']);

const REQUEST_KEYS = knownKeys([
  'model',
  'stream',
  'tools',
  'tool_choice',
  'input',
  'instructions',
  'previous_response_id',
  'conversation',
  'background',
  'prompt',
  'store',
]);

const TOOL_KEYS = knownKeys([
  'type',
  'name',
  'tools',
  'environment',
  'execution',
  'server_label',
  'server_url',
  'connector_id',
  'allowed_tools',
  'require_approval',
]);

const ITEM_KEYS = knownKeys([
  'type',
  'role',
  'id',
  'call_id',
  'content',
  'output',
  'tools',
  'approval_request_id',
  'approve',
  'text',
]);

/** A list of tools in a request: its own, or one that an item of its input adds. */
export interface ToolList {
  readonly list: TextSpan;
  readonly elements: readonly TextSpan[];
}

/**
 * Reads a request for an answer, in time linear in its length. It keeps no secrets.
 *
 * @param text the body, decoded
 * @returns a description of the fault if readers may differ on it
 */
export function readResponsesRequest(text: string): AnswerRequest | string {
  const body = readRequestBody(text);
  if (typeof body === 'string') return body;
  if (hasOtherThanList(body, ['tools'])) return 'the request has tools that are no list';
  const { input = null, conversation = null, previous_response_id: previous = null } = body;
  if (input !== null && typeof input !== 'string' && !Array.isArray(input)) return 'the request has an input that cannot be read';
  const items = objectsIn(input);
  if (items.some((item) => ADDING.has(item['type']) && hasOtherThanList(item, ['tools'])))
    return 'the request has tools that are no list';
  const offered = toolLists(text).flatMap(({ elements }) =>
    elements.map((span) => ({ entry: objectAt(text, span), source: definitionOf(text, span) })),
  );
  const entries = offered.flatMap(({ entry }) => [entry, ...objectsIn(entry['tools'])]);
  const isUnclear =
    hasVariantKey(body, REQUEST_KEYS) ||
    entries.some((entry) => hasVariantKey(entry, TOOL_KEYS)) ||
    items.some((item) => hasVariantKey(item, ITEM_KEYS));
  if (isUnclear) return 'the request has a key that some readers take for another';
  const stored = isObject(conversation) ? conversation['id'] : conversation;
  if (![stored, previous].every((id) => id === null || typeof id === 'string'))
    return 'the request continues what cannot be read';
  return {
    tools: offered.filter(({ entry }) => !isServerEntry(entry)).flatMap(({ entry, source }) => toOfferedTools(entry, source)),
    mcpServers: offered.filter(({ entry }) => isServerEntry(entry)).map(({ entry }) => toServer(entry)),
    results: items.flatMap((item) => readResult(item)),
    previousAnswer: textOf(stored) || textOf(previous) || undefined,
    isConversation: textOf(stored) !== '',
    said: saidMembers(body, 'responses'),
  };
}

/** Tells whether the provider itself runs this tool of a request. */
export function isProviderTool({ type }: Pick<OfferedTool, 'type'>): boolean {
  return !CLIENT_TYPES.has(type);
}

/** Returns the lists of tools in a request. */
export function toolLists(text: string): readonly ToolList[] {
  const body = membersOf(text, wholeOf(text));
  const items = elementsOf(text, body?.get('input')) ?? [];
  const added = items.map((item) => membersOf(text, item)).filter((item) => ADDING.has(stringOf(text, item?.get('type'))));
  return [body, ...added].flatMap((object) => {
    const list = object?.get('tools');
    const elements = elementsOf(text, list);
    return list === undefined || elements === undefined ? [] : [{ list, elements }];
  });
}

/** Returns the tools that an entry offers: one, or all of a namespace. @param source text of its definition */
export function toOfferedTools(entry: JsonObject, source?: string): readonly OfferedTool[] {
  const type = textOf(entry['type'] ?? 'function');
  if (type === 'namespace') {
    const group = textOf(entry['name']);
    return objectsIn(entry['tools']).map((tool) => ({
      name: textOf(tool['name']),
      type: textOf(tool['type'] ?? 'function'),
      group,
      definition: JSON.stringify(tool),
    }));
  }
  const name = textOf(entry['name']);
  if (type === 'function' || type === 'custom') return [{ name, type, group: undefined, definition: source }];
  if (type === 'shell') {
    const isHosted = runnerOfShell(entry) === 'provider';
    return [{ name: 'shell', type: isHosted ? CONTAINER_SHELL : type, group: undefined, definition: source }];
  }
  // A search that the client runs is a tool of its own.
  const kind = type === 'tool_search' && entry['execution'] === 'client' ? 'function' : type;
  return [{ name: toolOfType(type), type: kind, group: undefined, definition: source }];
}

/** Returns the name in policies of a tool that has only a type: some types have a version at their end. */
export function toolOfType(type: string): string {
  if (type.startsWith('web_search')) return 'web_search';
  return type.startsWith('computer') ? 'computer' : type;
}

function toServer(entry: JsonObject): AnswerRequest['mcpServers'][number] {
  const { url, ...server } = toMcpServer(entry);
  return { ...server, url: url === '' ? urlWithoutSecrets(textOf(entry['connector_id'])) : url };
}

/** Reads the result of a call. The consent to a call of the provider counts: the provider makes it then. */
function readResult(item: JsonObject): AnswerRequest['results'] {
  const id = resultOf(item);
  return id === undefined || (item['type'] === 'mcp_approval_response' && item['approve'] === false) ? [] : [{ id }];
}

function objectAt(text: string, { start, end }: TextSpan): JsonObject {
  const value: unknown = JSON.parse(text.slice(start, end));
  return isObject(value) ? value : {};
}

function definitionOf(text: string, span: TextSpan): string {
  const members = [...(membersOf(text, span) ?? [])].filter(([key]) => !NOT_DEFINING.has(key));
  return `{${members.map(([key, value]) => `${JSON.stringify(key)}:${text.slice(value.start, value.end)}`).join(',')}}`;
}
