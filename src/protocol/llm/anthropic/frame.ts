import type { SseEvent } from '../../sse/splitter.ts';
import { hasVariantKey, isObject, type JsonObject, knownKeys } from '../json-object.ts';
import { applyEdits, elementsOf, membersOf, sourceOf, stringOf, type TextSpan, wholeOf } from '../json-text.ts';
import { type Frame, readTypedFrame } from '../typed-frame.ts';
import type { CallBlock } from './call-block.ts';

/** The keys of a call, of a result, and of the other parts of blocks and deltas that are read. */
export const BLOCK_KEYS = knownKeys([
  'type',
  'id',
  'name',
  'input',
  'toolset_name',
  'server_name',
  'tool_use_id',
  'partial_json',
  'text',
  'content',
  'stop_reason',
]);

/** Keys that decide the meaning of a payload. */
const PAYLOAD_KEYS = knownKeys(['type', 'index', 'message', 'content_block', 'delta', 'error', 'usage']);

/** Parses an event like `readTypedFrame`. */
export function readFrame(event: SseEvent, data: Buffer): Frame | string {
  return readTypedFrame(event, data, hasVariant);
}

function hasVariant(payload: JsonObject): boolean {
  if (hasVariantKey(payload, PAYLOAD_KEYS)) return true;
  return ['content_block', 'delta', 'message'].some((name) => {
    const inner = payload[name];
    return isObject(inner) && hasVariantKey(inner, BLOCK_KEYS);
  });
}

/** Returns the block index of an event; undefined if it can't be read. */
export function indexOf(frame: Frame): number | undefined {
  const index = frame.payload['index'];
  return typeof index === 'number' && Number.isSafeInteger(index) && index >= 0 ? index : undefined;
}

/** Returns the payload with another block index. */
export function atIndex(frame: Frame, index: number): string {
  if (frame.payload['index'] === index) return frame.data;
  return replaced(frame.data, memberAt(frame.data, ['index']), String(index));
}

/** Returns a `message_delta` with the end of the turn as its stop reason, if that was to run tools. */
export function withoutToolReason(frame: Frame): string {
  const span = memberAt(frame.data, ['delta', 'stop_reason']);
  return stringOf(frame.data, span) === 'tool_use' ? replaced(frame.data, span, '"end_turn"') : frame.data;
}

/** Returns the JSON text of the arguments in a block's first event; empty if there are none. */
export function givenInput(frame: Frame): string {
  return sourceOf(frame.data, memberAt(frame.data, ['content_block', 'input'])) ?? '';
}

/** Returns the block that an event begins. */
export function begunBlock({ payload, data }: Frame): CallBlock {
  const block = payload['content_block'];
  return {
    type: isObject(block) ? block['type'] : undefined,
    text: () => sourceOf(data, memberAt(data, ['content_block'])) ?? '',
  };
}

/** Returns the id of the message that a `message_start` begins. */
export function messageId(frame: Frame): string | undefined {
  return stringOf(frame.data, memberAt(frame.data, ['message', 'id']));
}

/** Returns the blocks that a `message_start` already contains. */
export function prefilledBlocks(frame: Frame): readonly TextSpan[] {
  const span = memberAt(frame.data, ['message', 'content']);
  return elementsOf(frame.data, span) ?? [];
}

function memberAt(text: string, path: readonly string[]): TextSpan | undefined {
  let span: TextSpan | undefined = wholeOf(text);
  for (const key of path) span = membersOf(text, span)?.get(key);
  return span;
}

function replaced(text: string, span: TextSpan | undefined, by: string): string {
  return span === undefined ? text : applyEdits(text, [{ ...span, text: by }]);
}
