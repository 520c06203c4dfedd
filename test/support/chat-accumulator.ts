import { SseSplitter } from '../../src/protocol/sse/splitter.ts';

export interface AccumulatedCall {
  id: string;
  type: string;
  function?: { name: string; arguments: string };
  custom?: { name: string; input: string };
  [extra: string]: unknown;
}

export interface AccumulatedChoice {
  role: string;
  content: string;
  readonly toolCalls: AccumulatedCall[];
  functionCall: { name: string; arguments: string } | undefined;
  finish: unknown;
  /** Everything else that deltas said, put together. */
  readonly rest: Record<string, string>;
}

/** The messages that a stream made, as the strictest client would have them. */
export interface AccumulatedChat {
  readonly choices: AccumulatedChoice[];
  usage: unknown;
  /** What the first chunk was besides. */
  rest: Record<string, unknown>;
  isFinished: boolean;
  error: unknown;
}

interface Delta extends Record<string, unknown> {
  readonly role?: string;
  readonly content?: string | null;
  readonly tool_calls?: readonly (Record<string, unknown> & { readonly index: number })[];
  readonly function_call?: { readonly name?: string; readonly arguments?: string };
}

interface Payload extends Record<string, unknown> {
  readonly choices: readonly { readonly index: number; readonly delta: Delta; readonly finish_reason: unknown }[];
  readonly error?: unknown;
}

/**
 * Follows a stream and throws at anything that is not in order: a named event, a gap in the indices, a choice without a role, a call without an id,
 * a name or a type, anything but usage after the end, an event after `[DONE]`.
 */
export function accumulateChat(text: string): AccumulatedChat {
  const made: AccumulatedChat = { choices: [], usage: undefined, rest: {}, isFinished: false, error: undefined };
  const must = (isTrue: boolean, what: string) => {
    if (!isTrue) throw new Error(`${what} in\n${text}`);
  };
  let isFirst = true;
  const splitter = new SseSplitter({ maxFrame: 1 << 23 });
  splitter.push(Buffer.from(text), (event) => {
    must(event.event === undefined, 'a name of an event');
    if (event.data === undefined) return;
    const data = event.data.toString('utf8', event.dataStart, event.dataEnd);
    must(event.isPlain, 'an event that readers differ on');
    must(!made.isFinished && made.error === undefined, 'an event after the end');
    if (data === '[DONE]') {
      for (const choice of made.choices) checkChoice(choice, must);
      made.isFinished = true;
      return;
    }
    const { choices, usage, error, obfuscation: _hidden, ...rest } = JSON.parse(data) as Payload;
    made.error = error;
    if (error !== undefined) return;
    if (isFirst) made.rest = rest;
    isFirst = false;
    if (usage !== undefined && usage !== null) made.usage = usage;
    for (const { index, delta, finish_reason: finish } of choices) {
      made.choices[index] ??= { role: '', content: '', toolCalls: [], functionCall: undefined, finish: null, rest: {} };
      addDelta(made.choices[index], delta, must);
      if (finish !== null) made.choices[index].finish = finish;
    }
  });
  must(splitter.end().length === 0, 'an unfinished frame');
  return made;
}

type Must = (isTrue: boolean, what: string) => void;

function addDelta(choice: AccumulatedChoice, delta: Delta, must: Must): void {
  const { role, content, tool_calls: parts = [], function_call: legacy, ...rest } = delta;
  if (role !== undefined) choice.role = role;
  if (typeof content === 'string') choice.content += content;
  for (const [key, value] of Object.entries(rest)) {
    if (value !== null) choice.rest[key] = (choice.rest[key] ?? '') + (typeof value === 'string' ? value : JSON.stringify(value));
  }
  if (legacy !== undefined) {
    choice.functionCall ??= { name: '', arguments: '' };
    choice.functionCall.name = legacy.name ?? choice.functionCall.name;
    choice.functionCall.arguments += legacy.arguments ?? '';
  }
  for (const { index, id, type, function: fn, custom, ...extras } of parts) {
    must(index >= 0 && index <= choice.toolCalls.length, 'a gap in the indices');
    const call = (choice.toolCalls[index] ??= { id: '', type: '' });
    Object.assign(call, extras);
    if (typeof id === 'string') call.id = id;
    if (typeof type === 'string') call.type = type;
    if (fn !== undefined) {
      const { name = '', arguments: args = '' } = fn as { name?: string; arguments?: string };
      call.function = {
        name: name === '' ? (call.function?.name ?? '') : name,
        arguments: (call.function?.arguments ?? '') + args,
      };
    }
    if (custom !== undefined) {
      const { name = '', input = '' } = custom as { name?: string; input?: string };
      call.custom = { name: name === '' ? (call.custom?.name ?? '') : name, input: (call.custom?.input ?? '') + input };
    }
  }
}

function checkChoice({ role, toolCalls }: AccumulatedChoice, must: Must): void {
  must(role === 'assistant', 'a choice without a role');
  for (const { id, type, function: fn, custom } of toolCalls)
    must(id !== '' && type !== '' && (fn?.name ?? custom?.name ?? '') !== '', 'a call without an id, a type or a name');
}
