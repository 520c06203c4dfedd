import { holdsCallWords } from '../calls.ts';
import { isObject, type JsonObject, objectsIn } from '../json-object.ts';
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

/** Blocks that quote definitions of tools, in which any word may be. */
const QUOTING: ReadonlySet<unknown> = new Set(['compaction', 'mcp_tool_listing']);

/** Where events have what is looked at for itself. */
const PLACES: Readonly<Record<string, string>> = {
  content_block_delta: 'delta',
  content_block_start: 'content_block',
  message_delta: 'delta',
  message_start: 'message',
};

/** Members that tell of calls in words of their own. */
const TELLING: ReadonlySet<string> = new Set(['context_management', 'usage']);

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

/** Is there a call beside what is looked at for itself, as answers of other APIs have them? @param place the member that is */
export function hasCallBeside(object: JsonObject, place?: string): boolean {
  return holdsCallWords(Object.fromEntries(Object.entries(object).filter(([key]) => key !== place && !TELLING.has(key))));
}

/** Does a block have a call in it that says something, or thinks? */
export function hasCallWithin(block: JsonObject): boolean {
  const { type } = block;
  return BLOCKS.has(type) && !QUOTING.has(type) && holdsCallWords(block);
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
  const isElsewhere =
    hasCallBeside(payload, PLACES[type]) ||
    (isObject(message) && hasCallBeside(message, 'content')) ||
    (!Array.isArray(content) && holdsCallWords(content)) ||
    (isObject(delta) && hasCallBeside(delta)) ||
    blocks.some(hasCallWithin);
  if (isElsewhere) return 'a call where none is expected';
  if (type !== 'content_block_delta' || !isObject(delta) || DELTAS.has(delta['type'])) return undefined;
  return formatUnknown('a part of a block', String(delta['type']));
}
