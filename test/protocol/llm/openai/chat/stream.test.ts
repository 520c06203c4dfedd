import { describe, expect, it } from 'vitest';
import type { CallVerdict, ModelCall, NameVerdict } from '../../../../../src/protocol/llm/dialect.ts';
import { createChatStream } from '../../../../../src/protocol/llm/openai/chat/stream.ts';
import { begin, callChunks, chunk, DONE, finish, frame, part, said, stream, usage } from '../../../../support/chat-chunks.ts';
import { READ, WRITE, NO, drive, denying, choicesOf, namesIn } from '../../../../support/chat-driving.ts';
import { driveModelStream, everySplit } from '../../../../support/drive-model-stream.ts';

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
    ['a call at no place', chunk({ tool_calls: [{ ...CALL, index: '0' }] }), 'a part of a call at no place'],
    ['a call before the first', chunk({ tool_calls: [{ ...CALL, index: -1 }] }), 'a part of a call at no place'],
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

describe('an end without a blank line', () => {
  const source = stream('So.', [READ, WRITE]);

  it.each([
    ['of the mark', source.trimEnd(), source],
    ['of the mark, but for a line feed', source.slice(0, -1), source],
    ['of the last chunk', source.slice(0, -DONE.length).trimEnd(), source.slice(0, -DONE.length)],
    ['of a chunk that is cut off', `${said('a')}${said('b').trimEnd().slice(0, -3)}`, said('a')],
  ])('is read where some clients read it: %s', (_what, cut, whole) => {
    for (const verdict of [denying(), denying('write')])
      expect(drive([cut], { verdict })).toMatchObject({ text: drive([whole], { verdict }).text, fault: undefined });
  });
});

describe('an event of which a key is there twice', () => {
  it('is written anew, as it was read', () => {
    const { text } = drive('data: {"choices":[{"index":0,"delta":{"content":"a","content":"b"}}],"x":1}\n\n');
    expect(text).toBe('data: {"choices":[{"index":0,"delta":{"content":"b"}}],"x":1}\n\n');
  });
});
