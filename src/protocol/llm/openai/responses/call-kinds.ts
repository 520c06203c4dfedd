import { isObject, type JsonObject, textOf } from '../../json-object.ts';

/** A type of items that are calls. */
interface CallKind {
  /** The name of its tool in policies; undefined if the item has one. */
  readonly tool: string | undefined;
  /** `provider`: it runs at the provider, and only its outcome comes. */
  readonly runBy: 'client' | 'provider' | ((item: JsonObject) => 'client' | 'provider');
  /** The item's only member that has arguments. `text`: JSON text. `words`: free text. `value`: an object, or one of its members. */
  readonly args: { readonly key: string; readonly as: 'text' | 'words' | 'value' } | undefined;
  /** The type of the item with its result; undefined if a text can't be one. */
  readonly result: string | undefined;
}

const ARGUMENTS = { key: 'arguments', as: 'text' } as const;
const ACTION = { key: 'action', as: 'value' } as const;

/** All types of items that are calls. */
const KINDS: ReadonlyMap<unknown, CallKind> = new Map<string, CallKind>([
  ['function_call', { tool: undefined, runBy: 'client', args: ARGUMENTS, result: 'function_call_output' }],
  [
    'custom_tool_call',
    { tool: undefined, runBy: 'client', args: { key: 'input', as: 'words' }, result: 'custom_tool_call_output' },
  ],
  ['shell_call', { tool: 'shell', runBy: runnerOfShell, args: ACTION, result: 'shell_call_output' }],
  ['local_shell_call', { tool: 'local_shell', runBy: 'client', args: ACTION, result: 'local_shell_call_output' }],
  [
    'apply_patch_call',
    { tool: 'apply_patch', runBy: 'client', args: { key: 'operation', as: 'value' }, result: 'apply_patch_call_output' },
  ],
  // Its result is a picture of the screen.
  ['computer_call', { tool: 'computer', runBy: 'client', args: undefined, result: undefined }],
  [
    'tool_search_call',
    { tool: 'tool_search', runBy: runnerOfSearch, args: { key: 'arguments', as: 'value' }, result: 'tool_search_output' },
  ],
  // The client only says whether the provider may make the call.
  ['mcp_approval_request', { tool: undefined, runBy: 'client', args: ARGUMENTS, result: 'mcp_approval_response' }],
  ['mcp_call', { tool: undefined, runBy: 'provider', args: ARGUMENTS, result: undefined }],
  ['web_search_call', { tool: 'web_search', runBy: 'provider', args: ACTION, result: undefined }],
  ['file_search_call', { tool: 'file_search', runBy: 'provider', args: undefined, result: undefined }],
  ['code_interpreter_call', { tool: 'code_interpreter', runBy: 'provider', args: undefined, result: undefined }],
  ['image_generation_call', { tool: 'image_generation', runBy: 'provider', args: undefined, result: undefined }],
  // A program that the provider runs, and that may call the client's tools.
  ['program', { tool: 'programmatic_tool_calling', runBy: 'provider', args: undefined, result: undefined }],
]);

/** Types of items with text, reasoning, results, or definitions of tools. */
const OTHERS: ReadonlySet<unknown> = new Set([
  'additional_tools',
  'apply_patch_call_output',
  'compaction',
  'compaction_summary',
  'computer_call_output',
  'configuration_update',
  'custom_tool_call_output',
  'function_call_output',
  'local_shell_call_output',
  'mcp_approval_response',
  'mcp_list_tools',
  'message',
  'program_output',
  'reasoning',
  'shell_call_output',
  'tool_search_output',
]);

/** Types whose content is only text: a call in them is none of the API's. */
const TEXTS: ReadonlySet<unknown> = new Set(['message', 'reasoning']);

export function callKindOf(type: unknown): CallKind | undefined {
  return KINDS.get(type);
}

/** Tells whether it is known if an item of this type is a call. */
export function isKnownItem(type: unknown): boolean {
  return KINDS.has(type) || OTHERS.has(type);
}

export function isTextItem(type: unknown): boolean {
  return TEXTS.has(type);
}

/** Matches types of items with the results of calls. */
const RESULT = /_output$|^mcp_approval_response$/;

/** Returns the id of the call whose result an item is; undefined if it is not a result. */
export function resultOf(item: JsonObject): string | undefined {
  const { type } = item;
  if (typeof type !== 'string' || !RESULT.test(type)) return undefined;
  if (type === 'mcp_approval_response') return textOf(item['approval_request_id']) || undefined;
  return textOf(item['call_id']) || textOf(item['id']) || undefined;
}

/** Returns who runs the commands of such a call, or of such a tool: the client, unless they run in a container of the provider. */
export function runnerOfShell({ environment }: JsonObject): 'client' | 'provider' {
  return isObject(environment) && textOf(environment['type']).startsWith('container') ? 'provider' : 'client';
}

function runnerOfSearch({ execution }: JsonObject): 'client' | 'provider' {
  return execution === 'server' ? 'provider' : 'client';
}
