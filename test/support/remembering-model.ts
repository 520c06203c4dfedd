import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isDeepStrictEqual } from 'node:util';
import { blockEvents, frames } from './anthropic-events.ts';

/** A block of a message. */
export type Block = Readonly<Record<string, unknown>>;

interface Message {
  readonly role: string;
  readonly content: string | readonly Block[];
}

/** A body of a request for an answer. */
export interface ModelBody {
  readonly messages: readonly Message[];
  readonly stream?: boolean;
  readonly thread?: { readonly type: string; readonly previous_message_id?: string };
}

/**
 * Stands in for Anthropic's API on this machine, and is as strict about conversations as that: calls have results, results have calls, what was
 * thought comes back as it was, threads go on from what they were. It says what it is told to, one answer after the other.
 */
export class RememberingModel {
  readonly bodies: ModelBody[] = [];
  /** The same as they came. */
  readonly texts: string[] = [];
  /** Why requests were refused. */
  readonly refusals: string[] = [];
  #answers: readonly (readonly Block[])[];
  readonly #server: Server;
  /** What it has said. */
  readonly #said: (readonly Block[])[] = [];
  /** The conversations of threads, by the id of their last message. */
  readonly #threads = new Map<string, readonly Message[]>();

  private constructor(answers: readonly (readonly Block[])[]) {
    this.#answers = answers;
    this.#server = createServer((request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => {
        const text = Buffer.concat(parts).toString();
        this.#answer(request.url ?? '', text, response);
      });
    });
  }

  static async start(answers: readonly (readonly Block[])[]): Promise<RememberingModel> {
    const model = new RememberingModel(answers);
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

  #answer(url: string, text: string, response: ServerResponse): void {
    const body = JSON.parse(text) as ModelBody;
    this.bodies.push(body);
    this.texts.push(text);
    const { thread, messages } = body;
    const before = thread?.type === 'continue' ? this.#threads.get(thread.previous_message_id ?? '') : [];
    const history = [...(before ?? []), ...messages];
    const fault = before === undefined ? 'there is no such thread' : findFault(history, this.#said);
    if (fault !== undefined) {
      this.refusals.push(fault);
      const error = { type: 'error', error: { type: 'invalid_request_error', message: fault } };
      response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify(error));
      return;
    }
    if (url.includes('count_tokens')) {
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"input_tokens":1}');
      return;
    }
    const [content = [{ type: 'text', text: 'All is said.' }], ...rest] = this.#answers;
    this.#answers = rest;
    this.#said.push(content);
    const id = `msg_${this.#said.length}`;
    if (thread !== undefined) this.#threads.set(id, [...history, { role: 'assistant', content }]);
    send(response, { id, content, isStream: body.stream === true });
  }
}

function send(
  response: ServerResponse,
  made: { readonly id: string; readonly content: readonly Block[]; readonly isStream: boolean },
): void {
  const { id, content, isStream } = made;
  const reason = content.some(({ type }) => type === 'tool_use') ? 'tool_use' : 'end_turn';
  const usage = { input_tokens: 1, output_tokens: 1 };
  const head = { id, type: 'message', role: 'assistant', model: 'some-model', stop_sequence: null, usage };
  if (!isStream) {
    const whole = { ...head, content, stop_reason: reason };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(whole));
    return;
  }
  const text = frames([
    { type: 'message_start', message: { ...head, content: [], stop_reason: null } },
    ...content.flatMap((block, index) => blockEvents(index, planOf(block))),
    { type: 'message_delta', delta: { stop_reason: reason, stop_sequence: null }, usage: { output_tokens: 9 } },
    { type: 'message_stop' },
  ]);
  response.writeHead(200, { 'content-type': 'text/event-stream' }).end(text);
}

function planOf(block: Block): { start: Block; deltas: Block[] } {
  const { type, text, thinking, signature, input } = block;
  if (type === 'text') return { start: { ...block, text: '' }, deltas: [{ type: 'text_delta', text }] };
  if (type === 'thinking') {
    const deltas = [
      { type: 'thinking_delta', thinking },
      { type: 'signature_delta', signature },
    ];
    return { start: { ...block, thinking: '', signature: '' }, deltas };
  }
  return { start: { ...block, input: {} }, deltas: [{ type: 'input_json_delta', partial_json: JSON.stringify(input) }] };
}

/** What the API has against a conversation, in its words. */
function findFault(history: readonly Message[], said: readonly (readonly Block[])[]): string | undefined {
  let open: readonly unknown[] = [];
  for (const [at, { role, content }] of history.entries()) {
    const blocks: readonly Block[] = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
    if (blocks.some(({ type, text }) => type === 'text' && String(text).trim() === ''))
      return `messages.${at}: text content blocks must contain non-whitespace text`;
    const other = blocks.findIndex(({ type }) => type !== 'tool_result');
    const results = blocks.slice(0, other === -1 ? blocks.length : other).map((block) => block['tool_use_id']);
    const missing = open.filter((id) => !results.includes(id));
    if (missing.length > 0)
      return `messages.${at - 1}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${missing.join(', ')}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`;
    const all = blocks.filter(({ type }) => type === 'tool_result').map((block) => block['tool_use_id']);
    const unexpected = all.filter((id) => !open.includes(id));
    if (unexpected.length > 0 || new Set(all).size !== all.length)
      return `messages.${at}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${unexpected.join(', ')}`;
    open = role === 'assistant' ? blocks.filter(({ type }) => type === 'tool_use').map(({ id }) => id) : [];
    const isThought = blocks.some(({ type }) => type === 'thinking');
    if (role === 'assistant' && isThought && !said.some((one) => isDeepStrictEqual(one, blocks)))
      return `messages.${at}: \`thinking\` blocks cannot be modified, and what stands beside them neither`;
  }
  return open.length === 0
    ? undefined
    : `messages: \`tool_use\` ids were found without \`tool_result\` blocks: ${open.join(', ')}`;
}
