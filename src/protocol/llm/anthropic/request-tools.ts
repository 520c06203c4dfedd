import { elementsOf, membersOf, stringOf, type TextSpan } from '../json-text.ts';
import { isObject, textOf } from '../json-object.ts';
import type { OfferedTool } from '../model-api.ts';

/** Members of a definition that change from turn to turn and say nothing about the tool. */
const NOT_DEFINING = new Set(['cache_control', 'defer_loading']);

/** A type of the API's own for several tools, with its version. */
const TOOLSET_TYPE = /^([a-z]+)_toolset_\d{8}$/;

/** The tools that an entry of `tools` offers: one, or those of an MCP server as far as they are listed. */
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

/** Tools that a toolset names in order to configure them; it has others, too. */
function configuredTools(configs: unknown): readonly string[] {
  return isObject(configs) ? Object.keys(configs).filter((name) => name !== '') : [];
}

/** A tool that a message adds to those of the request. */
export interface AddedTool {
  /** What adds it: a block of the message, or one of the changes that a block sums up. */
  readonly span: TextSpan;
  readonly definition: TextSpan;
  /** The changes that it is one of. */
  readonly changes: readonly TextSpan[] | undefined;
}

/** The tools that messages add by their definitions. @param messages where the request has them */
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
