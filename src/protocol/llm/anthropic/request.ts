import { hasVariantKey, isObject, type JsonObject, knownKeys, objectsIn, textOf } from '../json-object.ts';
import { elementsOf, membersOf, stringOf, type TextSpan, wholeOf } from '../json-text.ts';
import type { AnswerRequest, OfferedTool } from '../model-api.ts';
import { hasOtherThanList, readRequestBody, urlWithoutSecrets } from '../read-request.ts';
import { saidMembers } from '../said/said-texts.ts';

/** Members of a definition that change from turn to turn and don't define the tool. */
const NOT_DEFINING = new Set(['cache_control', 'defer_loading']);

/** Matches the API's own versioned types for toolsets. */
const TOOLSET_TYPE = /^([a-z]+)_toolset_\d{8}$/;

/** A tool that a message adds to the request's tools. */
export interface AddedTool {
  /** The block that adds it, or one of the changes in a block. */
  readonly span: TextSpan;
  readonly definition: TextSpan;
  /** The list of changes that contains it. */
  readonly changes: readonly TextSpan[] | undefined;
}

const REQUEST_KEYS = knownKeys(['model', 'stream', 'tools', 'mcp_servers', 'messages', 'thread', 'system']);

/**
 * Reads a request for a message, in time linear in its length. It keeps no secrets.
 *
 * @param text the body, decoded
 * @returns a description of the fault if readers may differ on it
 */
export function readRequest(text: string): AnswerRequest | string {
  const body = readRequestBody(text);
  if (typeof body === 'string') return body;
  if (hasVariantKey(body, REQUEST_KEYS)) return 'the request has a key that some readers take for another';
  if (hasOtherThanList(body, ['tools', 'mcp_servers'])) return 'the request has tools or servers that are no list';
  const { thread } = body;
  const members = membersOf(text, wholeOf(text));
  const blocks = blocksIn(body['messages']);
  // Few conversations add tools, and all conversations are long.
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
    said: saidMembers(body, 'anthropic'),
  };
}

/** Returns the tools that a server is restricted to, in the older form of the request. */
function allowedTools(configuration: unknown): readonly string[] {
  const allowed = isObject(configuration) ? configuration['allowed_tools'] : undefined;
  return Array.isArray(allowed) ? allowed.filter((name) => typeof name === 'string') : [];
}

function blocksIn(messages: unknown): readonly JsonObject[] {
  return objectsIn(messages).flatMap((message) => objectsIn(message['content']));
}

/** Returns the tools that an entry of `tools` offers: one, or the listed ones of an MCP server. */
export function readTools(text: string, span: TextSpan): readonly OfferedTool[] {
  const entry: unknown = JSON.parse(text.slice(span.start, span.end));
  if (!isObject(entry)) return [];
  const { type = 'custom', name = '', mcp_server_name: server } = entry;
  const whole = { type: textOf(type), definition: definitionOf(text, span) };
  if (type !== 'mcp_toolset') return [{ ...whole, name: textOf(name), group: TOOLSET_TYPE.exec(whole.type)?.[1] }];
  const group = textOf(server);
  const listed = membersOf(text, span)?.get('tools');
  const elements = elementsOf(text, listed);
  if (elements === undefined) return ['', ...configuredTools(entry['configs'])].map((each) => ({ ...whole, name: each, group }));
  return elements.flatMap((element) => readTools(text, element).map((tool) => ({ ...tool, type: 'mcp', group })));
}

/** Returns the tools that a toolset names to configure them; it may have others. */
function configuredTools(configs: unknown): readonly string[] {
  return isObject(configs) ? Object.keys(configs).filter((name) => name !== '') : [];
}

/** Returns the tools whose definitions messages add. @param messages their span in the request */
export function addedTools(text: string, messages: TextSpan | undefined): readonly AddedTool[] {
  return (elementsOf(text, messages) ?? [])
    .flatMap((message) => elementsOf(text, membersOf(text, message)?.get('content')) ?? [])
    .flatMap((block) => {
      const changes = elementsOf(text, membersOf(text, block)?.get('tool_changes'));
      return (changes ?? [block]).flatMap((span) => {
        const definition = addedDefinition(text, span);
        return definition === undefined ? [] : [{ span, definition, changes }];
      });
    });
}

function addedDefinition(text: string, addition: TextSpan): TextSpan | undefined {
  const members = membersOf(text, addition);
  if (stringOf(text, members?.get('type')) !== 'tool_addition') return undefined;
  return membersOf(text, members?.get('tool'))?.get('definition');
}

function definitionOf(text: string, span: TextSpan): string {
  const members = [...(membersOf(text, span) ?? [])].filter(([key]) => !NOT_DEFINING.has(key));
  return `{${members.map(([key, value]) => `${JSON.stringify(key)}:${text.slice(value.start, value.end)}`).join(',')}}`;
}
