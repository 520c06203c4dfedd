import { applyEdits, elementsOf, membersOf, sourceOf, stringOf, type TextSpan, wholeOf } from '../json-text.ts';
import { isObject } from '../json-object.ts';
import type { CallBlock } from './call-block.ts';
import type { Frame } from './frame.ts';

/** Which block an event is about; undefined where that can't be read. */
export function indexOf(frame: Frame): number | undefined {
  const index = frame.payload['index'];
  return typeof index === 'number' && Number.isSafeInteger(index) && index >= 0 ? index : undefined;
}

/** The payload with its block at another place. */
export function atIndex(frame: Frame, index: number): string {
  if (frame.payload['index'] === index) return frame.data;
  return replaced(frame.data, memberAt(frame.data, ['index']), String(index));
}

/** A `message_delta` that says that the turn has ended, where it said that the client is to run tools. */
export function withoutToolReason(frame: Frame): string {
  const span = memberAt(frame.data, ['delta', 'stop_reason']);
  return stringOf(frame.data, span) === 'tool_use' ? replaced(frame.data, span, '"end_turn"') : frame.data;
}

/** JSON text of the arguments that a block's first event has; empty where it has none. */
export function givenInput(frame: Frame): string {
  return sourceOf(frame.data, memberAt(frame.data, ['content_block', 'input'])) ?? '';
}

/** The block that an event begins. */
export function begunBlock({ payload, data }: Frame): CallBlock {
  const block = payload['content_block'];
  return {
    type: isObject(block) ? block['type'] : undefined,
    text: () => sourceOf(data, memberAt(data, ['content_block'])) ?? '',
  };
}

/** The id of the message that a `message_start` begins. */
export function messageId(frame: Frame): string | undefined {
  return stringOf(frame.data, memberAt(frame.data, ['message', 'id']));
}

/** The blocks that a `message_start` has already. */
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
