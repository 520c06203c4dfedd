import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync, zstdDecompressSync } from 'node:zlib';
import * as anthropic from './anthropic-events.ts';
import * as chat from './chat-chunks.ts';
import * as gemini from './gemini-events.ts';
import * as responses from './response-events.ts';

/** A request as the model got it. */
export interface TokenRequest {
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/**
 * Stands in for each API's model: it says the token that its request has last, and calls Bash with it. Without a token it says nothing
 * special.
 */
export class TokenModel {
  readonly requests: TokenRequest[] = [];
  /** What it says in place of a token. */
  says: string | undefined;
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => {
        const { url = '', headers } = request;
        const body = decoded(Buffer.concat(parts), headers['content-encoding']);
        this.requests.push({ url, headers, body });
        const token = this.says ?? body.match(/CLAWAI(?:-[A-Z]+)+-[0-9A-Z]{14}/g)?.at(-1) ?? 'nothing';
        answer(response, { url, isStream: body.includes('"stream":true') || url.includes(':stream'), token });
      });
    });
  }

  static async start(): Promise<TokenModel> {
    const model = new TokenModel();
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

function decoded(body: Buffer, coding: string | undefined): string {
  if (coding === 'gzip') return gunzipSync(body).toString();
  return (coding === 'zstd' ? zstdDecompressSync(body) : body).toString();
}

interface Answering {
  readonly url: string;
  readonly isStream: boolean;
  readonly token: string;
}

function answer(response: ServerResponse, { url, isStream, token }: Answering): void {
  const text = `It is ${token}, clear.`;
  const args = JSON.stringify({ command: `login ${token}` });
  const json = (body: object): void =>
    void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  const events = (stream: string): void => void response.writeHead(200, { 'content-type': 'text/event-stream' }).end(stream);
  if (url.includes('count_tokens')) return json({ input_tokens: 1 });
  if (url.includes('/messages')) {
    const call = anthropic.callBlock('toolu_1', 'Bash', args, 9);
    const pieces = text.match(/.{1,7}/gs) ?? [];
    const said = { start: { type: 'text', text: '' }, deltas: pieces.map((piece) => ({ type: 'text_delta', text: piece })) };
    if (isStream) return events(anthropic.stream([said, call]));
    const content = [
      { type: 'text', text },
      { ...call.start, input: JSON.parse(args) as object },
    ];
    return json({
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'm',
      content,
      stop_reason: 'tool_use',
      stop_sequence: null,
      usage: anthropic.USAGE,
    });
  }
  if (url.includes('/responses')) {
    const items = [responses.message(text), responses.call('Bash', args)];
    return isStream ? events(responses.stream(items)) : json(responses.response(items));
  }
  if (url.includes('/chat/completions')) {
    if (isStream) return events(chat.stream(text, [{ id: 'call_1', name: 'Bash', args }]));
    const call = { id: 'call_1', type: 'function', function: { name: 'Bash', arguments: args } };
    const message = { role: 'assistant', content: text, refusal: null, tool_calls: [call] };
    return json({
      id: 'c',
      object: 'chat.completion',
      created: 1,
      model: 'm',
      choices: [{ index: 0, message, finish_reason: 'tool_calls', logprobs: null }],
      usage: chat.USAGE,
    });
  }
  const call = gemini.call('Bash', JSON.parse(args));
  const pieces = (text.match(/.{1,7}/gs) ?? []).map((piece) => gemini.payload([gemini.text(piece)]));
  if (isStream) return events(gemini.sse([...pieces, gemini.payload([call]), gemini.finish()]));
  return json(gemini.payload([gemini.text(text), call], { finishReason: 'STOP' }));
}
