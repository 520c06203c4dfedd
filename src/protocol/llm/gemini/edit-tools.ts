import {
  applyEdits,
  type Edit,
  elementsOf,
  membersOf,
  removeElements,
  sourceOf,
  stringOf,
  type TextSpan,
  wholeOf,
} from '../json-text.ts';
import type { DeniedTools } from '../model-api.ts';
import { fieldSpansOf, FUNCTIONS, isProviderTool, MCP_SERVERS, toCamel } from './keys.ts';

/**
 * Removes what is denied from a request, since a provider's calls have already run when we see them. Everything else stays byte for byte. A
 * server with a denied tool is removed as a whole, since the request can't exclude single tools.
 *
 * @param text one that `readRequest` could read
 */
export function editTools(text: string, denied: DeniedTools): string {
  const body = fieldSpansOf(text, wholeOf(text));
  const inner = body?.get('generateContentRequest');
  const lists = [body?.get('tools'), inner && fieldSpansOf(text, inner)?.get('tools')];
  return applyEdits(
    text,
    lists.flatMap((list) => (list === undefined ? [] : editList(text, list, denied))),
  );
}

function editList(text: string, list: TextSpan, denied: DeniedTools): readonly Edit[] {
  const elements = elementsOf(text, list);
  if (elements === undefined) {
    const edit = editTool(text, list, denied);
    return edit === 'gone' ? [{ ...list, text: '[]' }] : (edit ?? []);
  }
  const edits = elements.map((element) => editTool(text, element, denied));
  return [
    ...removeElements(elements, (at) => edits[at] === 'gone'),
    ...edits.flatMap((edit) => (edit === 'gone' || edit === undefined ? [] : edit)),
  ];
}

/** Undefined if nothing of the tool is denied. */
function editTool(text: string, tool: TextSpan, denied: DeniedTools): readonly Edit[] | 'gone' | undefined {
  const members = [...(membersOf(text, tool) ?? [])];
  const edited = members.map(([key, value]) => {
    const kind = toCamel(key);
    if (kind === MCP_SERVERS) return editServers(text, value, denied);
    const isDenied = kind !== FUNCTIONS && isProviderTool({ type: kind }) && denied.providerTools.has(kind);
    return isDenied ? undefined : text.slice(value.start, value.end);
  });
  if (members.every(([, value], at) => edited[at] === sourceOf(text, value))) return undefined;
  const kept = members.flatMap(([key], at) => (edited[at] === undefined ? [] : `${JSON.stringify(key)}:${edited[at]}`));
  return kept.length === 0 ? 'gone' : [{ ...tool, text: `{${kept.join(',')}}` }];
}

/** Undefined if no server is left. */
function editServers(text: string, list: TextSpan, { mcpServers, mcpTools }: DeniedTools): string | undefined {
  const servers = elementsOf(text, list) ?? [list];
  const isDenied = (server: TextSpan): boolean => {
    const name = stringOf(text, fieldSpansOf(text, server)?.get('name')) ?? '';
    return mcpServers.has(name) || mcpTools.has(name);
  };
  const kept = servers.filter((server) => !isDenied(server));
  if (kept.length === servers.length) return text.slice(list.start, list.end);
  return kept.length === 0 ? undefined : `[${kept.map((server) => text.slice(server.start, server.end)).join(',')}]`;
}
