import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as made from './response-events.ts';

/** The call that a model makes. */
export interface OneCall {
  readonly id: string;
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** How a model is asked for its answer: the API (`responses`: the other one of OpenAI), whole or as a stream. */
export interface Asking {
  readonly provider: 'anthropic' | 'openai' | 'responses' | 'gemini';
  readonly isStream: boolean;
}

export const ASKINGS: readonly Asking[] = (['anthropic', 'openai', 'responses', 'gemini'] as const).flatMap((provider) =>
  [false, true].map((isStream) => ({ provider, isStream })),
);

/** What the APIs' paths have in them. */
const PATHS = [
  ['/messages', 'anthropic'],
  ['completions', 'openai'],
  ['/responses', 'responses'],
] as const;

/** Stands in for every LLM provider: each answer is the same one call, in the words of the API that was asked. */
export class EveryModel {
  call: OneCall = { id: '', name: '', args: {} };
  /** Paths that it has; what is asked by another one is not found, as at the true APIs. */
  paths = /(?:)/;
  /** By which it was asked, and what. */
  readonly asked: string[] = [];
  readonly bodies: string[] = [];
  /** The whole stream that it answers with, where that is not the call. */
  stream: string | undefined;
  /** The whole answer, likewise. */
  whole: string | undefined;
  /** Under which either is given, and as what. */
  status = 200;
  type: string | undefined;
  readonly #server: Server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const url = request.url ?? '';
      this.asked.push(url);
      this.bodies.push(Buffer.concat(parts).toString());
      if (!this.paths.test(url)) {
        response
          .writeHead(404, { 'content-type': 'application/json' })
          .end('{"error":{"type":"not_found_error","message":"Not Found"}}');
        return;
      }
      const given = this.stream ?? this.whole;
      if (given !== undefined) {
        const type = this.type ?? (this.stream === undefined ? 'application/json' : 'text/event-stream');
        response.writeHead(this.status, { 'content-type': type, 'retry-after': '7' }).end(given);
        return;
      }
      const isStream = Buffer.concat(parts).includes('"stream":true') || url.includes('stream');
      const provider = PATHS.find(([path]) => url.includes(path))?.[1] ?? 'gemini';
      answerCall(response, this.call, { provider, isStream });
    });
  });

  static async start(): Promise<EveryModel> {
    const model = new EveryModel();
    await new Promise<void>((resolve) => model.#server.listen(0, '127.0.0.1', resolve));
    return model;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

/** Answers with one call, in the words of the API that is asked. */
export function answerCall(response: ServerResponse, call: OneCall, { provider, isStream }: Asking): void {
  const body = { anthropic: messages, openai: chat, responses, gemini }[provider](call, isStream);
  response.writeHead(200, { 'content-type': isStream ? 'text/event-stream' : 'application/json' }).end(body);
}

/** Asks for an answer. @param base URL in front of what the API's own paths begin with @returns the text of the body */
export async function askModel(base: string, { provider, isStream }: Asking): Promise<string> {
  const content = 'Do it.';
  const [path, body] = {
    anthropic: ['/v1/messages', { model: 'm', max_tokens: 9, stream: isStream, messages: [{ role: 'user', content }] }],
    openai: ['/chat/completions', { model: 'm', stream: isStream, messages: [{ role: 'user', content }] }],
    responses: ['/responses', { model: 'm', stream: isStream, input: content }],
    gemini: [
      `/v1beta/models/m:${isStream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
      { contents: [{ role: 'user', parts: [{ text: content }] }] },
    ],
  }[provider] as [string, object];
  const headers = { 'content-type': 'application/json' };
  return (await fetch(`${base}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })).text();
}

function messages({ id, name, args }: OneCall, isStream: boolean): string {
  const usage = { input_tokens: 1, output_tokens: 1 };
  const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'm', stop_sequence: null, usage };
  const block = { type: 'tool_use', id, name };
  if (!isStream) return JSON.stringify({ ...message, content: [{ ...block, input: args }], stop_reason: 'tool_use' });
  return [
    { type: 'message_start', message: { ...message, content: [], stop_reason: null } },
    { type: 'content_block_start', index: 0, content_block: { ...block, input: {} } },
    { type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: JSON.stringify(args) } },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'tool_use', stop_sequence: null }, usage },
    { type: 'message_stop' },
  ]
    .map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
    .join('');
}

function chat({ id, name, args }: OneCall, isStream: boolean): string {
  const completion = { id: 'chatcmpl-1', created: 1, model: 'm' };
  const call = { id, type: 'function', function: { name, arguments: JSON.stringify(args) } };
  const said = { role: 'assistant', content: null };
  if (!isStream) {
    const choice = { index: 0, message: { ...said, tool_calls: [call] }, finish_reason: 'tool_calls' };
    return JSON.stringify({ ...completion, object: 'chat.completion', choices: [choice] });
  }
  const chunks = [
    { index: 0, delta: { ...said, tool_calls: [{ index: 0, ...call }] }, finish_reason: null },
    { index: 0, delta: {}, finish_reason: 'tool_calls' },
  ].map((choice) => JSON.stringify({ ...completion, object: 'chat.completion.chunk', choices: [choice] }));
  return [...chunks, '[DONE]'].map((data) => `data: ${data}\n\n`).join('');
}

function responses({ id, name, args }: OneCall, isStream: boolean): string {
  const item = made.call(name, JSON.stringify(args), { call_id: id });
  return isStream ? made.stream([item]) : JSON.stringify(made.response([item]));
}

function gemini({ id, name, args }: OneCall, isStream: boolean): string {
  const content = { role: 'model', parts: [{ functionCall: { id, name, args } }] };
  const answer = JSON.stringify({ candidates: [{ content, finishReason: 'STOP', index: 0 }], responseId: 'r1' });
  return isStream ? `data: ${answer}\n\n` : answer;
}
