import {
  applyEdits,
  type Edit,
  elementsOf,
  membersOf,
  removeElements,
  setMember,
  stringOf,
  type TextSpan,
  wholeOf,
} from '../json-text.ts';
import type { DeniedTools } from '../model-api.ts';
import { TAKEN_TOOL } from '../note.ts';
import { formatTextElement } from './call-block.ts';
import { type AddedTool, addedTools } from './request.ts';

/**
 * Matches types of tools that the client runs: its own, and some under names that the provider defines. All others are the provider's,
 * including unknown ones.
 */
const CLIENT_TOOL = /^(?:|custom|mcp|mcp_toolset|(?:bash|computer|memory|text_editor|[a-z]+_toolset)_\d{8})$/;

/**
 * Removes what is denied from a request, since a provider's calls have already run when we see them. Everything else stays byte for byte. A
 * server whose tools can't be denied one by one (in the older form of the request, without a list) is removed.
 *
 * @param text one that `readRequest` could read
 */
export function editTools(text: string, denied: DeniedTools): string {
  const body = membersOf(text, wholeOf(text));
  const tools = elementsOf(text, body?.get('tools')) ?? [];
  const servers = elementsOf(text, body?.get('mcp_servers')) ?? [];
  const added = addedTools(text, body?.get('messages'));
  const definitions = [...tools, ...added.map(({ definition }) => definition)];
  const withToolset = new Set(definitions.flatMap((tool) => toolsetServer(text, tool) ?? []));
  const isTaken = (name: string | undefined) => name !== undefined && denied.mcpServers.has(name);
  const isToolTaken = (tool: TextSpan) => isProviderToolDenied(text, tool, denied) || isTaken(toolsetServer(text, tool));
  const listed = servers.map((server) => {
    const name = memberText(text, server, 'name');
    const names = name === undefined ? undefined : denied.mcpTools.get(name);
    if (isTaken(name)) return undefined;
    return names === undefined || withToolset.has(name ?? '') ? [] : shortenList(text, server, names);
  });
  const edits: Edit[] = [
    ...removeElements(tools, (at) => isToolTaken(tools[at] as TextSpan)),
    ...removeElements(servers, (at) => listed[at] === undefined),
    ...listed.flatMap((edit) => edit ?? []),
    ...definitions.filter((tool) => !isToolTaken(tool)).flatMap((tool) => disableTools(text, tool, denied)),
    ...withoutAdded(added, isToolTaken),
  ];
  return applyEdits(text, edits);
}

/** Builds edits that remove tools which messages add. A message must not be empty, so a text replaces each. */
function withoutAdded(added: readonly AddedTool[], isTaken: (definition: TextSpan) => boolean): readonly Edit[] {
  const taken = added.filter(({ definition }) => isTaken(definition));
  const spans = new Set(taken.map(({ span }) => span));
  const lists = new Set(taken.flatMap(({ changes }) => (changes === undefined ? [] : [changes])));
  return [
    ...taken.flatMap(({ span, changes }) => (changes === undefined ? [{ ...span, text: formatTextElement(TAKEN_TOOL) }] : [])),
    ...[...lists].flatMap((changes) => removeElements(changes, (at) => spans.has(changes[at] as TextSpan))),
  ];
}

/** Tells whether the provider itself runs this tool of a request. */
export function isProviderTool({ type }: { readonly type: string }): boolean {
  return !CLIENT_TOOL.test(type);
}

function isProviderToolDenied(text: string, tool: TextSpan, { providerTools }: DeniedTools): boolean {
  return (
    providerTools.has(memberText(text, tool, 'name') ?? '') && isProviderTool({ type: memberText(text, tool, 'type') ?? '' })
  );
}

/** Returns the server whose tools an entry of `tools` configures. */
function toolsetServer(text: string, tool: TextSpan): string | undefined {
  return memberText(text, tool, 'type') === 'mcp_toolset' ? memberText(text, tool, 'mcp_server_name') : undefined;
}

/** Builds edits that remove tools from a server's `tool_configuration.allowed_tools`; undefined if it has no such list. */
function shortenList(text: string, server: TextSpan, names: ReadonlySet<string>): readonly Edit[] | undefined {
  const configuration = membersOf(text, server)?.get('tool_configuration');
  const list = membersOf(text, configuration)?.get('allowed_tools');
  const elements = elementsOf(text, list);
  return elements && removeElements(elements, (at) => names.has(stringOf(text, elements[at]) ?? ''));
}

/** Builds edits that disable tools in a toolset's `configs`. */
function disableTools(text: string, tool: TextSpan, { mcpTools }: DeniedTools): readonly Edit[] {
  const names = [...(mcpTools.get(toolsetServer(text, tool) ?? '') ?? [])];
  if (names.length === 0) return [];
  const configs = membersOf(text, tool)?.get('configs');
  const configured = membersOf(text, configs);
  if (configs === undefined || configured === undefined || configured.size === 0) {
    const all = names.map((name) => `${JSON.stringify(name)}:{"enabled":false}`);
    return [setMember(text, tool, 'configs', `{${all.join(',')}}`)];
  }
  return names.map((name) => {
    const config = configured.get(name);
    return config === undefined
      ? setMember(text, configs, name, '{"enabled":false}')
      : setMember(text, config, 'enabled', 'false');
  });
}

function memberText(text: string, object: TextSpan, name: string): string | undefined {
  return stringOf(text, membersOf(text, object)?.get(name));
}
