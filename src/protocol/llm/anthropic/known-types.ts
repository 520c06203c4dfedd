import { isObject, objectsIn } from '../json-object.ts';
import { formatUnknown } from '../note.ts';
import type { SseEvent } from '../../sse/splitter.ts';
import { type Frame, readFrame } from './frame.ts';

const EVENTS: ReadonlySet<unknown> = new Set(
  'content_block_delta content_block_start content_block_stop error message_delta message_start message_stop ping'.split(' '),
);

/** Blocks that say something, think, or tell what the provider has done. */
const BLOCKS: ReadonlySet<unknown> = new Set([
  'compaction',
  'container_upload',
  'document',
  'fallback',
  'image',
  'mcp_tool_listing',
  'redacted_thinking',
  'search_result',
  'text',
  'thinking',
]);

/** Calls of a kind that is not known are read as calls, and what the provider's own calls came to runs nothing. */
const CALL_OR_RESULT = /(?:^|_)tool_(?:use|result)$/;

const DELTAS: ReadonlySet<unknown> = new Set([
  'citations_delta',
  'compaction_delta',
  'input_json_delta',
  'signature_delta',
  'text_delta',
  'thinking_delta',
]);

/** Is this type of a block one of which it is known whether it is a call? */
export function isKnownBlock(type: unknown): boolean {
  return BLOCKS.has(type) || (typeof type === 'string' && CALL_OR_RESULT.test(type));
}

/** Reads an event as `readFrame` does. Where nobody knows what it is, that is what is wrong with it, unless all passes. */
export function readKnownFrame(event: SseEvent, data: Buffer, passesUnknown = false): Frame | string {
  const frame = readFrame(event, data);
  return typeof frame === 'string' || passesUnknown ? frame : (findUnknownType(frame) ?? frame);
}

/**
 * What nobody knows in an event of a stream, so that it may be a call: its type, that of a block that it begins or that a message begins with, or
 * that of a part of a block. Undefined where there is nothing of the kind.
 */
export function findUnknownType({ type, payload }: Pick<Frame, 'type' | 'payload'>): string | undefined {
  const { content_block: block, delta, message } = payload;
  if (!EVENTS.has(type)) return formatUnknown('an event', type);
  const content = type === 'message_start' && isObject(message) ? message['content'] : undefined;
  const blocks = [...(type === 'content_block_start' ? [block] : []), ...objectsIn(content)].filter(isObject);
  const unknown = blocks.find((each) => !isKnownBlock(each['type']));
  if (unknown !== undefined) return formatUnknown('a block', String(unknown['type']));
  if (type !== 'content_block_delta' || !isObject(delta) || DELTAS.has(delta['type'])) return undefined;
  return formatUnknown('a part of a block', String(delta['type']));
}
