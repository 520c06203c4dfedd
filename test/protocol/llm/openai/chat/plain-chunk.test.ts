import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readChunk } from '../../../../../src/protocol/llm/openai/chat/chunk.ts';
import { PlainChunk } from '../../../../../src/protocol/llm/openai/chat/plain-chunk.ts';
import { SseSplitter } from '../../../../../src/protocol/sse/splitter.ts';
import { begin, chunk, finish, part, said, usage } from '../../../../support/chat-chunks.ts';

/** Has read these frames. */
function taught(...frames: readonly string[]): PlainChunk {
  const plain = new PlainChunk();
  new SseSplitter({ maxFrame: 1 << 20 }).push(Buffer.from(frames.join('')), (event) => {
    const read = readChunk(event, event.data ?? Buffer.alloc(0));
    if (typeof read === 'object' && read.kind === 'chunk') plain.learn(read);
  });
  return plain;
}

/** What a frame is taken for. */
function recognise(plain: PlainChunk, frame: string): unknown {
  const bytes = Buffer.from(`xx${frame.slice('data: '.length, -2)}yy`);
  if (!plain.read(bytes, 2, bytes.length - 2)) return undefined;
  return { kind: plain.kind, choice: plain.choice, call: plain.call, text: plain.text(bytes) };
}

const args = (text: string, call = 0) => chunk({ tool_calls: [part(call, { args: text })] });

describe('a chunk', () => {
  it('is recognised by one like it that was read, whatever it says and however long that is', () => {
    const plain = taught(begin(), said('a'));
    for (const text of ['', 'x', 'é🏔"\\\n', String.raw`\u0041`, 'x'.repeat(9000)]) {
      expect(recognise(plain, said(text).replace('Xy3', ''))).toEqual({ kind: 'text', choice: 0, call: 0, text });
    }
    expect(recognise(plain, said('b').replace('Xy3', 'another'))).toMatchObject({ text: 'b' });
  });

  it('is one of several kinds at a time', () => {
    const plain = taught(said('a'), said('a', 1), chunk({ reasoning_content: 'a' }), args('a', 3));
    expect(recognise(plain, said('x', 1))).toMatchObject({ kind: 'text', choice: 1 });
    expect(recognise(plain, args('{"a', 3))).toEqual({ kind: 'input', choice: 0, call: 3, text: '{"a' });
    expect(recognise(plain, chunk({ reasoning_content: 'hm' }))).toMatchObject({ kind: 'text', text: 'hm' });
    expect(recognise(plain, said('x'))).toMatchObject({ kind: 'text', choice: 0 });
    expect(recognise(plain, said('x', 2))).toBeUndefined();
  });

  it.each<[string, string]>([
    ['more in it', said('x').replace('"content"', '"tool_calls":[],"content"')],
    ['more behind it', said('x').replace('}\n', ',"error":{}}\n')],
    ['another key', said('x').replace('"content"', '"c0ntent"')],
    ['a string that ends early', said('x').replace('"x"', '"x","tool_calls":[{"index":0}],"y":"z"')],
    ['a control character', said('x').replace('"x"', '"\t"')],
    ['an escape that is none', said('x').replace('"x"', '"\\x"')],
    ['no end', said('x').slice(0, 190)],
    ['an end', finish('stop')],
    ['a part of a call', args('x')],
  ])('is none with %s', (_what, frame) => {
    expect(recognise(taught(said('a')), frame)).toBeUndefined();
  });

  it.each<[string, string]>([
    ['an end', finish('stop')],
    ['an end and words', chunk({ content: 'a' }, { finish: 'stop' })],
    ['no choice', usage()],
    ['nothing said', begin()],
    ['a name of a call', chunk({ tool_calls: [part(0, { id: 'a', name: 'n', args: 'x' })] })],
    ['two calls', chunk({ tool_calls: [part(0, { args: 'x' }), part(1, { args: 'x' })] })],
    ['a call and words', chunk({ content: 'a', tool_calls: [part(0, { args: 'x' })] })],
    ['a call of before', chunk({ function_call: { arguments: 'x' } })],
    ['no strings', chunk({ content: 1 })],
    ['a key twice', 'data: {"x":1,"x":2,"choices":[{"index":0,"delta":{"content":"a"}}]}\n\n'],
    ['much more', chunk({ content: 'a', more: 'x'.repeat(5000) })],
  ])('with %s teaches nothing', (_what, frame) => {
    expect(recognise(taught(frame), frame)).toBeUndefined();
  });

  it('is recognised only where reading it would tell the same', () => {
    const mutation = fc.record({
      at: fc.nat(250),
      by: fc.constantFrom('"', '\\', '{', '}', ',', 'x', ' ', '\n', ''),
      length: fc.nat(3),
    });
    fc.assert(
      fc.property(fc.array(mutation, { maxLength: 3 }), fc.constantFrom(said('word'), args('{"a":1}')), (mutations, source) => {
        let frame = source;
        for (const { at, by, length } of mutations) frame = frame.slice(0, 6 + at) + by + frame.slice(6 + at + length);
        const plain = taught(said('a'), args('a'));
        const bytes = Buffer.from(frame.slice(6, -2));
        fc.pre(plain.read(bytes, 0, bytes.length));
        const { choices } = JSON.parse(bytes.toString()) as { choices: [{ delta: object }] };
        const text = plain.text(bytes);
        expect(choices[0].delta).toEqual(plain.kind === 'text' ? { content: text } : { tool_calls: [part(0, { args: text })] });
      }),
      { numRuns: 2000 },
    );
  });
});
