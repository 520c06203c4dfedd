import { describe, expect, it } from 'vitest';
import type { ModelCall } from '../../../../src/protocol/llm/dialect.ts';
import { createAnthropicStream as create } from '../../../../src/protocol/llm/anthropic/stream.ts';
import { accumulateMessage } from '../../../support/anthropic-accumulator.ts';
import {
  begin,
  type BlockPlan,
  blockEvents,
  callBlock,
  finish,
  frame,
  frames,
  stream,
  textBlock,
  USAGE,
} from '../../../support/anthropic-events.ts';
import { driveModelStream, type Driving, everySplit } from '../../../support/drive-model-stream.ts';

const NOTE = 'No: a rule is against it.';
const READ = callBlock('tA', 'read', '{"path":"/a"}');
const WRITE = callBlock('tB', 'write', '{"to":"/b"}');
const deny = () => ({ isAllowed: false, note: NOTE }) as const;
const denyOnly = (isDenied: (call: ModelCall) => boolean) => (call: ModelCall) =>
  isDenied(call) ? deny() : ({ isAllowed: true } as const);
const one = (source: string) => [Buffer.from(source)];
const texts = (text: string) => accumulateMessage(text).content.map((block) => block['text'] ?? block['id'] ?? block['type']);

describe('what was asked of streams first', () => {
  it('1 a denied call: nothing of it, a text in its place, the end of a turn, and it is told', () => {
    const { text, asked } = driveModelStream(one(stream([READ])), { create, nameVerdict: () => 'deny', verdict: deny });
    expect(text).toBe(stream([textBlock(NOTE)], 'end_turn'));
    const call = { id: 'tA', name: 'read', group: undefined, args: '{"path":"/a"}', problem: undefined, runBy: 'client' };
    expect(asked).toEqual([{ ...call, server: undefined, answer: 'msg_1', inHistory: expect.any(Function) }]);
  });

  it('1 a denied call is told again as it was made, whatever its arguments came in', () => {
    const more = { caller: { type: 'direct' }, toolset_name: null };
    const made = [callBlock('tA', 'read', '{"path":"/é","n": 1.0}', 1), callBlock('tB', 'none', '')].map((block) => ({
      ...block,
      start: { ...block.start, ...more },
    }));
    const given = { start: { ...more, type: 'tool_use', id: 'tC', name: 'given', input: { a: [1] } }, deltas: [] };
    const source = stream([...made, given]);
    const { asked } = driveModelStream(one(source), { create, nameVerdict: () => 'deny', verdict: deny });
    expect(asked.map(({ answer }) => answer)).toEqual(['msg_1', 'msg_1', 'msg_1']);
    expect(asked.map(({ inHistory }) => JSON.parse(inHistory?.() ?? '') as unknown)).toEqual(accumulateMessage(source).content);
    expect(asked[0]?.inHistory?.()).toContain('"input":{"path":"/é","n": 1.0}');
  });

  it('1 a call that is not whole can not be told again', () => {
    const [first = '', ...rest] = stream([READ]).split('event: content_block_stop');
    const { asked } = driveModelStream(one(first), { create, nameVerdict: () => 'hold', verdict: deny });
    expect(rest).toHaveLength(1);
    expect(asked).toMatchObject([{ problem: 'incomplete' }]);
    expect(asked[0]?.inHistory).toBeUndefined();
  });

  it('2 an allowed call: every byte of it, and it is told', () => {
    const { text, asked } = driveModelStream(one(stream([READ])), { create });
    expect(text).toBe(stream([READ]));
    expect(asked.map(({ args }) => args)).toEqual(['{"path":"/a"}']);
  });

  it('3 one of two calls: the other one stays, and so does the reason', () => {
    const { text } = driveModelStream(one(stream([READ, WRITE])), {
      create,
      nameVerdict: ({ name }) => (name === 'read' ? 'deny' : 'allow'),
      verdict: denyOnly(({ name }) => name === 'read'),
    });
    expect(text).toBe(stream([textBlock(NOTE), WRITE]));
  });

  it('4 all calls: each is replaced, and the turn ends', () => {
    const { text } = driveModelStream(one(stream([READ, WRITE])), { create, nameVerdict: () => 'hold', verdict: deny });
    expect(text).toBe(stream([textBlock(NOTE), textBlock(NOTE)], 'end_turn'));
  });

  it('7 a tool that nobody has registered is asked about too (the seed let it pass untold)', () => {
    expect(driveModelStream(one(stream([callBlock('x', 'nobody_knows', '{}')])), { create }).asked).toHaveLength(1);
  });

  it('8 what is no JSON ends the stream (the seed let it pass)', () => {
    const { text, fault } = driveModelStream(one(`${frame(begin())}event: ping\ndata: {"type"\n\n${stream([READ])}`), { create });
    expect(fault).toBe('an event whose data is not JSON');
    expect(accumulateMessage(text)).toMatchObject({ content: [], error: { type: 'api_error' } });
  });

  it('9 without a rule nothing is changed or held', () => {
    const { text, steps } = driveModelStream(everySplit(stream([textBlock('a'), READ]))[0] ?? [], { create });
    expect(text).toBe(stream([textBlock('a'), READ]));
    expect(steps.some(({ isHolding }) => isHolding)).toBe(false);
  });
});

describe('hazards', () => {
  it.each(['end_turn', 'max_tokens', 'pause_turn', 'refusal', 'stop_sequence', 'odd'])(
    'hazard 25: a call is denied whatever the message stops for: %s',
    (reason) => {
      const { text } = driveModelStream(one(stream([READ], reason)), { create, nameVerdict: () => 'hold', verdict: deny });
      expect(texts(text)).toEqual([NOTE]);
      expect(accumulateMessage(text).stopReason).toBe(reason);
    },
  );

  it.each<[string, string]>([
    ['in the event that begins its block', stream([{ start: { ...READ.start, input: { path: '/a' } }, deltas: [] }])],
    ['in the event that begins the message', frames([begin([{ ...READ.start, input: { path: '/a' } }]), ...finish('tool_use')])],
    ['after the reason', frames([begin(), ...finish('end_turn').slice(0, 1), ...blockEvents(0, READ), { type: 'message_stop' }])],
    ['before the message', frames([...blockEvents(0, READ), begin()])],
    ['among others of its name', stream([callBlock('t1', 'read', '{}'), READ])],
    ['with its name in escapes', stream([READ]).replaceAll('tool_use', 'tool\\u005fuse')],
    ['with white space that is unusual', stream([READ]).replaceAll('{"', '{ \t"')],
  ])('hazard 26: a call %s is asked about, and denied', (_where, source) => {
    for (const mode of ['hold', 'deny'] as const) {
      const { text, asked } = driveModelStream(one(source), { create, nameVerdict: () => mode, verdict: deny });
      expect(asked.map(({ id }) => id)).toContain('tA');
      expect(text).not.toContain('tA');
    }
  });

  it('hazard 26: a call after the end of the message goes nowhere', () => {
    const source = `${stream([textBlock('a')], 'end_turn')}${frames(blockEvents(1, READ))}`;
    expect(driveModelStream(one(source), { create }).text).toBe(stream([textBlock('a')], 'end_turn'));
  });

  it('hazard 27: a block larger than what older readers take is read, and what is more than may be held is denied', () => {
    const large = callBlock('tA', 'read', JSON.stringify({ path: 'x'.repeat(400_000) }), 300_000);
    const read = driveModelStream(one(stream([large])), { create, nameVerdict: () => 'hold' });
    expect(read.text).toBe(stream([large]));
    for (const mode of ['hold', 'deny', 'allow'] as const) {
      const most = { create, nameVerdict: () => mode, maxHeld: 100_000 };
      const { asked, text, fault } = driveModelStream(one(stream([large])), {
        ...most,
        verdict: denyOnly(({ problem }) => problem !== undefined),
      });
      expect(asked).toMatchObject([{ problem: 'too_long', args: undefined }]);
      if (mode === 'allow') expect(fault).toBe('a call of "read" that must not be run');
      else expect(texts(text)).toEqual([NOTE]);
      // Nothing is released that has not been kept, whatever the answer says.
      if (mode === 'hold') expect(texts(driveModelStream(one(stream([large])), most).text)[0]).toMatch(/"read" was left out/);
    }
  });

  it('hazard 28: a message keeps its id, model, usage and what nobody knows of', () => {
    const source = stream([READ]).replaceAll('"usage":{', '"odd":[{"a": 1.0}],"usage":{"more":{"b":12345678901234567890},');
    const { text } = driveModelStream(one(source), { create, nameVerdict: () => 'deny', verdict: deny });
    const [, ...rest] = source.split('event: message_delta');
    expect(text).toBe(
      `${source.slice(0, source.indexOf('event: content_block_start'))}${frames(blockEvents(0, textBlock(NOTE)))}event: message_delta${rest.join('').replace('"tool_use"', '"end_turn"')}`,
    );
    expect(accumulateMessage(text).usage).toMatchObject({ ...USAGE, output_tokens: 89 });
  });

  it('hazard 29: of two calls of one name, the one that is denied goes', () => {
    const twin = callBlock('tC', 'read', '{"path":"/etc/shadow"}');
    const { text } = driveModelStream(one(stream([READ, twin, READ])), {
      create,
      nameVerdict: () => 'hold',
      verdict: denyOnly(({ args }) => args?.includes('shadow') === true),
    });
    expect(text).toBe(stream([READ, textBlock(NOTE), READ]));
  });

  it('hazard 30: events of our own have names, no text is empty, and there is no gap', () => {
    for (const note of ['', ' \n', NOTE, 'two\r\n\r\nevent: ping\ndata: {}\n\n', 'a\u2028b']) {
      const { text } = driveModelStream(one(stream([READ, textBlock('b'), WRITE])), {
        create,
        nameVerdict: () => 'deny',
        verdict: () => ({ isAllowed: false, note }),
      });
      const made = accumulateMessage(text);
      expect(made.content).toHaveLength(3);
      for (const block of made.content) expect(String(block['text']).trim()).not.toBe('');
      if (note.trim() !== '') expect(made.content[0]?.['text']).toBe(note);
    }
  });
});

describe('holding', () => {
  it('lasts from the beginning of a call to the answer, and pings pass meanwhile', () => {
    const source = stream([textBlock('a'), READ, textBlock('b')]);
    const at = source.indexOf('"partial_json":"{');
    const before = source.indexOf('event: content_block_start\ndata: {"type":"content_block_start","index":1');
    const chunks = [source.slice(0, before), source.slice(before, at), ''].map((text) => Buffer.from(text));
    const ping = Buffer.from(`\n\n: so\n\n${frame({ type: 'ping' })}`);
    const end = source.indexOf('\n\n', at);
    const rest = [Buffer.from(source.slice(at, end)), ping, Buffer.from(source.slice(end + 2))];
    const { text, steps } = driveModelStream([...chunks, ...rest], {
      create,
      nameVerdict: () => 'hold',
      answers: 'after the end',
    });
    expect(steps.map(({ isHolding }) => isHolding)).toEqual([false, true, true, true, true, true]);
    expect(steps.map(({ sent }) => sent > before)).toEqual([false, false, false, false, true, true]);
    expect(accumulateMessage(text)).toEqual(accumulateMessage(source));
  });

  it('what may be run streams on while its arguments come, and ends after the answer', () => {
    const source = stream([READ]);
    const end = source.indexOf('event: content_block_stop');
    const driving = { create, answers: 'after the end' } as const;
    const { steps, text } = driveModelStream(one(source), driving);
    expect(steps).toEqual([{ sent: end, isHolding: true }]);
    expect(text).toBe(source);
    const denied = driveModelStream(one(source), { ...driving, verdict: deny });
    expect(denied.fault).toBe('a call of "read" that must not be run');
    expect(denied.text.slice(0, end)).toBe(source.slice(0, end));
    expect(denied.text.slice(end)).toMatch(/^event: error\ndata: \{"type":"error","error":\{"type":"api_error"/);
  });

  it('ends where another model goes on, since the call is void then', () => {
    const source = frames([
      begin(),
      ...blockEvents(0, READ).slice(0, 2),
      ...blockEvents(1, { start: { type: 'fallback' }, deltas: [] }),
      // What comes of it later is of no block any more.
      ...blockEvents(0, READ).slice(2),
    ]);
    const { steps, asked, text } = driveModelStream(one(source), { create, nameVerdict: () => 'hold', verdict: deny });
    expect(asked).toMatchObject([{ problem: 'incomplete', args: undefined }]);
    expect(steps).toEqual([{ sent: Buffer.byteLength(text), isHolding: false }]);
    expect(texts(text)).toEqual([NOTE, 'fallback']);
  });

  it("ends with an error of upstream's, and nothing is asked twice", () => {
    const error = frame({ type: 'error', error: { type: 'overloaded_error', message: 'x' } });
    const [before = ''] = stream([READ]).split('event: message_delta');
    const { text, asked } = driveModelStream(one(before + error), {
      create,
      nameVerdict: () => 'hold',
      answers: 'after the end',
    });
    expect(asked).toHaveLength(1);
    expect(text).toBe(frame(begin()) + error);
  });

  it('comments pass, and nothing that only some readers take for one', () => {
    for (const odd of [': a\rid: 7\n\n', ': a\revent: ping\r\n\r\n', 'id: 7\n\n', 'event: ping\n\n', 'retry: 1\n\n'])
      expect(driveModelStream(one(odd + frame({ type: 'ping' })), { create }).text.trimStart()).toBe(frame({ type: 'ping' }));
    expect(driveModelStream(one(': a\n\n'), { create }).text).toBe(': a\n\n');
  });

  it('a message does not begin after its blocks', () => {
    expect(driveModelStream(one(frames([...blockEvents(0, textBlock('a')), begin()])), { create }).fault).toBe(
      'a message that begins twice',
    );
  });

  it('ends where another block has its index, whose arguments are its own', () => {
    const source = frames([begin(), ...blockEvents(0, READ).slice(0, 3), ...blockEvents(0, WRITE), ...finish('tool_use')]);
    const { asked } = driveModelStream(one(source), { create, nameVerdict: () => 'hold' });
    expect(asked.map(({ name, args, problem }) => [name, args, problem])).toEqual([
      ['read', undefined, 'incomplete'],
      ['write', '{"to":"/b"}', undefined],
    ]);
  });

  it('nothing overtakes what waits behind a call, also where the call streams on', () => {
    const [start, ...rest] = blockEvents(1, textBlock('b'));
    const odd = { type: 'odd', a: 1 };
    const call = blockEvents(0, READ);
    const before = [begin(), ...call.slice(0, 2)];
    const after = [...rest, ...finish('tool_use')];
    const source = one(frames([...before, start ?? odd, odd, ...call.slice(2), ...after]));
    const { text } = driveModelStream(source, { create, passesUnknown: true });
    expect(text).toBe(frames([...before, ...call.slice(2), start ?? odd, odd, ...after]));
  });

  it('a call that streams on may end too early with its message, where its arguments make no difference', () => {
    const source = frames([begin(), ...blockEvents(0, READ).slice(0, 2), ...finish('max_tokens')]);
    const live = driveModelStream(one(source), { create });
    expect([live.fault, live.text, live.asked.map(({ problem }) => problem)]).toEqual([undefined, source, ['incomplete']]);
    const denied = driveModelStream(one(source), { create, verdict: () => ({ isAllowed: false, note: 'No.' }) });
    expect(denied.fault).toContain('must not be run');
  });

  it('what another open block gets is no argument of the call', () => {
    const input = { type: 'input_json_delta', partial_json: '{"path":"/etc"}' };
    const source = frames([
      begin(),
      ...blockEvents(0, textBlock('a')).slice(0, 2),
      ...blockEvents(1, READ).slice(0, 1),
      { type: 'content_block_delta', index: 0, delta: input },
      ...blockEvents(1, READ).slice(1),
      ...blockEvents(0, textBlock('a')).slice(2),
      ...finish('tool_use'),
    ]);
    for (const mode of ['allow', 'hold'] as const) {
      const { asked } = driveModelStream(one(source), { create, nameVerdict: () => mode });
      expect(asked.map(({ args }) => args)).toEqual(['{"path":"/a"}']);
    }
  });

  it('more than may wait ends the stream', () => {
    const source = stream([READ, ...Array.from({ length: 99 }, () => textBlock('x'.repeat(200)))]);
    const { fault } = driveModelStream(one(source), {
      create,
      nameVerdict: () => 'hold',
      answers: 'after the end',
      maxHeld: 9000,
    });
    expect(fault).toBe('more than may be held while a call is decided');
  });

  it('calls are asked about one after the other, thousands of them', () => {
    const source = stream(Array.from({ length: 3000 }, (_, at) => callBlock(`t${at}`, 'read', '{}')));
    const prefilled = frames([begin(Array.from({ length: 3000 }, () => READ.start)), ...finish('tool_use')]);
    for (const answers of ['at once', 'after the end'] as const) {
      const driving: Driving = { create, nameVerdict: () => 'hold', answers, maxHeld: 1 << 24 };
      expect(driveModelStream(one(source), driving).text === source).toBe(true);
      expect(driveModelStream(one(prefilled), driving).text === prefilled).toBe(true);
    }
  });

  it('the keep-alive is a ping that may stand between any two events', () => {
    const { keepAlive } = create({
      output: { pass() {}, own() {}, text() {}, parts() {}, ask() {}, fault() {} },
      nameVerdict: () => 'allow',
      maxHeld: 1,
    });
    expect(keepAlive).toBe('event: ping\ndata: {"type": "ping"}\n\n');
  });
});

describe('arguments', () => {
  const asked = (block: BlockPlan) => driveModelStream(one(stream([block])), { create, nameVerdict: () => 'hold' }).asked[0];
  const given = (input: unknown): BlockPlan => ({ start: { ...READ.start, input }, deltas: [] });

  it.each<[string, BlockPlan, Partial<ModelCall>]>([
    ['nothing', { ...READ, deltas: [] }, { args: '{}', problem: undefined }],
    [
      'nothing in the first event either',
      { start: { type: 'tool_use', id: 'a', name: 'b' }, deltas: [] },
      { args: '{}', problem: undefined },
    ],
    ['an empty piece', callBlock('a', 'b', ''), { args: '{}', problem: undefined }],
    ['all in the first event', given({ a: 1 }), { args: '{"a":1}', problem: undefined }],
    ['in both places', { start: given({ a: 1 }).start, deltas: READ.deltas }, { problem: 'invalid_json' }],
    [
      'in the first event and an empty piece',
      { start: given({ a: 1 }).start, deltas: READ.deltas.slice(0, 1) },
      { args: '{"a":1}', problem: undefined },
    ],
    ['null', given(null), { problem: 'not_an_object' }],
    ['a list', callBlock('a', 'b', '[1]'), { problem: 'not_an_object' }],
    ['half an object', callBlock('a', 'b', '{"a":'), { problem: 'invalid_json' }],
    ['two objects', callBlock('a', 'b', '{}{}'), { problem: 'invalid_json' }],
    ['a key twice', callBlock('a', 'b', '{"p":{"a":1,"\\u0061":2}}'), { problem: 'duplicate_key' }],
    [
      'halves of pairs that readers take for one key',
      callBlock('a', 'b', '{"\\ud800":1,"\\udfff":2}'),
      { problem: 'duplicate_key' },
    ],
    ['deep nesting', callBlock('a', 'b', `{"a":${'['.repeat(200)}${']'.repeat(200)}}`), { problem: 'too_long' }],
    [
      'halves of a pair in two pieces',
      {
        start: READ.start,
        deltas: ['{"a":"\ud83c', '\udfd4"}'].map((partial) => ({ type: 'input_json_delta', partial_json: partial })),
      },
      { args: '{"a":"🏔"}', problem: undefined },
    ],
    ['numbers as they stand', callBlock('a', 'b', '{"a":1.0e400}'), { args: '{"a":1.0e400}', problem: undefined }],
    ['a toolset', { start: { ...READ.start, toolset_name: 'browser' }, deltas: [] }, { group: 'browser', runBy: 'client' }],
    [
      "a provider's tool",
      { start: { type: 'server_tool_use', id: 'a', name: 'web_search', input: {} }, deltas: [] },
      { runBy: 'provider', server: undefined },
    ],
    [
      'an MCP server that the provider calls',
      { start: { type: 'mcp_tool_use', id: 'a', name: 'b', server_name: 's' }, deltas: [] },
      { runBy: 'provider', server: 's' },
    ],
  ])('%s', (_what, block, expected) => {
    expect(asked(block)).toMatchObject(expected);
  });

  it.each<[string, string]>([
    ['a piece that is no text', stream([{ start: READ.start, deltas: [{ type: 'input_json_delta', partial_json: 1 }] }])],
    ['a part that is none', stream([READ]).replaceAll('"delta":', '"odd":')],
    ['an index that is none', stream([READ]).replaceAll('"index":0', '"index":-1')],
    ['a block that is none', stream([READ]).replaceAll('"content_block":', '"odd":')],
    ['a name that is no text', stream([{ start: { ...READ.start, name: ['read'] }, deltas: [] }])],
    ['a toolset that is no text', stream([{ start: { ...READ.start, toolset_name: 1 }, deltas: [] }])],
    ['a key in other letters', stream([READ]).replace('"name"', '"Name"')],
    ['no type', `event: content_block_start\ndata: {"index":0}\n\n`],
    ['a type with a line end', `data: {"type":"ping\\nevent: error"}\n\n`],
    ['a list', 'event: ping\ndata: []\n\n'],
  ])('an event that has %s ends the stream', (_what, source) => {
    const { fault, text } = driveModelStream(one(source), { create });
    expect(fault).toBeDefined();
    expect(text).toMatch(/event: error\ndata: \{"type":"error",[^\n]*\}\n\n$/);
  });
});
