import { describe, expect, it } from 'vitest';
import {
  formatRefusal,
  readClientFrame,
  readServerFrame,
  toEvent,
  toFrames,
} from '../../../../../src/protocol/llm/openai/responses/socket-frames.ts';
import { formatNoteEvents, noteItem } from '../../../../../src/protocol/llm/openai/responses/note-item.ts';
import { responsesApiAt } from '../../../../../src/protocol/llm/openai/responses/api.ts';
import { createSplitter, type ModelStream } from '../../../../../src/protocol/llm/dialect.ts';
import {
  call,
  custom,
  frame as sseFrame,
  type Item,
  message,
  REASONING,
  shell,
  type WireEvent,
} from '../../../../support/response-events.ts';
import { answer } from '../../../../support/web-socket.ts';
import { formatSseEvent } from '../../../../../src/protocol/sse/event.ts';

describe('a frame of the client', () => {
  const user = { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Faster.' }] };
  it.each([
    [
      { type: 'response.create', input: 'x' },
      { kind: 'create', lane: undefined },
    ],
    [
      { type: 'response.create', stream_id: 'a' },
      { kind: 'create', lane: 'a' },
    ],
    [
      { type: 'response.create', stream_id: null },
      { kind: 'create', lane: undefined },
    ],
    [{ type: 'response.steer', previous_response_id: 'r', input: 'x' }, { kind: 'steer' }],
    [{ type: 'response.steer', previous_response_id: 'r', input: [user, { role: 'user', content: 'x' }] }, { kind: 'steer' }],
    [
      { type: 'response.interrupt', response_id: 'r', mode: 'discard_partial_items', stream_id: 'a' },
      { kind: 'interrupt', lane: 'a' },
    ],
  ])('is known: %j', (frame, expected) => {
    expect(readClientFrame(JSON.stringify(frame))).toEqual({ lane: undefined, ...expected });
  });

  it.each([
    { type: 'response.steer', previous_response_id: 'r', input: 'x', tools: [] },
    { type: 'response.steer', input: 'x' },
    { type: 'response.steer', previous_response_id: 'r' },
    { type: 'response.steer', previous_response_id: 'r', input: ['x'] },
    { type: 'response.steer', previous_response_id: 'r', input: [{ ...user, role: 'assistant' }] },
    { type: 'response.steer', previous_response_id: 'r', input: [{ ...user, Type: 'function_call_output' }] },
    { type: 'response.steer', previous_response_id: 'r', input: [{ ...user, content: [{ type: 'function_call' }] }] },
    { type: 'response.interrupt', response_id: { tools: [] } },
    { type: 'response.interrupt', tools: [] },
    { type: 'response.create', stream_id: '' },
    { type: 'response.create', stream_id: 'x'.repeat(257) },
    { type: 'response.create', response: null },
    { type: ['response.create'] },
    { TYPE: 'response.create' },
    { type: 'Response.create' },
  ])('is refused: %j', (frame) => {
    expect(readClientFrame(JSON.stringify(frame))).toEqual(expect.any(String));
  });

  it('is named in part where its type is long', () => {
    const why = readClientFrame(JSON.stringify({ type: 'x'.repeat(100) }));
    expect(why).toBe(`clawai does not know what it does, as its type is "${'x'.repeat(64)}"`);
  });
});

describe('a frame of the provider', () => {
  const read = (frame: object | string): unknown => readServerFrame(typeof frame === 'string' ? frame : JSON.stringify(frame));

  it.each([
    [
      { type: 'response.created', response: { id: 'resp_1' } },
      { answer: 'resp_1', isBeginning: true },
    ],
    [
      { type: 'response.created', response: { id: 'resp_1', conversation: { id: 'conv_1' } }, stream_id: 'a' },
      { answer: 'conv_1', lane: 'a', isBeginning: true },
    ],
    [{ type: 'response.completed', response: {} }, { isEnd: true }],
    [{ type: 'error' }, { isEnd: true }],
    [{ type: 'codex.rate_limits' }, {}],
    [{ type: 'response.metadata' }, {}],
    [{ error: {} }, { type: undefined }],
    [{ type: 'response.steer.accepted', steer: { id: 's' } }, { isReceipt: true }],
  ])('is placed: %j', (frame, expected) => {
    const none = { lane: undefined, answer: undefined, isReceipt: false, isEnd: false, isBeginning: false };
    expect(read(frame)).toEqual({ type: (frame as { type?: string }).type, ...none, ...expected });
  });

  const pending = { type: 'response.steer.pending', reason: 'waiting_for_required_input' };
  it.each([
    '',
    '1',
    '[]',
    '{"type":',
    { type: 'response.created', stream_id: 1 },
    { type: 'response.created', Stream_ID: 'a' },
    '{"type":"response.steer.accepted","steer":{},"steer":{}}',
    { type: 'response.steer.accepted', item: { type: 'function_call' } },
    { type: 'response.steer.accepted', steer: { tool_calls: [{}] } },
    { ...pending, required_input: {} },
    { ...pending, required_input: [{ type: 'function_call', call_id: 'c', name: 'x' }] },
    { ...pending, required_input: [{ type: 'function_call_output', call_id: 'c', arguments: '{}' }] },
    { ...pending, required_input: [{ type: 'function_call_output', call_id: 'c', name: {} }] },
  ])('has no single reading: %j', (frame) => {
    expect(read(frame)).toEqual(expect.any(String));
  });

  it('is the event of that type as it came', () => {
    const data = Buffer.from('{"type":"keepalive"}');
    expect(toEvent(data, 'keepalive')).toMatchObject({ data, dataStart: 0, dataEnd: 20, event: 'keepalive', isPlain: true });
  });
});

describe('our own frames', () => {
  it('are the data of events, in order', () => {
    const frames = toFrames(formatNoteEvents(noteItem('No.\n\ndata: {}', 'x'), 3, [1, 2]), undefined);
    expect(frames.map((each) => (JSON.parse(each) as { type: string }).type)).toEqual([
      'response.output_item.added',
      'response.content_part.added',
      'response.output_text.delta',
      'response.output_text.done',
      'response.content_part.done',
      'response.output_item.done',
    ]);
    expect(frames[2]).toContain(String.raw`"delta":"No.\n\ndata: {}"`);
  });

  it('name their lane, unless they do so already', () => {
    const events = ['{"type":"keepalive"}', '{"type":"x","stream_id":"b"}'].map((data) => formatSseEvent({ event: 'x', data }));
    expect(toFrames(events.join(''), 'a').map((each) => JSON.parse(each) as unknown)).toEqual([
      { type: 'keepalive', stream_id: 'a' },
      { type: 'x', stream_id: 'b' },
    ]);
  });

  it('refuse with a status, in the words of the API', () => {
    const error = { message: 'No.', type: 'invalid_request_error', param: null, code: null };
    expect(JSON.parse(formatRefusal(JSON.stringify({ error }), { status: 400, lane: 'a' }))).toEqual({
      type: 'error',
      status: 400,
      error,
      stream_id: 'a',
    });
  });
});

describe('hazard 1: an answer in frames', () => {
  const CALLS: readonly Item[] = [
    call('read', '{"path":"/a"}'),
    call('Bash', '{"command":"rm -r x"}'),
    custom('apply_patch', 'x'),
    shell(['ls', 'rm']),
  ];

  /** What the client gets of events, framed either way. */
  function drive(events: readonly WireEvent[], isSocket: boolean): readonly unknown[] {
    const out: string[] = [];
    const stream: ModelStream = responsesApiAt('/v1/responses').createStream({
      output: {
        pass: ({ data, dataStart, dataEnd }) => void out.push(data?.toString('utf8', dataStart, dataEnd) ?? ''),
        own: () => expect.unreachable(),
        text: (text) => void out.push(...toFrames(text, undefined)),
        parts: (parts) => void out.push(...toFrames([...parts].join(''), undefined)),
        ask: ({ name }) => stream.answer(name === 'read' ? { isAllowed: true } : { isAllowed: false, note: `no ${name}` }),
        fault: (why) => void out.push(JSON.stringify(why)),
      },
      nameVerdict: ({ name }) => (name === 'read' ? 'hold' : 'deny'),
      maxHeld: 1 << 20,
    });
    const splitter = createSplitter('sse', 1 << 20);
    for (const event of events) {
      if (isSocket) stream.push(toEvent(Buffer.from(JSON.stringify(event)), event.type));
      else splitter.push(Buffer.from(sseFrame(event)), (each) => stream.push(each));
    }
    stream.end();
    return out.map((each) => JSON.parse(each) as unknown);
  }

  it.each(['whole', 'cut off', 'reversed', 'only its end'])('is judged as in a stream of events: %s', (how) => {
    const events = answer([message('So.'), REASONING, ...CALLS]);
    const changed = {
      whole: events,
      'cut off': events.slice(0, -4),
      reversed: [...events.slice(0, 2), ...events.slice(2).toReversed()],
      'only its end': events.slice(-1),
    }[how]!;
    expect(drive(changed, true)).toEqual(drive(changed, false));
  });
});
