import { describe, expect, it } from 'vitest';
import { createAnthropicStream } from '../../../../src/protocol/llm/anthropic/stream.ts';
import { accumulateMessage } from '../../../support/anthropic-accumulator.ts';
import {
  begin,
  type BlockPlan,
  blockEvents,
  callBlock,
  finish,
  frame,
  frames,
  type Payload,
  stream,
  textBlock,
  thinkingBlock,
} from '../../../support/anthropic-events.ts';
import { driveModelStream, everySplit } from '../../../support/drive-model-stream.ts';

const NOTE = 'No: a rule is against it.';
const ONE = stream([textBlock('Let me see. é🏔'), callBlock('t1', 'read', '{"path": "/tmp/é"}')]);
const NOTED = ['Let me see. é🏔', NOTE];

interface Variant {
  readonly source: string;
  /** What allowing everything gives: the bytes as they came, or the message. `fault` is part of why it ended. */
  readonly allowed: 'same' | { readonly is: string } | { readonly fault: string };
  /** What denying everything, by name and by arguments, leaves of the message: texts, and other blocks by their types. */
  readonly denied: readonly string[] | { readonly fault: string };
  /** What the message stopped for then. */
  readonly reason?: string | undefined;
}

const A = callBlock('tA', 'read', '{"path":"/a"}');
const B = callBlock('tB', 'write', '{"to":"/b"}');
/** Events of the two blocks at these indices, in the order that the letters say: a begins, + goes on, z ends. */
function interleaved(order: string, first = 0): readonly Payload[] {
  const left = [blockEvents(first, A), blockEvents(first + 1, B)].map((events) => [...events]);
  return order.split(' ').flatMap((step) => {
    const events = left[step[0] === '1' ? 0 : 1] ?? [];
    return step[1] === '+' ? events.splice(0, events.length - 1) : events.splice(0, 1);
  });
}
const changed = (from: string | RegExp, to: string, source = ONE) => source.replaceAll(from, to);
const whole = (events: readonly Payload[], reason = 'tool_use') => frames([begin(), ...events, ...finish(reason)]);
const inOrder = whole([...blockEvents(0, A), ...blockEvents(1, B)]);
const provider: BlockPlan = {
  start: { type: 'mcp_tool_use', id: 'm1', name: 'echo', server_name: 'ex', input: {} },
  deltas: [{ type: 'input_json_delta', partial_json: '{"secret":1}' }],
};
const result: BlockPlan = {
  start: { type: 'mcp_tool_result', tool_use_id: 'm1', is_error: false, content: [{ type: 'text', text: 'leaked' }] },
  deltas: [],
};
const insert = (before: string, text: string) => ONE.replace(before, text + before);
const STOP = 'event: content_block_stop\ndata: {"type":"content_block_stop","index":1}';
const DELTA = 'event: content_block_delta\ndata: {"type":"content_block_delta","index":1';

const VARIANTS: Readonly<Record<string, Variant>> = {
  'A00 thinking, text, two calls': {
    source: stream([thinkingBlock('hm'), textBlock('so'), A, B]),
    allowed: 'same',
    denied: ['thinking', 'so', NOTE, NOTE],
  },
  'A01 one call': { source: ONE, allowed: 'same', denied: NOTED },
  'A10 several payloads in one event': {
    source: `${frame(begin())}event: content_block_start\ndata: {"type":"ping"}\ndata: {"type":"ping"}\n\n`,
    allowed: { fault: 'not JSON' },
    denied: { fault: 'not JSON' },
    reason: undefined,
  },
  'A11 names of events without data': {
    source: insert(STOP, 'event: content_block_start\n\n'),
    allowed: { is: ONE },
    denied: NOTED,
  },
  'A12 A16 no names of events': { source: changed(/event: .*\n/g, ''), allowed: { is: ONE }, denied: NOTED },
  'A13 a text block in the place of a call': {
    source: stream([textBlock('a'), textBlock('b')], 'end_turn'),
    allowed: 'same',
    denied: ['a', 'b'],
  },
  'A15 blank lines too many': {
    source: changed('\n\n', '\n\n\n'),
    allowed: { is: changed('\n\n', '\n\n\n').slice(0, -1) },
    denied: NOTED,
  },
  'A17 a name that is not the type': { source: changed(/event: content.*/g, 'event: ping'), allowed: { is: ONE }, denied: NOTED },
  'A20 A22 a call left that the reason does not tell': {
    source: stream([textBlock('a'), A], 'end_turn'),
    allowed: 'same',
    denied: ['a', NOTE],
  },
  'A30 a gap in the indices': {
    source: whole([...blockEvents(0, textBlock('a')), ...blockEvents(2, A)]),
    allowed: { is: whole([...blockEvents(0, textBlock('a')), ...blockEvents(1, A)]) },
    denied: ['a', NOTE],
  },
  'A32 blocks out of order': {
    source: whole([...blockEvents(1, B), ...blockEvents(0, A)]),
    allowed: { is: whole([...blockEvents(0, B), ...blockEvents(1, A)]) },
    denied: [NOTE, NOTE],
  },
  'A33 two blocks at a time': { source: whole(interleaved('1a 2a 1+ 2+ 2z 1z')), allowed: { is: inOrder }, denied: [NOTE, NOTE] },
  'A34 two blocks by turns': {
    source: whole(interleaved('1a 2a 1b 2b 1c 2c 1+ 2+ 1z 2z')),
    allowed: { is: inOrder },
    denied: [NOTE, NOTE],
  },
  'A36 an index that is used again': {
    source: whole([...blockEvents(0, A), ...blockEvents(0, B)]),
    allowed: { is: inOrder },
    denied: [NOTE, NOTE],
  },
  'A35 an index that is used again before the block ends': {
    source: whole([...blockEvents(0, A).slice(0, 2), ...blockEvents(0, B)]),
    allowed: { fault: 'must not be run' },
    denied: [NOTE, NOTE],
  },
  'A40 a call that is given up': {
    source: whole([...blockEvents(0, A).slice(0, 1), ...blockEvents(1, textBlock('b'))]),
    allowed: { fault: 'must not be run' },
    denied: [NOTE, 'b'],
  },
  'A50 a ping in a call': { source: insert(DELTA, frame({ type: 'ping' })), allowed: 'same', denied: NOTED },
  'A51 comments in a call': { source: insert(DELTA, ': wait\n\n:\n\n'), allowed: 'same', denied: NOTED },
  'A52 arguments in one piece': {
    source: stream([callBlock('t1', 'read', '{"path": "/tmp"}', 99)]),
    allowed: 'same',
    denied: [NOTE],
  },
  'A53 an unknown event': {
    source: insert(STOP, frame({ type: 'model_note', at: 1 })),
    allowed: { fault: 'that clawai does not know' },
    denied: { fault: 'that clawai does not know' },
    reason: undefined,
  },
  'A54 an unknown delta': {
    source: stream([{ ...A, deltas: [{ type: 'odd_delta', x: 1 }, ...A.deltas] }]),
    allowed: { fault: 'that clawai does not know' },
    denied: { fault: 'that clawai does not know' },
    reason: undefined,
  },
  'A55 fields that nobody knows': {
    source: changed('"index":', '"odd":{"index":[1e400]},"index":'),
    allowed: 'same',
    denied: NOTED,
  },
  'A56 an unknown block': {
    source: stream([{ start: { type: 'odd', a: 1 }, deltas: [] }, A]),
    allowed: { fault: 'that clawai does not know' },
    denied: { fault: 'that clawai does not know' },
    reason: undefined,
  },
  'a block whose type is none': {
    source: stream([{ start: { name: 'read', id: 't1', input: {} }, deltas: [] }]),
    allowed: { fault: 'that clawai does not know' },
    denied: { fault: 'that clawai does not know' },
    reason: undefined,
  },
  'an unknown block that the message begins with': {
    source: frames([begin([{ type: 'odd' }]), ...finish('end_turn')]),
    allowed: { fault: 'that clawai does not know' },
    denied: { fault: 'that clawai does not know' },
    reason: undefined,
  },
  'A57 arguments in the first event': {
    source: stream([{ start: { ...A.start, input: { path: '/a' } }, deltas: [] }]),
    allowed: 'same',
    denied: [NOTE],
  },
  'A58 a call that the message begins with': {
    source: frames([
      begin([{ ...A.start, input: { path: '/a' } }, { ...B.start }]),
      ...blockEvents(2, textBlock('c')),
      ...finish('tool_use'),
    ]),
    allowed: 'same',
    denied: [NOTE, NOTE, 'c'],
  },
  'A58 a call that the message begins with and does not count': {
    source: frames([begin([A.start]), ...finish('tool_use')]),
    allowed: 'same',
    denied: [NOTE],
  },
  'A59 no arguments': { source: stream([{ ...A, deltas: [] }]), allowed: 'same', denied: [NOTE] },
  'A60 CRLF': { source: changed('\n', '\r\n'), allowed: 'same', denied: NOTED },
  'A61 CR': { source: changed('\n', '\r'), allowed: { is: ONE }, denied: NOTED },
  'A62 a BOM': { source: `\ufeff${ONE}`, allowed: { is: ONE }, denied: NOTED },
  'A65 data of several lines': {
    source: changed('"index":1,"delta"', '"index":1,\ndata: "delta"'),
    allowed: { is: changed('"index":1,"delta"', '"index":1, "delta"') },
    denied: NOTED,
  },
  'A66 ids and times to retry': { source: changed('event:', 'id: 7\nretry: 3000\nevent:'), allowed: 'same', denied: NOTED },
  'A67 no space after the colon': { source: changed(/^(event|data): /gm, '$1:'), allowed: 'same', denied: NOTED },
  'A68 data before the name': { source: changed(/(event: .*)\n(data: .*)/g, '$2\n$1'), allowed: 'same', denied: NOTED },
  'A6A characters at which some readers end lines': {
    source: stream([textBlock('a\u2028b'), A]),
    allowed: { is: stream([textBlock('a\u2028b'), A]).replace('\u2028', '\\u2028') },
    denied: ['a\u2028b', NOTE],
  },
  'A6B a name twice': { source: changed('event:', 'event: ping\nevent:'), allowed: { is: ONE }, denied: NOTED },
  'A69 no blank line at the end': {
    source: ONE.slice(0, -1),
    allowed: { is: ONE.slice(0, ONE.indexOf('event: message_stop')) },
    denied: NOTED,
  },
  'A71 no end of the message': { source: ONE.slice(0, ONE.indexOf('event: message_stop')), allowed: 'same', denied: NOTED },
  'A70 an error in a call': {
    source: insert(STOP, frame({ type: 'error', error: { type: 'overloaded_error', message: 'x' } })),
    allowed: {
      is: insert(STOP, 'CUT').replace(/CUT[^]*/, frame({ type: 'error', error: { type: 'overloaded_error', message: 'x' } })),
    },
    denied: ['Let me see. é🏔'],
    reason: undefined,
  },
  'A72 an end within a call': {
    source: ONE.slice(0, ONE.indexOf(STOP)),
    allowed: 'same',
    denied: ['Let me see. é🏔'],
    reason: undefined,
  },
  'A74 two reasons': {
    source: ONE.replace('event: message_stop', `${frame(finish('tool_use')[0] as Payload)}event: message_stop`),
    allowed: 'same',
    denied: NOTED,
  },
  'A76 A77 reasons that are no call': {
    source: stream([A], 'odd_reason'),
    allowed: 'same',
    denied: [NOTE],
    reason: 'odd_reason',
  },
  'A78 a key twice in the arguments': {
    source: stream([callBlock('t1', 'read', '{"p":1,"p":2}')]),
    allowed: 'same',
    denied: [NOTE],
  },
  'A79 arguments that are no JSON': { source: stream([callBlock('t1', 'read', '{"p":1')]), allowed: 'same', denied: [NOTE] },
  "A80 a provider's call and its result": {
    source: stream([provider, result, textBlock('done')], 'end_turn'),
    allowed: 'same',
    denied: [NOTE, '[clawai] The result of this call is withheld.', 'done'],
  },
  'A81 a result of no call': {
    source: stream([textBlock('a'), result], 'end_turn'),
    allowed: 'same',
    denied: ['a', 'mcp_tool_result'],
  },
  'a key twice in an event': {
    source: changed(
      '{"type":"content_block_start","index":1,',
      '{"type":"ping","type":"content_block_start","index":9,"index":1,',
    ),
    allowed: { is: ONE },
    denied: NOTED,
  },
  'events after the end': {
    source: `${stream([textBlock('a')], 'end_turn')}${frames(blockEvents(1, A))}data: [DONE]\n\n`,
    allowed: { is: stream([textBlock('a')], 'end_turn') },
    denied: ['a'],
  },
  'arguments after the end of a call': {
    source: whole([...blockEvents(0, A), ...blockEvents(0, callBlock('x', 'x', '{"more":1}')).slice(1, -1)]),
    allowed: { is: whole(blockEvents(0, A)) },
    denied: [NOTE],
  },
  'a call without a name': {
    source: stream([{ start: { type: 'tool_use', id: 'a' }, deltas: [] }]),
    allowed: { fault: 'cannot be read' },
    denied: { fault: 'cannot be read' },
    reason: undefined,
  },
  'a second beginning': {
    source: frames([begin(), begin([A.start])]),
    allowed: { fault: 'begins twice' },
    denied: { fault: 'begins twice' },
    reason: undefined,
  },
  'a call of a type to come': {
    source: stream([{ ...A, start: { ...A.start, type: 'phone_tool_use' } }]),
    allowed: 'same',
    denied: [NOTE],
  },
  'another model that goes on': {
    source: whole([...blockEvents(0, A).slice(0, 2), ...blockEvents(1, { start: { type: 'fallback' }, deltas: [] })]),
    allowed: { fault: 'must not be run' },
    denied: [NOTE, 'fallback'],
  },
};

describe.each(Object.entries(VARIANTS))('%s', (_name, { source, allowed, denied, ...rest }) => {
  const create = createAnthropicStream;
  const reason = 'reason' in rest ? rest.reason : 'end_turn';

  it('allowed', () => {
    const driven = driveModelStream([Buffer.from(source)], { create });
    if (typeof allowed === 'object' && 'fault' in allowed) expect(driven.fault).toContain(allowed.fault);
    else {
      expect(driven.fault).toBeUndefined();
      expect(driven.text).toBe(allowed === 'same' ? source : allowed.is);
    }
  });

  it.each(['by name', 'by arguments'])('denied %s', (by) => {
    const driven = driveModelStream([Buffer.from(source)], {
      create,
      nameVerdict: () => (by === 'by name' ? 'deny' : 'hold'),
      verdict: () => ({ isAllowed: false, note: NOTE }),
      answers: 'after the end',
    });
    if (!Array.isArray(denied)) return expect(driven.fault).toContain((denied as { fault: string }).fault);
    const made = accumulateMessage(driven.text);
    expect(made.content.map(({ type, text }) => (type === 'text' ? text : type))).toEqual(denied);
    expect(made.stopReason).toBe(reason);
    expect(driven.fault).toBeUndefined();
  });

  it.skipIf(typeof allowed === 'object' && 'fault' in allowed)('held and released, as it is when it streams on', () => {
    const live = driveModelStream([Buffer.from(source)], { create });
    const held = driveModelStream([Buffer.from(source)], { create, nameVerdict: () => 'hold', answers: 'after the end' });
    expect(held.fault).toBeUndefined();
    const isCut = /"type":"error"/.test(source) || !source.includes('message_delta');
    if (isCut) expect(live.text.startsWith(held.text.replace(/event: error[^]*/, ''))).toBe(true);
    else if (held.text !== live.text) expect(accumulateMessage(held.text)).toEqual(accumulateMessage(live.text));
  });

  it('the same at every byte where it can be cut', () => {
    for (const mode of ['allow', 'hold'] as const) {
      const driving = { create, nameVerdict: () => mode, verdict: () => ({ isAllowed: mode === 'allow', note: NOTE }) };
      const expected = driveModelStream([Buffer.from(source)], driving);
      const splits = everySplit(source);
      for (const chunks of mode === 'hold' ? splits : splits.slice(0, 1)) {
        const { text, asked, fault } = driveModelStream(chunks, driving);
        // Where a line end is cut in two, the event is written anew.
        expect(plain(text) === plain(expected.text)).toBe(true);
        expect(fault).toBe(expected.fault);
        expect(asked.length).toBe(expected.asked.length);
      }
    }
  });
});

function plain(text: string): string {
  return text.replaceAll('\r\n', '\n').replaceAll(/\n{3,}/g, '\n\n');
}
