import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PlainDelta } from '../../../../src/protocol/llm/anthropic/plain-delta.ts';

const plain = new PlainDelta();
/** Reads a text that stands among other bytes. */
function read(text: string | Buffer): { kind: string; index: number; text: string } | undefined {
  const bytes = Buffer.concat([Buffer.from('"}'), Buffer.from(text), Buffer.from('"}}}')]);
  if (!plain.read(bytes, 2, bytes.length - 4)) return undefined;
  return { kind: plain.kind, index: plain.index, text: plain.text(bytes) };
}

const TEXT = '{"type":"content_block_delta","index":3,"delta":{"type":"text_delta","text":"hi"}}';

describe('a delta', () => {
  it.each<[string, string, ReturnType<typeof read>]>([
    ['as it is', TEXT, { kind: 'text', index: 3, text: 'hi' }],
    ['with spaces', TEXT.replaceAll(':', ': ').replaceAll(',', ', '), { kind: 'text', index: 3, text: 'hi' }],
    ['with spaces before its end', TEXT.replace('}}', '  }      }  '), { kind: 'text', index: 3, text: 'hi' }],
    [
      'of thinking',
      TEXT.replace('text_delta', 'thinking_delta').replace('"text"', '"thinking"'),
      { kind: 'thinking', index: 3, text: 'hi' },
    ],
    [
      'of input',
      TEXT.replace('text_delta', 'input_json_delta').replace('"text"', '"partial_json"'),
      { kind: 'input', index: 3, text: 'hi' },
    ],
    ['with escapes', TEXT.replace('hi', String.raw`\"\\\u00e9\n`), { kind: 'text', index: 3, text: '"\\é\n' }],
    ['of nothing', TEXT.replace('hi', ''), { kind: 'text', index: 3, text: '' }],
    ['with a large index', TEXT.replace('3', '120'), { kind: 'text', index: 120, text: 'hi' }],
    ['with a key behind the string', TEXT.replace('"hi"', '"hi","text":"ho"'), undefined],
    ['with a key behind the delta', TEXT.replace('}}', '},"index":4}'), undefined],
    ['with a key before', TEXT.replace('{', '{"a":1,'), undefined],
    ['of another type', TEXT.replace('text_delta', 'text_deltas'), undefined],
    ['with the text of another type', TEXT.replace('"text":', '"thinking":'), undefined],
    ['with more behind it', `${TEXT}{}`, undefined],
    ['without its end', TEXT.slice(0, -1), undefined],
    ['without the end of its string', TEXT.slice(0, -3), undefined],
    ['with an escape that is none', TEXT.replace('hi', String.raw`\x41`), undefined],
    ['with half an escape', TEXT.replace('hi', String.raw`\u00`), undefined],
    ['with an escaped end', TEXT.replace('hi', 'hi\\'), undefined],
    ['with a control character', TEXT.replace('hi', '\t'), undefined],
    ['with an index that is none', TEXT.replace('3', '-3'), undefined],
    ['with an index in another notation', TEXT.replace('3', '03'), undefined],
    ['without an index', TEXT.replace('3', ''), undefined],
    ['with half the spacing', TEXT.replace('"type":', '"type": '), undefined],
  ])('%s', (_what, text, expected) => {
    expect(read(text)).toEqual(expected);
  });

  it('says what JSON says, or is left to JSON', () => {
    const piece = fc.constantFrom('a', '"', '\\', '\\n', '\\u00e9', '}', '}}', ',', '"text":"', 'é', '\u2028', '\\ud83c', ' ');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), fc.array(piece, { maxLength: 2 }), (inside, behind) => {
        const text = TEXT.replace('hi', () => inside.join('')) + behind.join('');
        const found = read(text);
        if (found === undefined) return;
        expect(JSON.parse(text)).toEqual({
          type: 'content_block_delta',
          index: found.index,
          delta: { type: 'text_delta', text: found.text },
        });
      }),
      { numRuns: 2000 },
    );
  });
});
