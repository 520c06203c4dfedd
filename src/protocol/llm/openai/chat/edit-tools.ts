import { isObject } from '../../json-object.ts';
import {
  applyEdits,
  elementsOf,
  membersOf,
  removeElements,
  removeMembers,
  stringOf,
  type TextSpan,
  wholeOf,
} from '../../json-text.ts';
import type { DeniedTools } from '../../model-api.ts';
import { isProviderTool, isServerEntry, SEARCH_MEMBERS, SEARCH_TOOL, toMcpServer, toOfferedTool } from './request.ts';

/**
 * Removes what is denied from a request, since a provider's calls have already run when we see them. Everything else stays byte for byte. A
 * server whose tools can't be denied one by one, since the request does not list them, is removed.
 *
 * @param text one that `readChatRequest` could read
 */
export function editTools(text: string, denied: DeniedTools): string {
  const edited = denied.providerTools.has(SEARCH_TOOL) ? withoutMembers(text, SEARCH_MEMBERS) : text;
  const list = membersOf(edited, wholeOf(edited))?.get('tools');
  const tools = elementsOf(edited, list) ?? [];
  const shortened = tools.map((tool) => shortenList(edited, tool, denied));
  const isTaken = (at: number): boolean => isDenied(edited, tools[at] as TextSpan, denied) || shortened[at] === undefined;
  // The API refuses an empty list of tools.
  if (tools.length > 0 && tools.every((_tool, at) => isTaken(at))) return withoutMembers(edited, ['tools']);
  const edits = tools.flatMap((_tool, at) => (isTaken(at) ? [] : (shortened[at] ?? [])));
  return applyEdits(edited, [...removeElements(tools, isTaken), ...edits]);
}

function isDenied(text: string, { start, end }: TextSpan, { providerTools, mcpServers }: DeniedTools): boolean {
  const entry: unknown = JSON.parse(text.slice(start, end));
  if (!isObject(entry)) return false;
  if (isServerEntry(entry)) return mcpServers.has(toMcpServer(entry).name);
  const tool = toOfferedTool(entry);
  return isProviderTool(tool) && providerTools.has(tool.name);
}

/** Builds edits that remove tools from a server's `allowed_tools`; undefined if it has denied tools but no such list. */
export function shortenList(
  text: string,
  tool: TextSpan,
  { mcpTools }: DeniedTools,
): ReturnType<typeof removeElements> | undefined {
  const members = membersOf(text, tool);
  if (stringOf(text, members?.get('type')) !== 'mcp') return [];
  const names = mcpTools.get(stringOf(text, members?.get('server_label')) ?? '');
  if (names === undefined) return [];
  const allowed = members?.get('allowed_tools');
  const list = allowed === undefined ? undefined : (membersOf(text, allowed)?.get('tool_names') ?? allowed);
  const elements = elementsOf(text, list);
  return elements && removeElements(elements, (at) => names.has(stringOf(text, elements[at]) ?? ''));
}

function withoutMembers(text: string, names: readonly string[]): string {
  return applyEdits(text, removeMembers(text, wholeOf(text), names));
}
