import { isObject, objectsIn, textOf } from '../../json-object.ts';
import {
  applyEdits,
  type Edit,
  elementsOf,
  membersOf,
  removeElements,
  removeMembers,
  setMember,
  type TextSpan,
  wholeOf,
} from '../../json-text.ts';
import type { DeniedTools } from '../../model-api.ts';
import { shortenList } from '../chat/edit-tools.ts';
import { isServerEntry, toMcpServer } from '../chat/request.ts';
import { isProviderTool, toOfferedTools, toolLists, toolOfType } from './request.ts';

/**
 * Removes what is denied from a request, since a provider's calls have already run when we see them. Everything else stays byte for byte.
 * If a server's tools can't be denied one by one, since the request does not list them, the provider is told to ask before each call of it:
 * then the question is decided like a call.
 *
 * @param text one that `readResponsesRequest` could read
 */
export function editTools(text: string, denied: DeniedTools): string {
  const own = membersOf(text, wholeOf(text))?.get('tools');
  let isEmpty = false;
  const edits = toolLists(text).flatMap(({ list, elements }): readonly Edit[] => {
    const isTaken = (at: number): boolean => isDenied(text, elements[at] as TextSpan, denied);
    const isAllTaken = elements.length > 0 && elements.every((_tool, at) => isTaken(at));
    // The API refuses an empty list of tools.
    if (isAllTaken && list.start === own?.start) {
      isEmpty = true;
      return [];
    }
    const narrowed = elements.flatMap((tool, at) => (isTaken(at) ? [] : narrow(text, tool, denied)));
    return [...removeElements(elements, isTaken), ...narrowed];
  });
  const edited = withoutChoice(applyEdits(text, edits), { denied, isEmpty });
  return isEmpty ? withoutMembers(edited, ['tools']) : edited;
}

function isDenied(text: string, { start, end }: TextSpan, { providerTools, mcpServers, mcpTools }: DeniedTools): boolean {
  const entry: unknown = JSON.parse(text.slice(start, end));
  if (!isObject(entry)) return false;
  if (!isServerEntry(entry)) return toOfferedTools(entry).some((tool) => isProviderTool(tool) && providerTools.has(tool.name));
  const { name, allowed } = toMcpServer(entry);
  // An empty list might mean all tools.
  return mcpServers.has(name) || (allowed.length > 0 && allowed.every((tool) => mcpTools.get(name)?.has(tool) === true));
}

/** Builds edits that remove tools from a server's `allowed_tools`, or have the provider ask. */
function narrow(text: string, tool: TextSpan, denied: DeniedTools): readonly Edit[] {
  return shortenList(text, tool, denied) ?? [setMember(text, tool, 'require_approval', '"always"')];
}

/** Removes the choice of a tool that is not offered any more. */
function withoutChoice(text: string, { denied, isEmpty }: { readonly denied: DeniedTools; readonly isEmpty: boolean }): string {
  const span = membersOf(text, wholeOf(text))?.get('tool_choice');
  if (span === undefined) return text;
  const choice: unknown = JSON.parse(text.slice(span.start, span.end));
  if (isEmpty) return withoutMembers(text, ['tool_choice']);
  if (!isObject(choice)) return text;
  const isTaken = (chosen: object): boolean => isDeniedChoice(chosen, denied);
  if (choice['type'] !== 'allowed_tools') return isTaken(choice) ? withoutMembers(text, ['tool_choice']) : text;
  const chosen = objectsIn(choice['tools']);
  if (!chosen.some(isTaken)) return text;
  if (chosen.every(isTaken)) return withoutMembers(text, ['tool_choice']);
  const elements = elementsOf(text, membersOf(text, span)?.get('tools')) ?? [];
  return applyEdits(
    text,
    removeElements(elements, (at) => {
      const each: unknown = JSON.parse(text.slice(elements[at]?.start, elements[at]?.end));
      return isObject(each) && isTaken(each);
    }),
  );
}

function isDeniedChoice(chosen: object, { providerTools, mcpServers, mcpTools }: DeniedTools): boolean {
  if (!isObject(chosen)) return false;
  const { type, name } = chosen;
  if (type === 'function' || type === 'custom') return false;
  if (type !== 'mcp') return providerTools.has(toolOfType(textOf(type)));
  const server = textOf(chosen['server_label']);
  return mcpServers.has(server) || mcpTools.get(server)?.has(textOf(name)) === true;
}

function withoutMembers(text: string, names: readonly string[]): string {
  return applyEdits(text, removeMembers(text, wholeOf(text), names));
}
