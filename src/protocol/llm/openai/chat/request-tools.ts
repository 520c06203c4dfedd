import { isObject, type JsonObject, textOf } from '../../json-object.ts';
import type { AnswerRequest, OfferedTool } from '../../model-api.ts';
import { urlWithoutSecrets } from '../../url-without-secrets.ts';

/** Types of tools that the client runs. All others are the provider's own, whoever the provider is. */
const CLIENT_TYPES: ReadonlySet<string> = new Set(['function', 'custom']);

/** Members of a request that have the provider search the web by itself: OpenAI's, and those of others who speak its API. */
export const SEARCH_MEMBERS = ['web_search_options', 'search_parameters'];

/** What searching the web is called in a policy. */
export const SEARCH_TOOL = 'web_search';

/** The tool that an entry of `tools` or `functions` offers. @param legacy an entry of `functions` */
export function toOfferedTool(entry: JsonObject, legacy = false): OfferedTool {
  const { type = 'function' } = entry;
  const kind = legacy ? 'function' : textOf(type);
  const inner = legacy ? undefined : entry[kind];
  const name = (isObject(inner) ? textOf(inner['name']) : '') || textOf(entry['name']);
  return { name: name === '' && !CLIENT_TYPES.has(kind) ? kind : name, type: kind, group: undefined };
}

/** Does the provider run this tool of a request itself? */
export function isProviderTool({ type }: Pick<OfferedTool, 'type'>): boolean {
  return !CLIENT_TYPES.has(type);
}

/** Is it an entry of `tools` for an MCP server that the provider calls? */
export function isServerEntry(entry: JsonObject): boolean {
  return entry['type'] === 'mcp';
}

/** The MCP server of such an entry. Its URL is without what may be a secret: user, query, fragment. */
export function toMcpServer(entry: JsonObject): AnswerRequest['mcpServers'][number] {
  const { allowed_tools: allowed } = entry;
  const names: unknown = isObject(allowed) ? allowed['tool_names'] : allowed;
  return {
    name: textOf(entry['server_label']),
    url: urlWithoutSecrets(textOf(entry['server_url'])),
    allowed: Array.isArray(names) ? names.filter((name) => typeof name === 'string') : [],
  };
}
