import { elementsOf, membersOf, sourceOf, stringOf, type TextSpan, wholeOf } from '../../json-text.ts';
import { UNKNOWN, UNTOUCHED } from '../../texts/opaque-names.ts';
import type { CallPiece, ModelTexts, Shape, TextDelta } from '../../texts/shape.ts';

const TEXT: Shape = { text: 'text' };
const ARGUMENTS: Shape = { text: 'arguments' };
const VALUES: Shape = { deep: 'arguments' };
const DEFINITIONS: Shape = { deep: 'definition' };

/** Types of a message's parts that are words. */
const WORDS: ReadonlySet<string | undefined> = new Set(['input_text', 'output_text', 'text', 'refusal']);

const partMembers: Shape['by'] = (part) => (WORDS.has(part.text('type')) ? { text: TEXT, refusal: TEXT } : undefined);

const PART: Shape = { by: partMembers };

const CONTENT: Shape = { text: 'text', each: PART };

/** The same in requests. */
const SENT: Shape = { text: 'text', each: { ...PART, all: UNKNOWN } };

/** Members with texts, by an item's type, and those that the API holds against others: reasoning, programs, pictures that it made. */
const ITEMS: Readonly<Record<string, Readonly<Record<string, Shape>>>> = {
  message: { content: SENT },
  function_call: { arguments: ARGUMENTS },
  custom_tool_call: { input: TEXT },
  function_call_output: { output: SENT },
  custom_tool_call_output: { output: SENT },
  shell_call: { action: VALUES },
  shell_call_output: { output: { text: 'text', each: { members: { stdout: TEXT, stderr: TEXT } } } },
  local_shell_call: { action: VALUES },
  local_shell_call_output: { output: TEXT },
  apply_patch_call: { operation: VALUES },
  apply_patch_call_output: { output: TEXT },
  mcp_call: { arguments: ARGUMENTS, output: TEXT, error: { deep: 'text' } },
  mcp_list_tools: { tools: DEFINITIONS },
  mcp_approval_request: { arguments: ARGUMENTS },
  mcp_approval_response: { reason: TEXT },
  code_interpreter_call: { code: TEXT, outputs: { each: { members: { logs: TEXT } } } },
  computer_call: { action: VALUES, actions: VALUES },
  file_search_call: {
    queries: { each: TEXT },
    results: { each: { members: { text: TEXT, filename: TEXT, attributes: VALUES } } },
  },
  web_search_call: { action: { members: { query: TEXT, queries: { each: TEXT }, pattern: TEXT } } },
  tool_search_call: { arguments: VALUES },
  tool_search_output: { tools: DEFINITIONS },
  additional_tools: { tools: DEFINITIONS },
  reasoning: { summary: UNTOUCHED, content: UNTOUCHED },
  program: { code: UNTOUCHED },
  program_output: { result: UNTOUCHED, output: UNTOUCHED },
  image_generation_call: { result: UNTOUCHED },
};

const ITEM: Shape = {
  by: (item) => {
    const type = item.text('type') ?? 'message';
    return Object.hasOwn(ITEMS, type) ? ITEMS[type] : undefined;
  },
  all: UNKNOWN,
  isUnit: true,
};

/** Words for the user. */
const SAID: Shape = { by: (item) => (item.text('type') === 'message' ? { content: CONTENT } : undefined) };

const ANSWER: Shape = { members: { output: { each: SAID }, output_text: TEXT } };

/**
 * Texts in the Responses API, also in the frames of its WebSocket mode. Reasoning, encrypted content, compactions, programs, pictures and
 * files are opaque.
 */
export const responsesTexts: ModelTexts = {
  request: {
    members: {
      instructions: { text: 'text', each: ITEM },
      input: { text: 'text', each: ITEM },
      tools: { ...DEFINITIONS, isUnit: true },
      prompt: { members: { variables: { all: { text: 'text', by: partMembers } } } },
      text: { deep: 'definition' },
    },
    all: UNKNOWN,
  },
  answer: ANSWER,
  event: {
    members: { item: SAID, part: PART, response: ANSWER },
    by: (event) => (event.text('type') === 'response.output_text.done' ? { text: TEXT } : undefined),
  },
  deltas,
  calls,
};

function deltas(data: string): readonly TextDelta[] {
  const event = membersOf(data, wholeOf(data));
  const span = event?.get('delta');
  if (span === undefined || stringOf(data, event?.get('type')) !== 'response.output_text.delta') return [];
  const key = ['output_index', 'content_index'].map((name) => sourceOf(data, event?.get(name)) ?? '0').join(' ');
  return [{ key, span, isLast: false }];
}

function calls(data: string): readonly CallPiece[] {
  const members = membersOf(data, wholeOf(data));
  const type = stringOf(data, members?.get('type')) ?? '';
  const key = sourceOf(data, members?.get('output_index')) ?? '';
  if (type === 'response.output_item.added') return itemPieces(data, members?.get('item'), { key, isEnd: false });
  if (type === 'response.output_item.done') return itemPieces(data, members?.get('item'), { key, isEnd: true });
  if (/^response\.(?:function_call_arguments|custom_tool_call_input)\.delta$/.test(type))
    return [{ key, piece: members?.get('delta'), isEnd: false }];
  if (/^response\.(?:function_call_arguments|custom_tool_call_input)\.done$/.test(type))
    return [{ key, whole: members?.get('arguments') ?? members?.get('input'), isEnd: false }];
  const answer = membersOf(data, members?.get('response')) ?? members;
  return (elementsOf(data, answer?.get('output')) ?? []).flatMap((item, at) =>
    itemPieces(data, item, { key: `${at}`, isEnd: true }),
  );
}

function itemPieces(data: string, item: TextSpan | undefined, of: Pick<CallPiece, 'key' | 'isEnd'>): readonly CallPiece[] {
  const members = membersOf(data, item);
  const type = stringOf(data, members?.get('type'));
  if (type !== 'function_call' && type !== 'custom_tool_call') return of.isEnd ? [of] : [];
  const call = { name: stringOf(data, members?.get('name')) ?? '', group: stringOf(data, members?.get('namespace')) };
  return [{ ...of, call, whole: members?.get('arguments') ?? members?.get('input') }];
}
