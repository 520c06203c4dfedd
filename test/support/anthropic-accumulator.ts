import { SseSplitter } from '../../src/protocol/sse/splitter.ts';

/** The message that a stream made, as the strictest client would have it. */
export interface Accumulated {
  readonly content: Record<string, unknown>[];
  stopReason: unknown;
  usage: Record<string, unknown>;
  /** What the message was besides. */
  rest: Record<string, unknown>;
  isFinished: boolean;
  error: unknown;
}

interface Payload {
  readonly type: string;
  readonly index: number;
  readonly message: Record<string, unknown> & {
    readonly content: Record<string, unknown>[];
    readonly usage: Record<string, unknown>;
  };
  readonly content_block: Record<string, unknown>;
  readonly delta: Readonly<Record<string, string>>;
  readonly usage: Record<string, unknown>;
  readonly error: unknown;
}

/**
 * Follows a stream and throws at anything that is not in order: an event whose name is not its type, a gap in the indices, two
 * blocks at a time, a part of a block that is not open, an empty text, arguments that are no JSON, an event after the end.
 */
export function accumulateMessage(text: string): Accumulated {
  const made: Accumulated = { content: [], stopReason: undefined, usage: {}, rest: {}, isFinished: false, error: undefined };
  let open: { block: Record<string, unknown>; input: string } | undefined;
  const must = (isTrue: boolean, what: string) => {
    if (!isTrue) throw new Error(`${what} in\n${text}`);
  };
  const splitter = new SseSplitter({ maxFrame: 1 << 23 });
  splitter.push(Buffer.from(text), (event) => {
    if (event.data === undefined) return must(event.event === undefined, 'an event without data');
    const payload = JSON.parse(event.data.toString('utf8', event.dataStart, event.dataEnd)) as Payload;
    must(event.isPlain, 'an event that readers differ on');
    must(event.event === payload.type, 'a name that is not the type');
    must(!made.isFinished && made.error === undefined, 'an event after the end');
    switch (payload.type) {
      case 'message_start':
        must(made.content.length === 0, 'a second beginning');
        made.content.push(...payload.message.content.map((block) => ({ ...block })));
        made.usage = { ...payload.message.usage };
        made.rest = { ...payload.message, content: undefined, usage: undefined };
        return;
      case 'content_block_start':
        must(open === undefined, 'a block within a block');
        must(payload.index === made.content.length, 'a gap in the indices');
        open = { block: { ...payload.content_block }, input: '' };
        made.content.push(open.block);
        return;
      case 'content_block_delta': {
        must(open !== undefined && payload.index === made.content.length - 1, 'a part of no open block');
        const { delta } = payload;
        const block = open?.block ?? {};
        if (delta['type'] === 'text_delta') block['text'] = `${String(block['text'])}${delta['text']}`;
        else if (delta['type'] === 'thinking_delta') block['thinking'] = `${String(block['thinking'])}${delta['thinking']}`;
        else if (delta['type'] === 'signature_delta') block['signature'] = delta['signature'];
        else if (delta['type'] === 'input_json_delta' && open !== undefined) open.input += delta['partial_json'];
        return;
      }
      case 'content_block_stop':
        must(open !== undefined && payload.index === made.content.length - 1, 'an end of no open block');
        if (open !== undefined && open.input !== '') open.block['input'] = JSON.parse(open.input);
        must(open?.block['type'] !== 'text' || open.block['text'] !== '', 'an empty text');
        open = undefined;
        return;
      case 'message_delta':
        must(open === undefined, 'an end within a block');
        made.stopReason = payload.delta['stop_reason'];
        made.usage = { ...made.usage, ...payload.usage };
        return;
      case 'message_stop':
        made.isFinished = true;
        return;
      case 'error':
        made.error = payload.error;
        return;
      default:
    }
  });
  must(splitter.end().length === 0, 'an unfinished frame');
  return made;
}
