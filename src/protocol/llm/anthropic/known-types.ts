import { holdsCallWords } from '../calls.ts';
import { isObject, type JsonObject, objectsIn } from '../json-object.ts';
import { formatUnknown } from '../note.ts';
import type { SseEvent } from '../../sse/splitter.ts';
import type { Frame } from '../typed-frame.ts';
import { readFrame } from './frame.ts';

const EVENTS: ReadonlySet<unknown> = new Set(
  'content_block_delta content_block_start content_block_stop error message_delta message_start message_stop ping'.split(' '),
);

/** Blocks with text, thinking, or reports of the provider's actions. */
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

/** Blocks that quote definitions of tools, which may contain any word. */
const QUOTING: ReadonlySet<unknown> = new Set(['compaction', 'mcp_tool_listing']);

/** The member of each event that is checked separately. */
const PLACES: Readonly<Record<string, string>> = {
  content_block_delta: 'delta',
  content_block_start: 'content_block',
  message_delta: 'delta',
  message_start: 'message',
};

/** Members that describe calls in words of their own. */
const TELLING: ReadonlySet<string> = new Set(['context_management', 'usage']);

/** Matches calls, even of unknown types, which are read as calls, and results of the provider's calls, which run nothing. */
const CALL_OR_RESULT = /(?:^|_)tool_(?:use|result)$/;

const DELTAS: ReadonlySet<unknown> = new Set([
  'citations_delta',
  'compaction_delta',
  'input_json_delta',
  'signature_delta',
  'text_delta',
  'thinking_delta',
]);

/** Tells whether it is known if a block of this type is a call. */
export function isKnownBlock(type: unknown): boolean {
  return BLOCKS.has(type) || (typeof type === 'string' && CALL_OR_RESULT.test(type));
}

/** Tells whether there is a call outside of the member that is checked separately, as in other APIs' answers. @param place that member */
export function hasCallBeside(object: JsonObject, place?: string): boolean {
  return holdsCallWords(Object.fromEntries(Object.entries(object).filter(([key]) => key !== place && !TELLING.has(key))));
}

/** Tells whether a block of text or thinking contains a call. */
export function hasCallWithin(block: JsonObject): boolean {
  const { type } = block;
  return BLOCKS.has(type) && !QUOTING.has(type) && holdsCallWords(block);
}

/** Parses an event like `readFrame`. An unknown event is a fault, unless unknown content passes. */
export function readKnownFrame(event: SseEvent, data: Buffer, passesUnknown = false): Frame | string {
  const frame = readFrame(event, data);
  return typeof frame === 'string' || passesUnknown ? frame : (findUnknownType(frame) ?? frame);
}

/**
 * Finds unknown content in an event of a stream, which may be a call: the event's type, a block's type, or a delta's type. Undefined if
 * there is none.
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
