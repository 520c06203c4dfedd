import { SseSplitter } from '../../src/protocol/sse/splitter.ts';
import type { Item } from './response-events.ts';

interface AccumulatedResponse {
  /** As the ends of the items had them. */
  readonly items: readonly Item[];
  /** As the whole answer at the end had them. */
  readonly output: readonly Item[] | undefined;
  readonly usage: unknown;
  readonly error: unknown;
  readonly isFinished: boolean;
}

/** Types of items whose texts come in pieces. */
const IN_PIECES: ReadonlySet<unknown> = new Set(['custom_tool_call', 'function_call', 'message', 'mcp_call', 'shell_call']);

/** What the strictest client makes of a stream of the Responses API; it throws at what is not in order. */
export function accumulateResponse(text: string): AccumulatedResponse {
  const begun = new Map<number, { type: unknown; text: string; done: Item | undefined }>();
  let last = -1;
  let end: Item | undefined;
  let error: unknown;
  new SseSplitter({ maxFrame: 1 << 24 }).push(Buffer.from(text), ({ data, dataStart, dataEnd, event }) => {
    if (data === undefined) return;
    const payload = JSON.parse(data.toString('utf8', dataStart, dataEnd)) as Record<string, unknown>;
    const type = String(payload['type']);
    expectSame(event, type, 'the name of an event');
    if (end !== undefined) throw new Error(`${type} after the end`);
    if (type === 'error') error = payload;
    const { output_index: index, item } = payload as { output_index?: number; item?: Item };
    if (type === 'response.output_item.added') {
      if (index === undefined || index <= last) throw new Error(`an item at ${index} after one at ${last}`);
      last = index;
      begun.set(index, { type: item?.['type'], text: '', done: undefined });
    } else if (index !== undefined) {
      const open = begun.get(index);
      if (open === undefined || open.done !== undefined) throw new Error(`${type} at no place: ${index}`);
      if (typeof payload['delta'] === 'string') open.text += payload['delta'];
      if (type !== 'response.output_item.done') return;
      expectSame(item?.['type'], open.type, 'the type of an item');
      if (IN_PIECES.has(open.type) && open.text !== '') expectSame(textsOf(item ?? {}), open.text, 'the text of an item');
      open.done = item;
    }
    if (/^response\.(?:completed|incomplete|failed)$/.test(type)) end = payload['response'] as Item;
  });
  return {
    items: [...begun.values()].flatMap(({ done }) => (done === undefined ? [] : [done])),
    output: end?.['output'] as readonly Item[] | undefined,
    usage: end?.['usage'],
    error,
    isFinished: end !== undefined,
  };
}

/** What an item says or asks, as far as it comes in pieces. */
function textsOf(item: Item): string {
  const {
    arguments: args,
    input,
    action,
    content,
  } = item as {
    arguments?: unknown;
    input?: string;
    action?: { commands?: readonly string[] };
    content?: readonly { text?: string }[];
  };
  return [
    typeof args === 'string' ? args : '',
    input ?? '',
    ...(action?.commands ?? []),
    ...(content ?? []).map((part) => part.text ?? ''),
  ].join('');
}

function expectSame(is: unknown, should: unknown, what: string): void {
  if (is !== should) throw new Error(`${what} is ${JSON.stringify(is)}, not ${JSON.stringify(should)}`);
}
