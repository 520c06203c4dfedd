/** A payload of an event. */
export type Payload = Readonly<Record<string, unknown>> & { readonly type: string };

/** A content block as a model makes it: what its first event has, and the deltas. */
export interface BlockPlan {
  readonly start: Readonly<Record<string, unknown>>;
  readonly deltas: readonly Readonly<Record<string, unknown>>[];
}

export const USAGE = { input_tokens: 7, output_tokens: 1, service_tier: 'standard' };

/** One frame. */
export function frame(payload: Payload): string {
  return `event: ${payload.type}\ndata: ${JSON.stringify(payload)}\n\n`;
}

export function frames(payloads: readonly Payload[]): string {
  return payloads.map(frame).join('');
}

export function begin(content: readonly object[] = []): Payload {
  const empty = {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'm-1',
    content,
    stop_reason: null,
    stop_sequence: null,
  };
  return { type: 'message_start', message: { ...empty, usage: USAGE } };
}

/** The end of a message, with the reason for it. */
export function finish(reason: string): readonly Payload[] {
  const delta = { stop_reason: reason, stop_sequence: null };
  return [{ type: 'message_delta', delta, usage: { output_tokens: 89 } }, { type: 'message_stop' }];
}

export function blockEvents(index: number, { start, deltas }: BlockPlan): readonly Payload[] {
  return [
    { type: 'content_block_start', index, content_block: start },
    ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
    { type: 'content_block_stop', index },
  ];
}

export function textBlock(text: string): BlockPlan {
  return { start: { type: 'text', text: '' }, deltas: [{ type: 'text_delta', text }] };
}

export function thinkingBlock(thinking: string): BlockPlan {
  const signature = { type: 'signature_delta', signature: 'c2lnbmF0dXJl' };
  return { start: { type: 'thinking', thinking: '', signature: '' }, deltas: [{ type: 'thinking_delta', thinking }, signature] };
}

/** A call whose arguments come in pieces of the given length. */
export function callBlock(id: string, name: string, args: string, piece = 7): BlockPlan {
  const start = { type: 'tool_use', id, name, input: {} };
  return { start, deltas: ['', ...cut(args, piece)].map((partial) => ({ type: 'input_json_delta', partial_json: partial })) };
}

/** A whole message of these blocks. */
function message(blocks: readonly BlockPlan[], reason = 'tool_use'): readonly Payload[] {
  return [begin(), ...blocks.flatMap((block, index) => blockEvents(index, block)), ...finish(reason)];
}

export function stream(blocks: readonly BlockPlan[], reason = 'tool_use'): string {
  return frames(message(blocks, reason));
}

function cut(text: string, length: number): readonly string[] {
  const pieces: string[] = [];
  for (let at = 0; at < text.length; at += length) pieces.push(text.slice(at, at + length));
  return pieces;
}
