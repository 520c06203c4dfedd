import { describe, expect, it } from 'vitest';
import { createChatStream } from '../../../../../src/protocol/llm/openai/chat/stream.ts';
import { accumulateChat } from '../../../../support/chat-accumulator.ts';
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
import { READ, WRITE, NO, drive, denying, choicesOf, namesIn } from '../../../../support/chat-driving.ts';

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
  const output = { pass() {}, own() {}, text() {}, parts() {}, ask() {}, fault() {} };
  return { output, nameVerdict: () => 'hold', maxHeld: 1 };
}
