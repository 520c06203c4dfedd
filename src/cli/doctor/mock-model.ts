import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { zstdDecompressSync } from 'node:zlib';

/** An API that the mock speaks. */
export type MockApi = 'messages' | 'responses' | 'chat' | 'gemini';

/** The one call that it makes. */
export interface MockCall {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
}

const DONE = 'All is said.';
/** Gemini CLI first asks how hard the task is. */
const TRIAGE = '{"complexity_reasoning":"easy","complexity_score":1}';

const USAGE = { input_tokens: 1, output_tokens: 1 };

type Answer = readonly [type: string, text: string];
type Asked = Readonly<Record<string, unknown>>;

/** A model on this machine that calls one tool once, whatever it is asked, and then has nothing more to say. */
export class MockModel {
  readonly #server: Server;
  readonly #bodies: string[] = [];
  #hasCalled = false;

  constructor(api: MockApi, call: MockCall) {
    this.#server = createServer((request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => {
        const bytes = Buffer.concat(parts);
        const body = (request.headers['content-encoding'] === 'zstd' ? zstdDecompressSync(bytes) : bytes).toString();
        this.#bodies.push(body);
        const [type, text] = this.#answer(api, call, { url: request.url ?? '', body });
        response.writeHead(200, { 'content-type': type }).end(text);
      });
    }).on('upgrade', (_request, socket) => socket.end('HTTP/1.1 426 Upgrade Required\r\ncontent-length: 0\r\n\r\n'));
  }

  /** @returns its address, such as `http://127.0.0.1:43210` */
  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** True once it was asked in a way that it answers with the call. */
  get hasCalled(): boolean {
    return this.#hasCalled;
  }

  /** Tells whether it was told this text. */
  wasTold(text: string): boolean {
    return this.#bodies.some((body) => body.includes(text));
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  #answer(api: MockApi, call: MockCall, { url, body }: { readonly url: string; readonly body: string }): Answer {
    let asked: Asked = {};
    try {
      asked = JSON.parse(body) as Asked;
    } catch {
      // A request without a body asks for a list or a state.
      return ['application/json', '{"data":[],"models":[]}'];
    }
    const now = this.#hasCalled || !isForTools(api, { url, body, tool: call.tool }) ? undefined : call;
    this.#hasCalled ||= now !== undefined;
    return ANSWERS[api]({ url, asked, call: now });
  }
}

/** Clients also ask for titles and the like, without tools. */
function isForTools(
  api: MockApi,
  { url, body, tool }: { readonly url: string; readonly body: string; readonly tool: string },
): boolean {
  if (api === 'responses') return true;
  return (api !== 'gemini' || url.includes(':streamGenerateContent')) && body.includes(`"${tool}"`);
}

interface ToAnswer {
  readonly url: string;
  readonly asked: Asked;
  readonly call: MockCall | undefined;
}

const ANSWERS: Readonly<Record<MockApi, (to: ToAnswer) => Answer>> = { messages, responses, chat, gemini };

function events(list: readonly { readonly type: string }[]): Answer {
  return ['text/event-stream', list.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('')];
}

function messages({ url, asked, call }: ToAnswer): Answer {
  if (!/\/v1\/messages(?:\?|$)/.test(url)) return ['application/json', '{"input_tokens":1}'];
  const block = call
    ? { type: 'tool_use', id: 'toolu_clawai_doctor', name: call.tool, input: call.args }
    : { type: 'text', text: DONE };
  const reason = call ? 'tool_use' : 'end_turn';
  const message = { id: 'msg_doctor', type: 'message', role: 'assistant', model: 'm', stop_sequence: null, usage: USAGE };
  if (asked['stream'] !== true)
    return ['application/json', JSON.stringify({ ...message, content: [block], stop_reason: reason })];
  const [start, delta] = call
    ? [
        { ...block, input: {} },
        { type: 'input_json_delta', partial_json: JSON.stringify(call.args) },
      ]
    : [
        { type: 'text', text: '' },
        { type: 'text_delta', text: DONE },
      ];
  return events([
    { type: 'message_start', message: { ...message, content: [], stop_reason: null } },
    { type: 'content_block_start', index: 0, content_block: start },
    { type: 'content_block_delta', index: 0, delta },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: reason, stop_sequence: null }, usage: USAGE },
    { type: 'message_stop' },
  ] as { readonly type: string }[]);
}

function responses({ call }: ToAnswer): Answer {
  const item = call
    ? {
        type: 'function_call',
        id: 'fc_1',
        call_id: 'call_clawai_doctor',
        name: call.tool,
        arguments: JSON.stringify(call.args),
        status: 'completed',
      }
    : {
        type: 'message',
        id: 'msg_1',
        role: 'assistant',
        status: 'completed',
        content: [{ type: 'output_text', text: DONE, annotations: [] }],
      };
  const response = { id: `resp_${call ? 1 : 2}`, object: 'response', status: 'in_progress', model: 'm', output: [] };
  const usage = {
    ...USAGE,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: 2,
  };
  return events(
    [
      { type: 'response.created', response },
      { type: 'response.output_item.added', output_index: 0, item: { ...item, status: 'in_progress' } },
      { type: 'response.output_item.done', output_index: 0, item },
      { type: 'response.completed', response: { ...response, status: 'completed', output: [item], usage } },
    ].map((event, number) => ({ ...event, sequence_number: number })),
  );
}

function chat({ asked, call }: ToAnswer): Answer {
  const made = call && {
    index: 0,
    id: 'call_clawai_doctor',
    type: 'function',
    function: { name: call.tool, arguments: JSON.stringify(call.args) },
  };
  const message = { role: 'assistant', content: made ? null : DONE, ...(made && { tool_calls: [made] }) };
  const rest = { id: 'chat_1', created: 1, model: 'm' };
  const end = made ? 'tool_calls' : 'stop';
  if (asked['stream'] !== true)
    return [
      'application/json',
      JSON.stringify({ ...rest, object: 'chat.completion', choices: [{ index: 0, message, finish_reason: end }] }),
    ];
  const chunk = (delta: object, reason: string | null): string =>
    `data: ${JSON.stringify({ ...rest, object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason: reason }] })}\n\n`;
  return ['text/event-stream', `${chunk(message, null)}${chunk({}, end)}data: [DONE]\n\n`];
}

function gemini({ url, call }: ToAnswer): Answer {
  const part = call
    ? { functionCall: { id: 'call_clawai_doctor', name: call.tool, args: call.args }, thoughtSignature: 'c2lnbg==' }
    : { text: DONE };
  const answer = (parts: readonly object[], more: object = {}): string =>
    JSON.stringify({
      candidates: [{ content: { role: 'model', parts }, index: 0, ...more }],
      modelVersion: 'm',
      responseId: 'r',
    });
  if (!url.includes(':streamGenerateContent')) return ['application/json', answer([{ text: TRIAGE }], { finishReason: 'STOP' })];
  return [
    'text/event-stream',
    `data: ${answer([part])}\r\n\r\ndata: ${answer([{ text: '' }], { finishReason: 'STOP' })}\r\n\r\n`,
  ];
}
