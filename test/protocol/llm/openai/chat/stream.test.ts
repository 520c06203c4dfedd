import { describe, expect, it } from 'vitest';
import type { CallVerdict, ModelCall, NameVerdict } from '../../../../../src/protocol/llm/dialect.ts';
import { createChatStream } from '../../../../../src/protocol/llm/openai/chat/stream.ts';
import { accumulateChat, type AccumulatedChoice } from '../../../../support/chat-accumulator.ts';
import {
  begin,
  callChunks,
  type CallPlan,
  chunk,
  DONE,
  finish,
  frame,
  part,
  said,
  stream,
  usage,
  USAGE,
} from '../../../../support/chat-chunks.ts';
import { type Driven, driveModelStream, type Driving, everySplit } from '../../../../support/drive-model-stream.ts';

const READ: CallPlan = { id: 'a', name: 'read', args: '{"path":"/a"}' };
const WRITE: CallPlan = { id: 'b', name: 'write', args: '{"to":"/b"}' };
const NO = { isAllowed: false, note: '[clawai] No.' } as const;

function drive(source: string | readonly string[], driving: Omit<Driving, 'create'> = {}): Driven {
  const chunks = (typeof source === 'string' ? [source] : source).map((text) => Buffer.from(text));
  return driveModelStream(chunks, { create: createChatStream, nameVerdict: () => 'hold', ...driving });
}

/** The verdict on calls by their names. */
function denying(...names: readonly string[]): (call: ModelCall) => CallVerdict {
  return ({ name }) => (names.includes(name) ? NO : { isAllowed: true });
}

function choicesOf({ text }: Driven): readonly AccumulatedChoice[] {
  return accumulateChat(text).choices;
}

function namesIn(choice: AccumulatedChoice | undefined): readonly (string | undefined)[] {
  return (choice?.toolCalls ?? []).map(({ function: fn, custom }) => fn?.name ?? custom?.name);
}

describe('a stream of Chat Completions', () => {
  it('goes on byte for byte where nothing is denied by name, and calls are asked about at their end', () => {
    const source = stream('Well, é🏔.', [READ, WRITE]);
    const { text, asked, named } = drive(source, { nameVerdict: () => 'allow' });
    expect(text).toBe(source);
    expect(named.map(({ name, args }) => [name, args])).toEqual([
      ['read', undefined],
      ['write', undefined],
    ]);
    expect(asked).toMatchObject([
      { id: 'a', name: 'read', args: READ.args, answer: 'chatcmpl-1', runBy: 'client', problem: undefined },
      { id: 'b', name: 'write', args: WRITE.args, answer: 'chatcmpl-1' },
    ]);
  });

  it('has calls whole, in order and counted from 0, before the end of the choice', () => {
    const driven = drive(stream('So.', [READ, WRITE]));
    const [choice] = choicesOf(driven);
    expect(choice).toMatchObject({ role: 'assistant', content: 'So.', finish: 'tool_calls' });
    expect(choice?.toolCalls).toEqual([
      { id: 'a', type: 'function', function: { name: 'read', arguments: READ.args } },
      { id: 'b', type: 'function', function: { name: 'write', arguments: WRITE.args } },
    ]);
    expect(driven.text.match(/"tool_calls":\[/g)).toHaveLength(2);
  });

  it('has the notes of denied calls behind what is said, and the others counted anew', () => {
    const driven = drive(stream('So.', [READ, WRITE, { ...READ, id: 'c' }]), {
      verdict: ({ id }) => (id === 'a' ? NO : { isAllowed: true }),
    });
    const [choice] = choicesOf(driven);
    expect(choice).toMatchObject({ content: 'So.\n\n[clawai] No.', finish: 'tool_calls' });
    expect(choice?.toolCalls.map(({ id }) => id)).toEqual(['b', 'c']);
    expect(driven.text).not.toContain('"a"');
  });

  it('has a note that is never empty, and none before it where nothing is said', () => {
    const [choice] = choicesOf(
      drive(stream('', [READ, WRITE]), { verdict: ({ name }) => ({ isAllowed: false, note: name === 'read' ? ' ' : 'no' }) }),
    );
    expect(choice?.content).toBe('[clawai] The call of "read" was left out.\n\nno');
  });

  it('has arguments as they were where they hold what ends lines for some', () => {
    const args = '{"a":"\\u2028\u2028é🏔\\""}';
    const [choice] = choicesOf(drive(stream('', [{ ...READ, args, piece: 1 }])));
    expect(choice?.toolCalls[0]?.function?.arguments).toBe(args);
  });

  it.each<[string, NameVerdict, (call: ModelCall) => CallVerdict]>([
    ['allowed', 'allow', () => ({ isAllowed: true })],
    ['held', 'hold', denying('read')],
    ['denied', 'deny', () => NO],
  ])('cut at every byte is the same, its calls %s', (_what, mode, verdict) => {
    const source = stream('Well, é.', [READ, WRITE]);
    const driving = { create: createChatStream, nameVerdict: () => mode, verdict };
    const whole = driveModelStream([Buffer.from(source)], driving);
    for (const chunks of everySplit(source)) expect(driveModelStream(chunks, driving).text).toBe(whole.text);
  });
});

describe('hazard 25: what a choice says it stopped for is no witness', () => {
  it.each(['stop', 'length', 'content_filter', 'tool_calls', 'eos', null])('%s', (reason) => {
    const end = reason === null ? '' : finish(reason);
    const driven = drive([begin(), ...callChunks(0, READ), end, DONE], { verdict: () => NO });
    const [choice] = choicesOf(driven);
    expect([choice?.toolCalls, choice?.content]).toEqual([[], NO.note]);
    expect(choice?.finish).toBe(reason === 'tool_calls' ? 'stop' : reason);
  });

  it('and stays what it was where a call is left', () => {
    const [choice] = choicesOf(drive(stream('', [READ, WRITE]), { verdict: denying('read') }));
    expect(choice?.finish).toBe('tool_calls');
  });
});

describe('hazard 26: calls in all places', () => {
  const denied = (frames: readonly string[], verdict = denying('read')) => drive([...frames, DONE], { verdict });

  it('in the chunk of the end, beside what is said there', () => {
    const both = [part(0, READ), part(1, WRITE)];
    const driven = denied([chunk({ role: 'assistant', content: 'So.', tool_calls: both }, { finish: 'tool_calls' })]);
    const [choice] = choicesOf(driven);
    expect(choice).toMatchObject({ role: 'assistant', content: 'So.\n\n[clawai] No.', finish: 'tool_calls' });
    expect(namesIn(choice)).toEqual(['write']);
    // What is said does not wait.
    expect(driven.text.indexOf('So.')).toBeLessThan(driven.text.indexOf('write'));
  });

  it('with id, type and name in chunks of their own, and late', () => {
    const parts = [
      { index: 0, function: { arguments: '{"path"' } },
      { index: 0, id: 'a' },
      { index: 0, type: 'function' },
      part(0, { name: 'read' }),
      part(0, { args: ':1}' }),
    ];
    const frames = [begin(), ...parts.map((each) => chunk({ tool_calls: [each] })), finish('tool_calls')];
    expect(denied(frames).asked).toMatchObject([{ id: 'a', name: 'read', args: '{"path":1}' }]);
    expect(namesIn(choicesOf(denied(frames))[0])).toEqual([]);
    const [choice] = choicesOf(drive([...frames, DONE], { nameVerdict: () => 'allow' }));
    expect(choice?.toolCalls).toEqual([{ id: 'a', type: 'function', function: { name: 'read', arguments: '{"path":1}' } }]);
  });

  it('with a name that comes again, or in pieces, or is another one then: what goes on is what was asked about', () => {
    const named = (...names: readonly string[]) => [
      begin(),
      ...names.map((name) => chunk({ tool_calls: [part(0, { id: 'a', name, args: ' ' })] })),
      chunk({ tool_calls: [part(0, { args: '{}' })] }),
      finish('tool_calls'),
    ];
    for (const names of [['read'], ['read', 'read'], ['write', 'read'], ['re', 'read']]) {
      const driven = denied(named(...names));
      expect([driven.asked.map(({ name }) => name), namesIn(choicesOf(driven)[0])]).toEqual([['read'], []]);
    }
    expect(namesIn(choicesOf(denied(named('read', 'write')))[0])).toEqual(['write']);
    // A name that is denied is not taken back.
    const byName = drive([...named('read', 'write'), DONE], { nameVerdict: ({ name }) => (name === 'read' ? 'deny' : 'hold') });
    expect(namesIn(choicesOf(byName)[0])).toEqual([]);
  });

  it('in several choices, each for itself', () => {
    const frames = [
      begin(),
      begin(1),
      ...callChunks(0, READ),
      ...callChunks(0, { ...WRITE, id: 'c' }, 1),
      chunk({ tool_calls: [part(1, { ...WRITE })] }),
      finish('tool_calls', 1),
      said('Late.', 1),
      finish('tool_calls'),
    ];
    const [first, second] = choicesOf(denied(frames));
    expect([namesIn(first), first?.content, first?.finish]).toEqual([['write'], NO.note, 'tool_calls']);
    expect([namesIn(second), second?.content, second?.finish]).toEqual([['write'], 'Late.', 'tool_calls']);
    const [one, other] = choicesOf(denied(frames, denying('read', 'write')));
    expect([one?.finish, other?.finish]).toEqual(['stop', 'stop']);
  });

  it('in several choices of one chunk', () => {
    const both = [0, 1, 2].map((index) => {
      const delta =
        index === 2
          ? { role: 'assistant', content: 'So.' }
          : { role: 'assistant', tool_calls: [part(0, index === 0 ? READ : WRITE)] };
      return { index, delta, finish_reason: index === 0 ? 'tool_calls' : null };
    });
    const driven = drive([frame({ id: 'x', choices: both }), finish('tool_calls', 1), finish('stop', 2), DONE], {
      verdict: () => NO,
      answers: 'next chunk',
    });
    expect(choicesOf(driven)).toMatchObject([
      { content: NO.note, toolCalls: [], finish: 'stop' },
      { content: NO.note, toolCalls: [], finish: 'stop' },
      { content: 'So.', finish: 'stop' },
    ]);
  });

  it('in the place of before', () => {
    const legacy = (name: string) => [
      begin(),
      chunk({ function_call: { name, arguments: '' } }),
      chunk({ function_call: { arguments: '{"path"' } }),
      chunk({ function_call: { arguments: ':1}' } }),
      finish('function_call'),
    ];
    const driven = denied(legacy('read'));
    expect(driven.asked).toMatchObject([{ id: '', name: 'read', args: '{"path":1}' }]);
    expect(choicesOf(driven)).toMatchObject([{ functionCall: undefined, content: NO.note, finish: 'stop' }]);
    expect(choicesOf(denied(legacy('write')))).toMatchObject([
      { functionCall: { name: 'write', arguments: '{"path":1}' }, content: '', finish: 'function_call' },
    ]);
    const live = [...legacy('write'), DONE].join('');
    expect(drive(live, { nameVerdict: () => 'allow' }).text).toBe(live);
  });

  it('of custom tools, whose input counts as an argument of that name', () => {
    const custom = (name: string) => [
      begin(),
      chunk({ tool_calls: [{ index: 0, id: 'a', type: 'custom', custom: { name, input: '' } }] }),
      chunk({ tool_calls: [{ index: 0, custom: { input: 'rm -rf' } }] }),
      chunk({ tool_calls: [{ index: 0, custom: { input: ' /' } }] }),
      finish('tool_calls'),
    ];
    const driven = denied(custom('read'));
    expect(driven.asked).toMatchObject([{ id: 'a', name: 'read', args: '{"input":"rm -rf /"}', problem: undefined }]);
    expect(choicesOf(driven)).toMatchObject([{ toolCalls: [], content: NO.note }]);
    expect(choicesOf(denied(custom('write')))[0]?.toolCalls).toEqual([
      { id: 'a', type: 'custom', custom: { name: 'write', input: 'rm -rf /' } },
    ]);
  });

  it('after the end of the choice, and in parts that clients would add to a call that was decided', () => {
    const frames = [
      begin(),
      ...callChunks(0, WRITE),
      finish('tool_calls'),
      chunk({ tool_calls: [part(0, { args: '{"more":1}' })] }),
      ...callChunks(0, READ),
      ...callChunks(1, { ...WRITE, id: 'c' }),
    ];
    const driven = denied(frames);
    expect(driven.asked.map(({ id, args }) => [id, args])).toEqual([
      ['b', WRITE.args],
      ['a', READ.args],
      ['c', WRITE.args],
    ]);
    expect(choicesOf(driven)[0]?.toolCalls.map(({ id }) => id)).toEqual(['b', 'c']);
    expect(driven.text).not.toContain('more');
  });

  it('after the end of all: nothing is let through', () => {
    const driven = drive(['data: [DONE]\n\n', ...callChunks(0, WRITE), said('x'), finish('tool_calls')]);
    expect([driven.text, driven.asked]).toEqual([DONE, []]);
  });

  it('by turns, in any order of indices, without an index, and with one index for two ids', () => {
    const [a, b] = [callChunks(1, READ), callChunks(0, WRITE)];
    const turns = a.flatMap((each, at) => [each, b[at] ?? '']);
    expect(denied([begin(), ...turns, finish('tool_calls')]).asked.map(({ args }) => args)).toEqual([WRITE.args, READ.args]);
    const bare = ({ id, name, args }: CallPlan) => [
      chunk({ tool_calls: [{ id, type: 'function', function: { name, arguments: '' } }] }),
      chunk({ tool_calls: [{ function: { arguments: args } }] }),
    ];
    const driven = denied([begin(), ...bare(READ), ...bare(WRITE), finish('tool_calls')]);
    expect(driven.asked).toMatchObject([
      { id: 'a', args: READ.args },
      { id: 'b', args: WRITE.args },
    ]);
    expect(namesIn(choicesOf(driven)[0])).toEqual(['write']);
    const twice = denied([begin(), ...callChunks(0, READ), ...callChunks(0, WRITE), finish('tool_calls')]);
    expect(twice.asked).toMatchObject([{ id: 'b', name: 'write', problem: 'invalid_json' }]);
  });
});

describe('hazard 27: how a stream is put', () => {
  it.each<[string, (source: string) => string]>([
    ['CRLF', (source) => source.replaceAll('\n', '\r\n')],
    ['CR', (source) => source.replaceAll('\n', '\r')],
    ['a BOM', (source) => `\ufeff${source}`],
    ['many lines of data', (source) => source.replaceAll(',"choices"', '\ndata: ,"choices"')],
    ['names of events', (source) => source.replaceAll('data: {', 'event: message\ndata: {')],
    ['no space', (source) => source.replaceAll('data: ', 'data:')],
    ['white space', (source) => source.replaceAll(/([^\\])":/g, '$1" : ')],
  ])('with %s', (_what, change) => {
    const source = stream('So.', [READ, WRITE]);
    const whole = choicesOf(drive(source, { verdict: denying('read') }));
    expect(choicesOf(drive(change(source), { verdict: denying('read') }))).toEqual(whole);
  });

  it('with a call of more than may be held, which is denied for itself', () => {
    const long = { ...READ, args: JSON.stringify({ path: 'x'.repeat(300_000) }), piece: 100_000 };
    const driven = drive(stream('', [long, WRITE]), {
      maxHeld: 200_000,
      verdict: ({ problem }) => (problem === undefined ? { isAllowed: true } : NO),
    });
    expect(driven.asked).toMatchObject([
      { name: 'read', problem: 'too_long', args: undefined },
      { name: 'write', problem: undefined },
    ]);
    expect(namesIn(choicesOf(driven)[0])).toEqual(['write']);
    expect(drive(stream('', [long]), { maxHeld: 200_000 }).text).not.toContain('xxx');
  });

  it('with more calls than anybody makes', () => {
    const parts = Array.from({ length: 1100 }, (_, at) => part(at, { id: `c${at}`, name: 'n' }));
    expect(drive([begin(), chunk({ tool_calls: parts })], { maxHeld: 1 << 24 }).fault).toBe('more calls than anybody makes');
  });
});

describe('hazard 28: what else a chunk says', () => {
  const EXTRA = { provider_fields: { a: 1e21 }, service_tier: 'x' };

  it('stays, beside a call that is held', () => {
    const of = (delta: object, more: object = {}) =>
      frame({ id: 'i', created: 5, ...EXTRA, choices: [{ index: 0, delta, finish_reason: null, ...more }] });
    const driven = drive(
      [
        of({ role: 'assistant', reasoning_content: 'hm', tool_calls: [part(0, READ)] }, { logprobs: { content: [1] } }),
        of({ tool_calls: [part(0, { args: '' })] }),
        finish('tool_calls'),
        usage(),
        DONE,
      ],
      { verdict: () => NO },
    );
    const made = accumulateChat(driven.text);
    expect(made).toMatchObject({ rest: { id: 'i', created: 5, ...EXTRA }, usage: USAGE });
    expect(made.choices[0]).toMatchObject({ role: 'assistant', rest: { reasoning_content: 'hm' } });
    expect(driven.text).toContain('"logprobs":{"content":[1]}');
    // What has members that are not in every chunk goes on, though its part of a call does not.
    expect(driven.text).toContain('"delta":{}');
  });

  it('stays in a call, signatures among it', () => {
    const signed = { ...part(0, READ), extra_content: { google: { thought_signature: 'c2ln' } } };
    const driven = drive([begin(), chunk({ tool_calls: [signed] }), finish('tool_calls'), DONE]);
    expect(choicesOf(driven)[0]?.toolCalls[0]).toMatchObject({
      id: 'a',
      extra_content: { google: { thought_signature: 'c2ln' } },
    });
    expect(JSON.parse(driven.asked[0]?.inHistory?.() ?? '')).toEqual({
      id: 'a',
      type: 'function',
      function: { name: 'read', arguments: READ.args },
      extra_content: { google: { thought_signature: 'c2ln' } },
    });
  });

  it('is told once: usage and probabilities beside the end', () => {
    const last = frame({
      id: 'i',
      usage: USAGE,
      choices: [
        {
          index: 0,
          delta: { content: 'x', tool_calls: [part(0, READ)] },
          logprobs: { content: [1] },
          finish_reason: 'tool_calls',
          stop_reason: 7,
        },
      ],
    });
    const { text } = drive([begin(), last, DONE]);
    expect(text.match(/"total_tokens"/g)).toHaveLength(1);
    expect(text.match(/"logprobs":\{/g)).toHaveLength(1);
    expect(accumulateChat(text).choices[0]).toMatchObject({ content: 'x', finish: 'tool_calls' });
  });
});

it('hazard 29: a call is denied by itself, not by its name', () => {
  const calls = ['a', 'b', 'c'].map((id) => ({ ...READ, id }));
  const [choice] = choicesOf(drive(stream('', calls), { verdict: ({ id }) => (id === 'b' ? NO : { isAllowed: true }) }));
  expect(choice?.toolCalls.map(({ id }) => id)).toEqual(['a', 'c']);
});

describe('hazard 30: what clients fail at', () => {
  it('is not in what we write: names of events, gaps, empty notes, a role that is lost', () => {
    const driven = drive(
      [
        chunk({ role: 'assistant', content: null, tool_calls: [part(4, READ)] }),
        ...callChunks(7, WRITE),
        finish('tool_calls'),
        DONE,
      ],
      {
        verdict: denying('read'),
      },
    );
    expect(choicesOf(driven)).toMatchObject([{ role: 'assistant', toolCalls: [{ id: 'b' }] }]);
    expect(createChatStream(idle()).keepAlive).toMatch(/^: .*\n\n$/);
  });
});

function idle(): Parameters<typeof createChatStream>[0] {
  const output = { bytes() {}, own() {}, text() {}, ask() {}, fault() {} };
  return { output, nameVerdict: () => 'hold', maxHeld: 1 };
}

describe('what does not wait', () => {
  it('is what is said: behind calls that are held, of the same choice and of others, also while somebody is asked', () => {
    const driven = drive(
      [
        begin(),
        ...callChunks(0, READ),
        said('So.'),
        begin(1) + finish('tool_calls') + said('Me too.', 1),
        said('There.', 1),
        finish('stop', 1),
        DONE,
      ],
      {
        answers: 'after the end',
      },
    );
    const sentBefore = (what: string, call: string) => driven.text.indexOf(what) < driven.text.indexOf(call);
    expect([sentBefore('So.', '"read"'), sentBefore('Me too.', '"read"'), sentBefore('There.', '"read"')]).toEqual([
      true,
      true,
      true,
    ]);
    expect(choicesOf(driven)).toMatchObject([
      { content: 'So.', finish: 'tool_calls' },
      { content: 'Me too.There.', finish: 'stop' },
    ]);
  });

  it('but what comes of the choice that is being asked about does, and the rest behind it', () => {
    const driven = drive(
      [begin(), begin(1), ...callChunks(0, READ), finish('tool_calls'), said('After.'), usage(), said('Later.', 1), DONE],
      {
        answers: 'after the end',
      },
    );
    const places = ['"read"', '"finish_reason":"tool_calls"', 'After.', 'total_tokens', 'Later.', '[DONE]'].map((what) =>
      driven.text.indexOf(what),
    );
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(places).not.toContain(-1);
  });

  it('tells whether something is held', () => {
    const frames = [begin(), said('So.'), ...callChunks(0, READ), finish('tool_calls'), DONE];
    const held = drive(frames).steps.map(({ isHolding }) => isHolding);
    expect(held).toEqual([false, false, ...callChunks(0, READ).map(() => true), false, false]);
    expect(drive(frames, { nameVerdict: () => 'allow' }).steps.some(({ isHolding }) => isHolding)).toBe(false);
  });
});

describe('an end that is none', () => {
  it('lets nothing of a call through, which is told all the same', () => {
    for (const more of [[], [said('x')], ['data: {"id"']]) {
      const driven = drive([begin(), ...callChunks(0, READ), ...callChunks(1, WRITE), ...more]);
      expect(driven.text).not.toMatch(/read|write|path/);
      expect(driven.asked).toMatchObject([
        { name: 'read', problem: 'incomplete', args: undefined },
        { name: 'write', problem: 'incomplete' },
      ]);
    }
  });

  it("is upstream's own error, which goes on at once and drops what is held", () => {
    const error = frame({ error: { message: 'Overloaded', type: 'server_error', code: null } });
    const driven = drive([begin(), ...callChunks(0, READ), error, finish('tool_calls'), DONE]);
    expect(driven.text).toBe(begin() + error);
    expect(driven.asked).toMatchObject([{ problem: 'incomplete' }]);
    const late = drive([begin(), ...callChunks(0, READ), ...callChunks(1, WRITE), finish('tool_calls'), error], {
      answers: 'after the end',
    });
    expect([late.text, late.asked.map(({ problem }) => problem)]).toEqual([begin() + error, [undefined]]);
    expect(drive('event: error\ndata: {"message":"x"}\n\n').text).toBe('data: {"error":{"message":"x"}}\n\n');
  });
});

describe('what nobody can follow', () => {
  const CALL = part(0, READ);

  it.each<[string, string, string]>([
    ['no JSON', 'data: {\n\n', 'an event whose data is not JSON'],
    ['no object', 'data: []\n\n', 'an event whose data is no object'],
    ['a variant of a key', frame({ Choices: [] }), 'an event with a key that some readers take for another'],
    [
      'a variant in a choice',
      frame({ choices: [{ index: 0, Delta: { tool_calls: [CALL] } }] }),
      'an event with a key that some readers take for another',
    ],
    ['a variant in what is said', chunk({ Tool_Calls: [CALL] }), 'an event with a key that some readers take for another'],
    [
      'a variant in a call',
      chunk({ tool_calls: [{ ...CALL, Function: {} }] }),
      'an event with a key that some readers take for another',
    ],
    [
      'a variant in a function',
      chunk({ tool_calls: [{ index: 0, function: { Name: 'x' } }] }),
      'an event with a key that some readers take for another',
    ],
    [
      'members that do not show',
      'data: {"choices":[{"index":0,"delta":{"__proto__":{"tool_calls":[]}}}]}\n\n',
      'an event with a key that some readers take for another',
    ],
    [
      'a message beside what is said',
      frame({ choices: [{ index: 0, delta: {}, message: { tool_calls: [CALL] } }] }),
      'a call in a message that is not streamed',
    ],
    [
      'a call beside an error',
      frame({ error: { message: 'x' }, choices: [{ index: 0, delta: { tool_calls: [CALL] } }] }),
      'a call beside an error',
    ],
    ['choices that are none', frame({ choices: {} }), 'choices that cannot be read'],
    ['a choice that is none', frame({ choices: [1] }), 'a choice that cannot be read'],
    ['a choice twice', frame({ choices: [{ index: 0 }, { index: 0 }] }), 'a choice that is there twice'],
    ['choices without indices', frame({ choices: [{ delta: {} }, { delta: {} }] }), 'a choice without an index'],
    ['calls that are none', chunk({ tool_calls: {} }), 'a part of a call that cannot be read'],
    ['a call that is none', chunk({ tool_calls: ['x'] }), 'a part of a call that cannot be read'],
    ['a function call that is none', chunk({ function_call: 'x' }), 'a part of a call that cannot be read'],
    ['an end that is none', frame({ choices: [{ index: 0, delta: {}, finish_reason: 1 }] }), 'a choice that cannot be read'],
    ['deep nesting', `data: ${'{"a":'.repeat(130)}1${'}'.repeat(130)}\n\n`, 'an event that is nested too deeply'],
  ])('ends the stream with an error: %s', (_what, source, why) => {
    const driven = drive([begin(), ...callChunks(0, WRITE), source, finish('tool_calls'), DONE]);
    expect(driven.fault).toBe(why);
    const last = driven.text.slice(begin().length);
    expect(JSON.parse(last.slice('data: '.length))).toEqual({
      error: { message: `clawai ended this answer: it has ${why}.`, type: 'server_error', param: null, code: null },
    });
  });

  it('is denied where it is one call', () => {
    const odd = [
      { index: 0, id: 'a', type: 'function', function: { name: 'read', arguments: { path: 1 } } },
      { index: 0, id: 'a', type: 'function', function: { name: 'read', arguments: '{}' }, custom: { name: 'write', input: '' } },
      { index: 0, id: 'a', type: 'function', function: { name: ['read'], arguments: '{}' } },
      { index: 0, id: 'a', type: 'function', function: 'read' },
      { index: 0, id: 'a' },
    ];
    for (const each of odd) {
      const driven = drive([begin(), chunk({ tool_calls: [each] }), ...callChunks(1, WRITE), finish('tool_calls'), DONE], {
        verdict: ({ name, problem }) => (problem === undefined && name !== '' ? { isAllowed: true } : NO),
      });
      expect([namesIn(choicesOf(driven)[0]), driven.asked.length]).toEqual([['write'], 2]);
    }
    // Even where it would be allowed.
    expect(namesIn(choicesOf(drive([begin(), chunk({ tool_calls: [odd[0]] }), finish('tool_calls'), DONE]))[0])).toEqual([]);
  });

  it.each([
    ['{"a":1,"a":2}', 'duplicate_key'],
    ['{"a":', 'invalid_json'],
    ['[1]', 'not_an_object'],
    ['', undefined],
  ])('arguments %s: %s', (args, problem) => {
    expect(drive(stream('', [{ ...READ, args }])).asked).toMatchObject([{ problem, args: args === '' ? '{}' : args }]);
  });

  it('is a call that streams on live and is denied at its end', () => {
    const driven = drive(stream('', [READ]), { nameVerdict: () => 'allow', verdict: () => NO });
    expect(driven.fault).toBe('a call of "read" that must not be run');
    expect(driven.text).not.toContain('"finish_reason":"tool_calls"');
  });

  it('says nothing: an event without data, and a comment, which goes on', () => {
    expect(drive(['data:\n\n', 'id: 5\n\n', ': so\n\n', begin(), 'event: ping\ndata: {"type":"ping"}\n\n']).text).toBe(
      `: so\n\n${begin()}`,
    );
  });
});

describe('an event of which a key is there twice', () => {
  it('is written anew, as it was read', () => {
    const { text } = drive('data: {"choices":[{"index":0,"delta":{"content":"a","content":"b"}}],"x":1}\n\n');
    expect(text).toBe('data: {"choices":[{"index":0,"delta":{"content":"b"}}],"x":1}\n\n');
  });
});
