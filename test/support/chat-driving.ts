import type { CallVerdict, ModelCall } from '../../src/protocol/llm/dialect.ts';
import { createChatStream } from '../../src/protocol/llm/openai/chat/stream.ts';
import { accumulateChat, type AccumulatedChoice } from './chat-accumulator.ts';
import type { CallPlan } from './chat-chunks.ts';
import { type Driven, driveModelStream, type Driving } from './drive-model-stream.ts';

export const READ: CallPlan = { id: 'a', name: 'read', args: '{"path":"/a"}' };
export const WRITE: CallPlan = { id: 'b', name: 'write', args: '{"to":"/b"}' };
export const NO = { isAllowed: false, note: '[clawai] No.' } as const;

/** Has a stream pass whose calls are held, unless told otherwise; each text is a chunk. */
export function drive(source: string | readonly string[], driving: Omit<Driving, 'create'> = {}): Driven {
  const chunks = (typeof source === 'string' ? [source] : source).map((text) => Buffer.from(text));
  return driveModelStream(chunks, { create: createChatStream, nameVerdict: () => 'hold', ...driving });
}

/** The verdict on calls by their names. */
export function denying(...names: readonly string[]): (call: ModelCall) => CallVerdict {
  return ({ name }) => (names.includes(name) ? NO : { isAllowed: true });
}

/** The messages that the client has. */
export function choicesOf({ text }: Driven): readonly AccumulatedChoice[] {
  return accumulateChat(text).choices;
}

/** The names of its calls. */
export function namesIn(choice: AccumulatedChoice | undefined): readonly (string | undefined)[] {
  return (choice?.toolCalls ?? []).map(({ function: fn, custom }) => fn?.name ?? custom?.name);
}
