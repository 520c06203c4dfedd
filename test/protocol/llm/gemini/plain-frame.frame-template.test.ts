import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FrameTemplate, isPlainFrame } from '../../../../src/protocol/llm/gemini/plain-frame.ts';
import { call, finish, payload, text } from '../../../support/gemini-events.ts';

const FIRST = JSON.stringify(payload([text('Some words')]));

function recognise(template: FrameTemplate, source: string): boolean {
  const bytes = Buffer.from(`x${source}}`);
  const isPlain = template.isPlain(bytes, 1, bytes.length - 1);
  bytes.fill(0x21);
  return isPlain;
}

describe('an event like the one before', () => {
  it.each([
    FIRST,
    JSON.stringify(payload([text('"other" \\ é🏔')])),
    FIRST.replace('12', '1234'),
    FIRST.replace(':7', ':0'),
    FIRST.replace(':7', ':-1.5e3'),
    JSON.stringify(payload([{ text: 'a', thought: true }])),
    JSON.stringify(finish()),
    '{}',
  ])('is recognised: %s', (source) => {
    const template = new FrameTemplate();
    expect(recognise(template, FIRST)).toBe(true);
    expect(recognise(template, source)).toBe(true);
    expect(recognise(template, FIRST)).toBe(true);
  });

  it.each([
    JSON.stringify(payload([call('n', {})])),
    FIRST.replace('"text"', '"toolCall"'),
    FIRST.replace('"Some words"', '{"functionCall":1}'),
    FIRST.replace('"Some words"', 'Some words'),
    FIRST.replace('Some words', 'a\\'),
    FIRST.replace('Some words', '\u0001'),
    FIRST.replace('12', '012'),
    FIRST.replace(':12', ':'),
    FIRST.slice(0, -1),
    FIRST.slice(0, -9),
    `${FIRST}}`,
    FIRST.slice(0, 20),
    '',
  ])('and is not where it is another one: %s', (source) => {
    const template = new FrameTemplate();
    expect(recognise(template, FIRST)).toBe(true);
    expect(recognise(template, source)).toBe(false);
  });

  it('nothing is recognised that would not be by itself, whatever came before', () => {
    const piece = fc.constantFrom('{', '}', '"text":', '"index":', '"a"', '"functionCall"', '1', '0', '[', ']', ',', ':');
    const source = fc.array(piece, { maxLength: 10 }).map((pieces) => `{${pieces.join('')}}`);
    const good = fc.constantFrom('{"text":"a"}', '{"index":1,"text":"b"}', '{"parts":[1,0]}', '{"parts":[{"text":"a"},1]}');
    fc.assert(
      fc.property(fc.array(fc.oneof(source, good), { maxLength: 8 }), (sources) => {
        const template = new FrameTemplate();
        for (const one of sources) {
          const bytes = Buffer.from(one);
          expect(recognise(template, one)).toBe(isPlainFrame(bytes, 0, bytes.length));
        }
      }),
      { numRuns: 2000 },
    );
  });
});
