import { describe, expect, it } from 'vitest';
import { type Chunk, readChunk } from '../../../../../src/protocol/llm/openai/chat/chunk.ts';
import {
  envelopeOf,
  formatOwnChunk,
  isToolReason,
  isTouched,
  splitAtEnd,
  withoutHeld,
  withoutToolReason,
} from '../../../../../src/protocol/llm/openai/chat/chunk-edits.ts';
import { SseSplitter } from '../../../../../src/protocol/sse/splitter.ts';
import { part } from '../../../../support/chat-chunks.ts';

function read(payload: object): Chunk {
  const made: Chunk[] = [];
  new SseSplitter({ maxFrame: 1 << 20 }).push(Buffer.from(`data: ${JSON.stringify(payload)}\n\n`), (event) => {
    const chunk = readChunk(event, event.data ?? Buffer.alloc(0));
    if (typeof chunk === 'object' && chunk.kind === 'chunk') made.push(chunk as Chunk);
  });
  return made[0] as Chunk;
}

const of = (delta: object, more: object = {}) => ({ index: 0, delta, finish_reason: null, ...more });
const HELD = { parts: ['held'], isLegacyHeld: false } as const;
const NOTHING = { parts: [], isLegacyHeld: false } as const;
const CALLS = { tool_calls: [part(4, { id: 'a' })] };

describe('a chunk without what is held', () => {
  it.each<[string, object, unknown]>([
    ['nothing else', { id: 'i', choices: [of(CALLS)], obfuscation: 'x', usage: null }, undefined],
    ['an empty text', { choices: [of({ ...CALLS, content: '', refusal: null })] }, undefined],
    ['a role', { choices: [of({ ...CALLS, role: 'assistant' })] }, { choices: [of({ role: 'assistant' })] }],
    ['words', { x: 1, choices: [of({ content: 'x', ...CALLS })] }, { x: 1, choices: [of({ content: 'x' })] }],
    ['usage', { choices: [of(CALLS)], usage: { n: 1 } }, { choices: [of({})], usage: { n: 1 } }],
    ['more in the choice', { choices: [of(CALLS, { logprobs: {} })] }, { choices: [of({}, { logprobs: {} })] }],
  ])('says what it says besides: %s', (_what, payload, left) => {
    const data = withoutHeld(read(payload), [HELD]);
    expect(data === undefined ? undefined : JSON.parse(data)).toEqual(left);
  });

  it('has parts that go on, in their places', () => {
    const parts = [part(4, { id: 'a' }), part(5, { id: 'b' }), { id: 'c', function: {} }];
    const data = withoutHeld(read({ choices: [of({ tool_calls: parts })] }), [{ parts: [1, 'held', 2], isLegacyHeld: false }]);
    expect(JSON.parse(data ?? '')).toEqual({
      choices: [of({ tool_calls: [part(1, { id: 'a' }), { id: 'c', function: {}, index: 2 }] })],
    });
  });

  it('has a call of before, or not', () => {
    const chunk = read({ choices: [of({ role: 'assistant', function_call: { name: 'x' } })] });
    expect(withoutHeld(chunk, [{ parts: [], isLegacyHeld: true }])).not.toContain('function_call');
    expect(withoutHeld(chunk, [NOTHING])).toContain('function_call');
    expect(
      withoutHeld(read({ choices: [of({ function_call: { name: 'x' } })] }), [{ parts: [], isLegacyHeld: true }]),
    ).toBeUndefined();
  });

  it('is touched only where something changes', () => {
    const [choice] = read({ choices: [of(CALLS)] }).choices;
    expect(
      [HELD, NOTHING, { ...NOTHING, isLegacyHeld: true }, { ...NOTHING, parts: [4] }, { ...NOTHING, parts: [0] }].map((fate) =>
        isTouched(fate, choice),
      ),
    ).toEqual([true, false, true, false, true]);
  });
});

describe('a chunk at the end of choices', () => {
  it('is one where it says nothing else', () => {
    const chunk = read({ choices: [of(CALLS, { finish_reason: 'stop', logprobs: null })] });
    expect(splitAtEnd(chunk, [HELD], () => true)).toEqual({
      before: undefined,
      end: '{"choices":[{"index":0,"delta":{},"finish_reason":"stop","logprobs":null}]}',
    });
  });

  it('is two where it does, each of which says its own', () => {
    const chunk = read({
      usage: { n: 1 },
      choices: [
        of({ content: 'x', ...CALLS }, { finish_reason: 'stop', logprobs: { a: 1 } }),
        { ...of({ content: 'y' }), index: 1 },
      ],
    });
    const { before, end } = splitAtEnd(chunk, [HELD, NOTHING], ({ index }) => index === 0);
    expect([JSON.parse(before ?? ''), JSON.parse(end)]).toEqual([
      { usage: null, choices: [of({ content: 'x' }, { logprobs: { a: 1 } }), { ...of({ content: 'y' }), index: 1 }] },
      { usage: { n: 1 }, choices: [of({}, { finish_reason: 'stop', logprobs: null })] },
    ]);
  });

  it('has another reason where nothing is left to run, and only where that was one', () => {
    const choices = ['tool_calls', 'function_call', 'length', 'tool_calls'].map((reason, index) => ({
      index,
      finish_reason: reason,
    }));
    const data = withoutToolReason(JSON.stringify({ choices }), (index) => index < 3);
    const reasons = (JSON.parse(data) as { choices: { finish_reason: string }[] }).choices.map(
      ({ finish_reason: reason }) => reason,
    );
    expect(reasons).toEqual(['stop', 'stop', 'length', 'tool_calls']);
    const text = '{ "choices":[{"index":0,"finish_reason":"stop"}]}';
    expect(withoutToolReason(text, () => true)).toBe(text);
    expect([isToolReason('tool_calls'), isToolReason('stop'), isToolReason(undefined)]).toEqual([true, false, false]);
  });
});

it('a chunk of our own has what others have around theirs, and no usage', () => {
  const envelope = envelopeOf(read({ id: 'i', choices: [], usage: { n: 1 }, obfuscation: 'x', created: 5 }));
  expect(formatOwnChunk(envelope, 2, '{"content":"x"}')).toBe(
    '{"id":"i","choices":[{"index":2,"delta":{"content":"x"},"finish_reason":null}],"created":5}',
  );
});
