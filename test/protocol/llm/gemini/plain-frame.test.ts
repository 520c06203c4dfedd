import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readAnswer } from '../../../../src/protocol/llm/gemini/answer.ts';
import { isPlainFrame } from '../../../../src/protocol/llm/gemini/plain-frame.ts';
import { call, finish, payload, text } from '../../../support/gemini-events.ts';
import { runs } from '../../../support/runs.ts';

const isPlain = (source: string): boolean => {
  const bytes = Buffer.from(`"${source}"`);
  return isPlainFrame(bytes, 1, bytes.length - 1);
};

describe('an event without a call is recognised by its bytes', () => {
  it.each([
    JSON.stringify(payload([text('a "call" \\ \n é🏔')])),
    JSON.stringify(payload([{ text: 'x', thought: true, thoughtSignature: 'U0lH' }]), undefined, 2),
    JSON.stringify(finish()),
    '{}',
    ' { "candidates" : [ ] } ',
    '{"usageMetadata":{"tokenCount":-0.5e-10,"index":0,"thought":null,"blocked":false}}',
    String.raw`{"text":"\u003ctool\u003e\/\b\f\r\t"}`,
  ])('%s', (source) => {
    expect(isPlain(source)).toBe(true);
  });

  it.each([
    // Some readers end a line here.
    JSON.stringify(payload([text('a\u2028b')])),
    JSON.stringify(payload([call('n', {})])),
    '{"function_call":1}',
    String.raw`{"\u0066unctionCall":{}}`,
    '{"Text":"a"}',
    '{"error":{}}',
    '{"text":{"other":1}}',
    '',
    '[]',
    '"text"',
    '{',
    '{"text"}',
    '{"text":}',
    '{"text":"a"',
    '{"text":"a"]',
    '{"text":"a"}}',
    '{"text":"a"} x',
    '{"text":"a",}',
    '{,}',
    '{"parts":[1,]}',
    '{"parts":[,1]}',
    '{"parts":[}',
    '{"text":"a\u0001"}',
    String.raw`{"text":"\x"}`,
    String.raw`{"text":"\u00g0"}`,
    '{"text":"\\',
    '{"text":01}',
    '{"text":1.}',
    '{"text":.5}',
    '{"text":-}',
    '{"text":1e}',
    '{"text":+1}',
    '{"text":tru}',
    '{"text":NaN}',
    "{'text':1}",
    '{text:1}',
    `{"parts":${'['.repeat(40)}${']'.repeat(40)}}`,
  ])('and %s is none', (source) => {
    expect(isPlain(source)).toBe(false);
  });

  it('is JSON for everybody, and no call for anybody, whatever comes', () => {
    const token = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"',
      '\\',
      '"text"',
      '"parts"',
      '"functionCall"',
      '1',
      '-',
      '.',
      'e',
      'true',
      ' ',
      '\\u0061',
      'a',
    );
    fc.assert(
      fc.property(fc.array(token, { maxLength: 14 }), (tokens) => {
        const source = `{${tokens.join('')}}`;
        fc.pre(isPlain(source));
        expect(JSON.parse(source)).toBeTypeOf('object');
        expect(source).not.toContain('"functionCall":');
      }),
      { numRuns: runs(20_000) },
    );
  });

  it('whatever is recognised is read as an answer without calls', () => {
    const json = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        fc.string(),
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.boolean(),
        fc.constant(null),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(fc.constantFrom('candidates', 'content', 'parts', 'text', 'functionCall', 'args'), tie('value'), {
          maxKeys: 3,
        }),
      ),
    })).value;
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom('candidates', 'content', 'x'), json), (value) => {
        const source = JSON.stringify(value);
        const answer = readAnswer(source);
        const hasNoCall = typeof answer !== 'string' && answer.parts.length === 0;
        expect(!isPlain(source) || hasNoCall).toBe(true);
        expect(isPlain(source)).toBe(!/"(?:functionCall|args|x)":/.test(source));
      }),
    );
  });
});
