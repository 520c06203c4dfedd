import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { stream as chatStream } from './chat-chunks.ts';

/** A tool call that the model makes. */
export interface MockCall {
  readonly id: string;
  readonly name: string;
  readonly input: object;
  /** Of its block, where that is not the usual one. */
  readonly type?: string;
}

/** A request that has come, as far as tests ask. */
export interface MockRequest {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/**
 * Stands in for Anthropic's API on this machine, and for OpenAI's below its path, which it knows as streams alone: every answer has the same calls, streamed
 * where that is asked for.
 */
export class ModelMock {
  readonly requests: MockRequest[] = [];
  calls: readonly MockCall[];
  /** Text in the stream behind which it stops and stays open. */
  stalledBehind: string | undefined;
  readonly #server: Server;

  private constructor(calls: readonly MockCall[]) {
    this.calls = calls;
    this.#server = createServer((request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => {
        const { method, url, headers } = request;
        const body = Buffer.concat(parts).toString();
        this.requests.push({ method, url, headers, body });
        if (!body.includes('"stream":true')) {
          response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(messageOf(this.calls)));
          return;
        }
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        const stream = url?.includes('/chat/completions') === true ? chatStreamOf(this.calls) : streamOf(this.calls);
        const at = this.stalledBehind === undefined ? -1 : stream.indexOf(this.stalledBehind);
        if (at === -1) response.end(stream);
        else response.write(stream.slice(0, stream.indexOf('\n\n', at) + 2));
      });
    });
  }

  static async start(calls: readonly MockCall[]): Promise<ModelMock> {
    const mock = new ModelMock(calls);
    await new Promise<void>((resolve) => mock.#server.listen(0, '127.0.0.1', resolve));
    return mock;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

const USAGE = { input_tokens: 1, output_tokens: 1 };
const MESSAGE = { id: 'msg_1', type: 'message', role: 'assistant', model: 'some-model', stop_sequence: null };

function messageOf(calls: readonly MockCall[]): object {
  const content = [{ type: 'text', text: 'Well.' }, ...calls.map((call) => ({ type: 'tool_use', ...call }))];
  return { ...MESSAGE, content, stop_reason: calls.length > 0 ? 'tool_use' : 'end_turn', usage: USAGE };
}

function chatStreamOf(calls: readonly MockCall[]): string {
  return chatStream(
    'Well.',
    calls.map(({ id, name, input }) => ({ id, name, args: JSON.stringify(input) })),
  );
}

function streamOf(calls: readonly MockCall[]): string {
  const events = [
    { type: 'message_start', message: { ...MESSAGE, content: [], stop_reason: null, usage: USAGE } },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Well.' } },
    { type: 'content_block_stop', index: 0 },
    ...calls.flatMap(({ id, name, input, type = 'tool_use' }, at) => [
      { type: 'content_block_start', index: at + 1, content_block: { type, id, name, input: {} } },
      {
        type: 'content_block_delta',
        index: at + 1,
        delta: { type: 'input_json_delta', partial_json: JSON.stringify(input) },
      },
      { type: 'content_block_stop', index: at + 1 },
    ]),
    {
      type: 'message_delta',
      delta: { stop_reason: calls.length > 0 ? 'tool_use' : 'end_turn', stop_sequence: null },
      usage: { output_tokens: 9 },
    },
    { type: 'message_stop' },
  ];
  return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');
}
