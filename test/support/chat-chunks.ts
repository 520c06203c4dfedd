/** What all chunks of a stream have. */
const HEAD = {
  id: 'chatcmpl-1',
  object: 'chat.completion.chunk',
  created: 1_700_000_000,
  model: 'm-1',
  system_fingerprint: 'fp_1',
};

export const USAGE = { prompt_tokens: 7, completion_tokens: 89, total_tokens: 96 };

export const DONE = 'data: [DONE]\n\n';

/** One frame. */
export function frame(payload: object): string {
  return `data: ${JSON.stringify(payload)}\n\n`;
}

/** A chunk of one choice, as a frame. */
export function chunk(
  delta: object,
  { index = 0, finish: reason = null }: { readonly index?: number; readonly finish?: string | null } = {},
): string {
  return frame({ ...HEAD, choices: [{ index, delta, logprobs: null, finish_reason: reason }], obfuscation: 'Xy3' });
}

export function begin(index = 0): string {
  return chunk({ role: 'assistant', content: '', refusal: null }, { index });
}

export function said(content: string, index = 0): string {
  return chunk({ content }, { index });
}

export function finish(reason: string, index = 0): string {
  return chunk({}, { index, finish: reason });
}

export function usage(): string {
  return frame({ ...HEAD, choices: [], usage: USAGE });
}

/** A part of a call, as an element of `tool_calls`. */
export function part(index: number, of: { readonly id?: string; readonly name?: string; readonly args?: string }): object {
  const { id, name, args } = of;
  const fn = { ...(name === undefined ? {} : { name }), ...(args === undefined ? {} : { arguments: args }) };
  return { index, ...(id === undefined ? {} : { id, type: 'function' }), function: fn };
}

export interface CallPlan {
  readonly id: string;
  readonly name: string;
  readonly args: string;
  /** Characters of arguments in each part. */
  readonly piece?: number;
}

/** The frames of a call: its name, and its arguments in pieces. */
export function callChunks(at: number, { id, name, args, piece = 7 }: CallPlan, index = 0): readonly string[] {
  const first = part(at, { id, name, args: '' });
  return [first, ...slices(args, piece).map((text) => part(at, { args: text }))].map((each) =>
    chunk({ tool_calls: [each] }, { index }),
  );
}

/** A whole stream of one choice. */
export function stream(words: string, calls: readonly CallPlan[], reason = calls.length > 0 ? 'tool_calls' : 'stop'): string {
  return [
    begin(),
    ...cut(words, 3).map((text) => said(text)),
    ...calls.flatMap((call, at) => callChunks(at, call)),
    finish(reason),
    usage(),
    DONE,
  ].join('');
}

/** Also within a character, as far as a text can be. */
function slices(text: string, length: number): readonly string[] {
  return Array.from({ length: Math.ceil(text.length / length) }, (_, at) => text.slice(at * length, (at + 1) * length));
}

function cut(text: string, length: number): readonly string[] {
  const characters = [...text];
  const pieces: string[] = [];
  for (let at = 0; at < characters.length; at += length) pieces.push(characters.slice(at, at + length).join(''));
  return pieces;
}
