import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HeldText } from '../../../../../src/protocol/llm/held-text.ts';
import { KnownTexts } from '../../../../../src/protocol/llm/openai/responses/known-texts.ts';
import { runs } from '../../../../support/runs.ts';

const LENGTH = 270_000;

function held(text: string): HeldText {
  const all = new HeldText();
  for (let at = 0; at < text.length; at += 1000) all.add(text.slice(at, at + 1000));
  return all;
}

function knowing(...texts: readonly string[]): KnownTexts {
  const known = new KnownTexts('nonce');
  for (const text of texts) known.add(held(text));
  return known;
}

function shorten(known: KnownTexts, json: string | Buffer): string | undefined {
  const data = Buffer.from(json);
  return known.shorten(data, 0, data.length);
}

/** Strings as servers write them: as they are, or in ASCII only. */
const WRITERS = [
  (value: unknown) => JSON.stringify(value),
  (value: unknown) =>
    JSON.stringify(value).replaceAll(/[^ -~]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`),
];

const TEXT = fc
  .string({ unit: fc.constantFrom('a', '"', '\\', '\n', 'é', '語', '🏔', '\u0001', '\ud800'), minLength: 1, maxLength: 40 })
  .map((unit) => unit.repeat(Math.ceil(LENGTH / unit.length)));

const item = (args: string, more: object = {}): object => ({
  type: 'function_call',
  call_id: 'c',
  name: 'n',
  arguments: args,
  ...more,
});

describe('a long event', () => {
  it('is short with a stand-in for its known text, and the same when it is written', () => {
    fc.assert(
      fc.property(TEXT, fc.constantFrom(...WRITERS), (text, write) => {
        const known = knowing('b'.repeat(LENGTH), text);
        for (const event of [
          { type: 'x', arguments: text, more: ['"', 1] },
          { type: 'x', item: item(text) },
          { type: 'x', response: { output: [item('{}'), item(text), { type: 'message', content: [] }] } },
          { type: 'x', item: { type: 'custom_tool_call', call_id: 'c', input: text } },
        ]) {
          const short = shorten(known, write(event));
          expect(short?.length).toBeLessThan(400);
          expect(known.isIn(short ?? '')).toBe(true);
          expect(JSON.parse(known.expanded(short ?? ''))).toEqual(event);
        }
      }),
      { numRuns: runs(15) },
    );
  });

  const text = 'a"é'.repeat(LENGTH / 3);

  it.each<[string, string]>([
    ['another text', JSON.stringify({ arguments: `${text.slice(0, -1)}e` })],
    ['a longer text', JSON.stringify({ arguments: `${text}a` })],
    ['the text as a key', JSON.stringify({ [text]: 1 })],
    ['the text as a name', JSON.stringify({ item: item('', { name: text }) })],
    ['the text as a name too', JSON.stringify({ item: item(text, { name: text }) })],
    ['the text twice', `{"arguments":${JSON.stringify(text)},"arguments":${JSON.stringify(text)}}`],
    ['the text in a message', JSON.stringify({ item: { type: 'message', content: [{ type: 'output_text', text }] } })],
    ['the text deeper', JSON.stringify({ item: item('', { action: { arguments: text } }) })],
    ['broken JSON', `{"arguments":${JSON.stringify(text)},}`],
    ['a list', JSON.stringify([{ arguments: text }])],
    ['a doubtful character', JSON.stringify({ arguments: text, more: '\u2028' })],
  ])('stays as it is with %s', (_what, json) => {
    expect(shorten(knowing(text), json)).toBeUndefined();
  });

  it('stays as it is with bytes that are no text', () => {
    const broken = 'a\ufffd'.repeat(LENGTH / 2);
    const json = Buffer.from(JSON.stringify({ arguments: broken }).replaceAll('\ufffd', 'é'), 'latin1');
    expect(json.includes(0xe9)).toBe(true);
    expect(shorten(knowing(broken), json)).toBeUndefined();
  });

  it('is not short without a nonce', () => {
    const known = new KnownTexts();
    known.add(held(text));
    expect(shorten(known, JSON.stringify({ arguments: text }))).toBeUndefined();
    expect([known.textOf(':0'), known.isIn('":0"'), known.expanded('":0"')]).toEqual([':0', false, '":0"']);
  });

  it('is not short for a text that is short', () => {
    expect(shorten(knowing('a'), JSON.stringify({ arguments: 'a', more: 'x'.repeat(LENGTH) }))).toBeUndefined();
  });
});

describe('a stand-in', () => {
  const text = 'x'.repeat(LENGTH);

  it('is that of one text', () => {
    const [one, other] = [held(text), held(`${text}y`)];
    const known = new KnownTexts('nonce');
    known.add(one);
    known.add(other);
    const { arguments: value } = JSON.parse(shorten(known, JSON.stringify({ arguments: text })) ?? '') as { arguments: string };
    expect([known.isStandIn(value, one), known.isStandIn(value, other), known.isStandIn(value, undefined)]).toEqual([
      true,
      false,
      false,
    ]);
    expect([known.isStandIn('x', one), known.textOf('x'), known.textOf(value) === text]).toEqual([false, 'x', true]);
  });

  it('stands for nothing once its text has changed', () => {
    const one = held(text);
    const known = new KnownTexts('nonce');
    known.add(one);
    const short = shorten(known, JSON.stringify({ item: item(text) })) ?? '';
    const { item: read } = JSON.parse(short) as { item: Record<string, unknown> };
    expect(known.itemOf(read)).toEqual(item(text));
    one.add('y');
    expect(() => known.itemOf(read)).toThrow('a text of the stream has changed');
    expect(() => known.expanded(short)).toThrow('a text of the stream has changed');
    one.clear();
    expect(() => known.itemOf(read)).toThrow('a text of the stream has changed');
    expect(shorten(known, JSON.stringify({ arguments: text }))).toBeUndefined();
  });
});
