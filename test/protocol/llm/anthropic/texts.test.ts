import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anthropicTexts } from '../../../../src/protocol/llm/anthropic/texts.ts';

const eventOf = (text: string, index = 0): string =>
  JSON.stringify({ type: 'content_block_delta', index, delta: { type: 'text_delta', text } });

describe('a piece of a text in its most frequent form', () => {
  it('is what the parser reads, and valid JSON', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.nat(999_999), fc.nat(3), (text, index, spaces) => {
        const data = `${eventOf(text, index)}${' '.repeat(spaces)}`;
        expect(anthropicTexts.plainDelta?.(data)).toEqual(anthropicTexts.deltas(data)[0]);
      }),
    );
  });

  it.each([
    ['another kind', JSON.stringify({ type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'x' } })],
    ['a member more', eventOf('x').replace('}}', ',"a":1}}')],
    ['a member twice', eventOf('x').replace('}}', '},"delta":{}}')],
    ['a wrong escape', eventOf('x').replace('"x"', '"\\x"')],
    ['a half escape', eventOf('x').replace('"x"', '"\\u12"')],
    ['a control character', eventOf('x').replace('"x"', '"\t"')],
    ['a number that is none', eventOf('x').replace('"index":0', '"index":01')],
    ['no end', eventOf('x').slice(0, -1)],
  ])('is nothing else: %s', (_what, data) => {
    expect(anthropicTexts.plainDelta?.(data)).toBeUndefined();
  });

  it('takes time in proportion to its length', () => {
    const data = eventOf('\\"'.repeat(500_000)).slice(0, -2);
    expect(anthropicTexts.plainDelta?.(data)).toBeUndefined();
  });
});

describe('an event that begins a text', () => {
  it('is split from the words that it begins with', () => {
    const begun = (text: string, type = 'text'): string =>
      JSON.stringify({ type: 'content_block_start', index: 3, content_block: { type, text, citations: [] } });
    expect(anthropicTexts.split?.(begun('CLAW"'))).toEqual({
      begin: begun(''),
      name: 'content_block_delta',
      words: eventOf('CLAW"', 3),
    });
    expect(anthropicTexts.split?.(begun(''))).toBeUndefined();
    expect(anthropicTexts.split?.(begun('x', 'compaction'))).toBeUndefined();
    expect(anthropicTexts.split?.(eventOf('x'))).toBeUndefined();
  });
});
