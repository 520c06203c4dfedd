import { applyEdits, elementsOf, membersOf, sourceOf, stringOf, type TextSpan, wholeOf } from '../json-text.ts';
import { UNKNOWN, UNTOUCHED } from '../texts/opaque-names.ts';
import type { BegunText, CallPiece, ModelTexts, Shape, TextDelta } from '../texts/shape.ts';

const TEXT: Shape = { text: 'text' };
const VALUES: Shape = { deep: 'arguments' };

const WORDS_CITED: Readonly<Record<string, Shape>> = { cited_text: TEXT, document_title: TEXT, title: TEXT };

/** The cited text of a web search belongs to an encrypted index, and stays. */
const CITATIONS: Shape = {
  each: { by: (citation) => (citation.text('encrypted_index') === undefined ? WORDS_CITED : undefined) },
};

/** Blocks within a result or a document, which contain no calls. */
const INNER: Shape = {
  by: (block) => {
    switch (block.text('type')) {
      case 'text':
        return { text: TEXT, citations: CITATIONS };
      case 'search_result':
        return { title: TEXT, source: UNTOUCHED, content: { text: 'text', each: { members: { text: TEXT } } } };
      case 'document':
        return DOCUMENT;
      default:
        return undefined;
    }
  },
};

const INNER_CONTENT: Shape = { text: 'text', each: { ...INNER, all: UNKNOWN } };

const DOCUMENT: Readonly<Record<string, Shape>> = {
  title: TEXT,
  context: TEXT,
  source: {
    by: (source) => {
      const type = source.text('type');
      if (type === 'text') return { data: TEXT };
      return type === 'content' ? { content: { text: 'text', each: { members: { text: TEXT } } } } : undefined;
    },
  },
};

/** Results of the provider's own tools. Those of its web search are encrypted, and come back as they were. */
const PROVIDED: Shape = {
  by: (result) => {
    switch (result.text('type')) {
      case 'code_execution_result':
      case 'encrypted_code_execution_result':
      case 'bash_code_execution_result':
        return { stdout: TEXT, stderr: TEXT };
      case 'text_editor_code_execution_view_result':
        return { content: TEXT };
      case 'text_editor_code_execution_str_replace_result':
        return { lines: { each: TEXT } };
      case 'web_fetch_result':
        return { content: INNER };
      case 'advisor_result':
        return { text: TEXT };
      default:
        return undefined;
    }
  },
};

const BLOCK: Shape = {
  by: (block) => {
    switch (block.text('type')) {
      case 'tool_use':
      case 'server_tool_use':
      case 'mcp_tool_use':
        return { input: VALUES };
      case 'tool_result':
      case 'mcp_tool_result':
        return { content: INNER_CONTENT };
      case 'code_execution_tool_result':
      case 'bash_code_execution_tool_result':
      case 'text_editor_code_execution_tool_result':
      case 'web_fetch_tool_result':
      case 'advisor_tool_result':
        return { content: PROVIDED };
      case 'web_search_tool_result':
        return { content: UNTOUCHED };
      case 'compaction':
        // With metadata of its own, it is checked against that.
        return { content: block.text('encrypted_content') === undefined ? TEXT : UNTOUCHED };
      case 'tool_addition':
        return { tool: { members: { definition: { deep: 'definition' } } } };
      default:
        return { tool_changes: { each: { members: { tool: { members: { definition: { deep: 'definition' } } } } } } };
    }
  },
};

/** Joins the members that both kinds of blocks have. */
const ANY_BLOCK: Shape = { by: (block) => ({ ...BLOCK.by?.(block), ...INNER.by?.(block) }), all: UNKNOWN };

const REQUEST: Shape = {
  members: {
    system: { text: 'text', each: { ...INNER, all: UNKNOWN, isUnit: true } },
    messages: { each: { members: { content: { text: 'text', each: ANY_BLOCK } }, all: UNKNOWN, isUnit: true } },
    tools: { deep: 'definition', isUnit: true },
    output_config: { deep: 'definition' },
    output_format: { deep: 'definition' },
  },
  all: UNKNOWN,
};

/** Words for the user. */
const SAID: Shape = {
  by: (block) => (block.text('type') === 'text' ? { text: TEXT, citations: CITATIONS } : undefined),
};

const ANSWER: Shape = { members: { content: { each: SAID } } };

/** Texts in the Messages API. Thinking, signatures, encrypted content, sources in base64 and ids are opaque. */
export const anthropicTexts: ModelTexts = {
  request: REQUEST,
  batch: { members: { requests: { each: { members: { params: REQUEST } } } } },
  answer: ANSWER,
  line: { members: { result: { members: { message: ANSWER } } } },
  event: { members: { message: ANSWER, content_block: SAID } },
  deltas,
  plainDelta,
  split,
  calls,
  isIdle: (data) => stringOf(data, membersOf(data, wholeOf(data))?.get('type')) === 'ping',
};

function deltas(data: string): readonly TextDelta[] {
  const event = membersOf(data, wholeOf(data));
  const delta = membersOf(data, event?.get('delta'));
  const span = delta?.get('text');
  if (span === undefined || stringOf(data, delta?.get('type')) !== 'text_delta' || data[span.start] !== '"') return [];
  return [{ key: sourceOf(data, event?.get('index')) ?? '', span, isLast: false }];
}

/** Matches a piece of a text as the API writes it, with strict JSON to its end. */
const PLAIN =
  /^(\{"type":"content_block_delta","index":(0|[1-9]\d{0,5}),"delta":\{"type":"text_delta","text":)("[^"\\\0-\x1f]*(?:\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4})[^"\\\0-\x1f]*)*")\} *\} *$/;

function plainDelta(data: string): TextDelta | undefined {
  const [, head = '', key = '', words = ''] = PLAIN.exec(data) ?? [];
  if (words === '') return undefined;
  return { key, span: { start: head.length, end: head.length + words.length }, isLast: false };
}

function split(data: string): BegunText | undefined {
  const event = membersOf(data, wholeOf(data));
  const block = membersOf(data, event?.get('content_block'));
  const span = block?.get('text');
  const words = stringOf(data, span);
  if (span === undefined || words === undefined || words === '' || stringOf(data, block?.get('type')) !== 'text')
    return undefined;
  const delta = `{"type":"text_delta","text":${sourceOf(data, span) ?? '""'}}`;
  return {
    begin: applyEdits(data, [{ ...span, text: '""' }]),
    name: 'content_block_delta',
    words: `{"type":"content_block_delta","index":${sourceOf(data, event?.get('index')) ?? '0'},"delta":${delta}}`,
  };
}

function calls(data: string): readonly CallPiece[] {
  const members = membersOf(data, wholeOf(data));
  const key = sourceOf(data, members?.get('index')) ?? '';
  const begun = members?.get('content_block');
  if (begun !== undefined) return beginning(data, begun, { key, isEnd: false });
  const delta = membersOf(data, members?.get('delta'));
  const piece = delta?.get('partial_json');
  if (piece !== undefined && data[piece.start] === '"') return [{ key, piece, isEnd: false }];
  if (stringOf(data, members?.get('type')) === 'content_block_stop') return [{ key, isEnd: true }];
  if (delta !== undefined) return [];
  const message = members?.get('message') ?? membersOf(data, members?.get('result'))?.get('message');
  const blocks = elementsOf(data, (membersOf(data, message) ?? members)?.get('content')) ?? [];
  return blocks.flatMap((block, at) => beginning(data, block, { key: `${at}`, isEnd: true }));
}

function beginning(data: string, block: TextSpan, of: Pick<CallPiece, 'key' | 'isEnd'>): readonly CallPiece[] {
  const members = membersOf(data, block);
  if (stringOf(data, members?.get('type')) !== 'tool_use') return [];
  const call = { name: stringOf(data, members?.get('name')) ?? '', group: stringOf(data, members?.get('toolset_name')) };
  return [{ ...of, call, whole: members?.get('input') }];
}
