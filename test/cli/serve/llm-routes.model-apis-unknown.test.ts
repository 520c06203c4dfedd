// Whatever may be a call and is known to nobody ends an answer, in every API; all that answers are made of goes on as it came.
import { describe, expect, it } from 'vitest';
import { MODEL_APIS } from '../../../src/cli/serve/llm-routes.ts';
import { driveModelStream } from '../../support/drive-model-stream.ts';

type Dialect = 'anthropic' | 'openai' | 'gemini';

function api(dialect: Dialect) {
  const found = MODEL_APIS.find((known) => known.dialect === dialect);
  if (found === undefined) throw new Error(dialect);
  return found;
}

const USAGE = { usage: { input_tokens: 1, output_tokens: 1, server_tool_use: { web_search_requests: 1 } } };

/** A message of these blocks, whole and as a stream. */
function messages(blocks: readonly object[], deltas: readonly object[] = []): readonly [string, string] {
  const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'm', stop_sequence: null, ...USAGE };
  const events: (Readonly<Record<string, unknown>> & { readonly type: string })[] = [
    { type: 'message_start', message: { ...message, content: [], stop_reason: null } },
    ...blocks.flatMap((block, index) => [
      { type: 'content_block_start', index, content_block: block },
      ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
      { type: 'content_block_stop', index },
    ]),
    { type: 'message_delta', delta: { stop_reason: 'end_turn' }, ...USAGE },
    { type: 'message_stop' },
  ];
  return [
    JSON.stringify({ ...message, content: blocks, stop_reason: 'end_turn' }),
    events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(''),
  ];
}

/** A completion whose message has these members, and that has others around it. */
function chat(said: object, around: object = {}): readonly [string, string] {
  const completion = { id: 'c', created: 1, model: 'm', usage: { web_search_calls: { n: 1 } }, ...around };
  const message = { role: 'assistant', content: 'a', ...said };
  const choices = {
    whole: [{ index: 0, message, finish_reason: 'stop' }],
    parts: [{ index: 0, delta: message, finish_reason: null }],
  };
  const end = { ...completion, choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] };
  return [
    JSON.stringify({ ...completion, choices: choices.whole }),
    `data: ${JSON.stringify({ ...completion, choices: choices.parts })}\n\ndata: ${JSON.stringify(end)}\n\ndata: [DONE]\n\n`,
  ];
}

function gemini(part: object, beside: object = {}): readonly [string, string] {
  const answer = JSON.stringify({
    candidates: [{ content: { role: 'model', parts: [{ text: 'a' }, part] }, index: 0 }],
    ...beside,
  });
  return [answer, `data: ${answer}\n\n`];
}

const KNOWN: readonly (readonly [Dialect, string, readonly [string, string]])[] = [
  [
    'anthropic',
    'text with citations',
    messages([{ type: 'text', text: '', citations: [] }], [{ type: 'citations_delta', citation: { type: 'page_location' } }]),
  ],
  [
    'anthropic',
    'thinking',
    messages(
      [{ type: 'thinking', thinking: '', signature: '' }],
      [
        { type: 'thinking_delta', thinking: 'a' },
        { type: 'signature_delta', signature: 'x' },
      ],
    ),
  ],
  [
    'anthropic',
    'what is redacted, uploaded, listed, compacted',
    messages([
      { type: 'redacted_thinking', data: 'x' },
      { type: 'container_upload', file_id: 'f' },
      { type: 'mcp_tool_listing', server_name: 's', tools: [] },
      { type: 'compaction', content: null },
      { type: 'fallback' },
    ]),
  ],
  [
    'anthropic',
    "the provider's tools",
    messages([
      { type: 'server_tool_use', id: 's1', name: 'web_search', input: {} },
      { type: 'web_search_tool_result', tool_use_id: 's1', content: [{ type: 'web_search_result', url: 'u' }] },
      { type: 'mcp_tool_use', id: 'm1', name: 'n', server_name: 's', input: {} },
      { type: 'mcp_tool_result', tool_use_id: 'm1', is_error: false, content: [] },
      { type: 'advisor_tool_result', tool_use_id: 'a1', content: {} },
      { type: 'to_come_tool_result', tool_use_id: 't1', content: {} },
    ]),
  ],
  [
    'anthropic',
    'fields that nobody knows',
    messages([{ type: 'text', text: '', odd: { name: 'x', parts: {} } }], [{ type: 'text_delta', text: 'a', odd: [1] }]),
  ],
  [
    'openai',
    'sound, refusals, annotations, what was thought',
    chat({
      refusal: null,
      audio: { id: 'a', data: 'x', transcript: 't' },
      annotations: [{ type: 'url_citation', url_citation: { url: 'u' } }],
      reasoning_content: 'hm',
      reasoning_details: [{ type: 'reasoning.encrypted', data: 'x' }],
      tool_calls: null,
      function_call: null,
    }),
  ],
  [
    'openai',
    'parts of Mistral',
    chat({
      content: [
        { type: 'thinking', thinking: [{ type: 'text', text: 'a' }] },
        { type: 'text', text: 'b' },
      ],
    }),
  ],
  [
    'openai',
    'fields that nobody knows',
    chat({ odd: { a: [{ name: 'x', titles: '{}' }] }, executed_tools: [{ type: 'search' }] }, { calls: 3, last_call: 'x' }),
  ],
  [
    'openai',
    'a completion of text',
    [
      '{"choices":[{"text":"a","index":0,"logprobs":null,"finish_reason":"stop"}]}',
      'data: {"choices":[{"text":"a","index":0,"logprobs":null,"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n',
    ],
  ],
  ...[
    { inlineData: { mimeType: 'image/png', data: 'x' } },
    { file_data: { file_uri: 'u' } },
    { thoughtSignature: 'x' },
    { thought: true, text: 'a' },
    { codeExecutionResult: { outcome: 'OUTCOME_OK' } },
    { toolResponse: { toolType: 'GOOGLE_SEARCH_WEB', response: {} } },
    { text: 'a', odd: { b: 1 } },
    { videoMetadata: { fps: 1 } },
    { odd: 1 },
  ].map((part) => ['gemini', JSON.stringify(part), gemini(part)] as const),
];

it.each(KNOWN)('%s: %s goes on', (dialect, _what, [whole, stream]) => {
  const { createStream, findCalls } = api(dialect);
  const { text, fault } = driveModelStream([Buffer.from(stream)], { create: createStream });
  expect([fault, text]).toEqual([undefined, stream]);
  expect(findCalls(whole, 'body')).not.toBeTypeOf('string');
});

const CALL = { type: 'function_call', name: 'read', arguments: '{}' };
const UNKNOWN: readonly (readonly [Dialect, string, readonly [string, string]])[] = [
  ['anthropic', 'a block', messages([{ type: 'function_call', name: 'read', input: {} }])],
  ['anthropic', 'a name and arguments', messages([{ type: 'text', text: '', name: 'read', input: {} }])],
  ['anthropic', 'a call within what nobody knows', messages([{ type: 'text', text: '', odd: { items: [CALL] } }])],
  ['anthropic', 'a block without a type', messages([{ name: 'read', input: {} }])],
  [
    'anthropic',
    'the answer of another API',
    [chat({ tool_calls: [CALL] })[0], 'event: response.output_item.done\ndata: {"type":"response.output_item.done"}\n\n'],
  ],
  ['openai', 'a member that is called like calls', chat({ mcp_calls: [{ name: 'read' }] })],
  ['openai', 'a member beside the message', chat({}, { tool_calls: [{ name: 'read' }] })],
  [
    'openai',
    'a part',
    chat({
      content: [
        { type: 'text', text: 'a' },
        { type: 'tool_use', name: 'read', input: {} },
      ],
    }),
  ],
  ['openai', 'a part that says nothing of calls', chat({ content: [{ type: 'odd', name: 'read' }] })],
  ['openai', 'a call within what nobody knows', chat({ odd: { items: [CALL] } })],
  ['openai', 'a name and arguments', chat({ odd: { a: [{ name: 'read', arguments: '{}' }] } })],
  ['openai', 'a name and arguments in a text', chat({ content: [{ type: 'text', text: '', name: 'read', arguments: '{}' }] })],
  [
    'openai',
    'the answer of another API',
    [JSON.stringify({ output: [CALL] }), `data: ${JSON.stringify({ type: 'response.output_item.done', item: CALL })}\n\n`],
  ],
  ['openai', "Gemini's words", chat({}, { candidates: [{ content: { parts: [{ functionCall: { name: 'read' } }] } }] })],
  ['gemini', 'a part', gemini({ oddThing: { name: 'read', args: {} } })],
];

describe.each(UNKNOWN)('%s: %s that nobody knows', (dialect, _what, [whole, stream]) => {
  const { createStream, findCalls } = api(dialect);

  it('ends the answer', () => {
    const { text, fault } = driveModelStream([Buffer.from(stream)], { create: createStream });
    expect(fault).toMatch(/that clawai does not know \("[\w.]+"\), which may be a tool call|a call where none is expected/);
    expect(text).not.toContain('read');
    expect(findCalls(whole, 'body')).toMatch(/that clawai does not know|a call (?:is )?where none is expected/);
  });

  it('goes on where nothing is denied', () => {
    const { text, fault } = driveModelStream([Buffer.from(stream)], { create: createStream, passesUnknown: true });
    expect([fault, text]).toEqual([undefined, stream]);
  });
});

it('a part that is called like a call of Gemini is one', () => {
  const found = api('gemini').findCalls(gemini({ toolUse: { name: 'read' } })[0], 'body');
  expect(found).toMatchObject([{ name: 'read', runBy: 'client' }]);
});
