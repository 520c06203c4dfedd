import { describe, expect, it } from 'vitest';
import type { CallVerdict, ModelCall } from '../../../../src/protocol/llm/dialect.ts';
import { NO_SIGNATURE } from '../../../../src/protocol/llm/gemini/noted-part.ts';
import { createGeminiStream } from '../../../../src/protocol/llm/gemini/stream.ts';
import { driveModelStream, type Driving } from '../../../support/drive-model-stream.ts';
import { accumulateSse } from '../../../support/gemini-accumulator.ts';
import { call, finish, type GeminiPart, payload, pieces, sse, text } from '../../../support/gemini-events.ts';

const create = createGeminiStream;
const NO: CallVerdict = { isAllowed: false, note: 'No.' };
const PIECES = pieces('get', { id: 'p1', path: '$.place', value: 'San Francisco' });
const each = (parts: readonly GeminiPart[]) => parts.map((part) => payload([part]));
const drive = (source: string, driving: Partial<Driving> = {}) =>
  driveModelStream([Buffer.from(source)], { create, nameVerdict: () => 'hold', ...driving });
const partsOf = (stream: string) => accumulateSse(stream).candidates[0];

describe('a call that comes in pieces', () => {
  it('is decided with all its arguments, and goes on as it came', () => {
    const source = sse([payload([text('so')]), ...each(PIECES), payload([text('b')]), finish()]);
    for (const answers of ['at once', 'next chunk', 'after the end'] as const) {
      const { text: made, asked, fault } = drive(source, { answers });
      expect(made).toBe(source);
      expect(fault).toBeUndefined();
      expect(asked).toMatchObject([
        { id: 'p1', name: 'get', args: '{"place":"San Francisco"}', problem: undefined, answer: 'r-1' },
      ]);
      expect(asked[0]?.inHistory?.()).toBe('{"functionCall":{"id":"p1","name":"get","args":{"place":"San Francisco"}}}');
    }
  });

  it('is held from its first piece on', () => {
    const chunks = [payload([text('so')]), ...each(PIECES)].map((one) => Buffer.from(sse([one])));
    const { steps } = driveModelStream(chunks, { create, nameVerdict: () => 'hold' });
    expect(steps.map(({ isHolding }) => isHolding)).toEqual([false, true, true, true, true, true, false]);
    expect(steps.slice(0, -1).map(({ sent }) => sent)).toEqual(Array.from({ length: 6 }, () => steps[0]?.sent));
  });

  it('that is denied is one text, and not a byte of its arguments', () => {
    const { text: made } = drive(sse([...each(PIECES), finish()]), { verdict: () => NO });
    expect(partsOf(made)).toEqual([text('No.')]);
    expect(made).not.toMatch(/San|functionCall|partialArgs/);
    expect(accumulateSse(made).rest).toHaveLength(PIECES.length + 1);
  });

  it('has its signature in its first piece', () => {
    const [first = {}, ...more] = PIECES;
    const signed = [{ ...first, thoughtSignature: 'sig' }, ...more];
    const { asked, text: made } = drive(sse([...each(signed), payload([call('n', {})])]), {
      verdict: ({ name }) => (name === 'get' ? NO : { isAllowed: true }),
    });
    expect(asked[0]?.inHistory?.()).toMatch(/"thoughtSignature":"sig"\}$/);
    expect(partsOf(made)).toEqual([
      { text: 'No.', thoughtSignature: 'sig' },
      { ...call('n', {}), thoughtSignature: NO_SIGNATURE },
    ]);
  });

  it('says in its first piece that it has no signature, where that went with another', () => {
    const signed = call('n', {}, { signature: 'sig' });
    const { text: made } = drive(sse([payload([signed]), ...each(PIECES)]), {
      verdict: ({ name }) => (name === 'n' ? NO : { isAllowed: true }),
    });
    expect(partsOf(made)?.map((part) => part['thoughtSignature'])).toEqual([
      'sig',
      NO_SIGNATURE,
      ...PIECES.slice(1).map(() => undefined),
    ]);
  });

  it('may end with its last piece, or with one that has its name', () => {
    const whole = { functionCall: { name: 'n', partialArgs: [{ jsonPath: '$.a', numberValue: 1.5 }] } };
    const last = { functionCall: { partialArgs: [{ jsonPath: '$.b', boolValue: true }] } };
    const begun = { functionCall: { name: 'm', willContinue: true } };
    const { asked } = drive(sse(each([whole, begun, last, { functionCall: {} }])));
    expect(asked.map(({ name, args }) => [name, args])).toEqual([
      ['n', '{"a":1.5}'],
      ['m', '{"b":true}'],
    ]);
  });

  it('may end once more: what has no name and no arguments is no call', () => {
    const again = { functionCall: {} };
    const source = sse(each([...PIECES, again]));
    expect(drive(source).text).toBe(source);
    expect(partsOf(drive(source, { verdict: () => NO }).text)).toEqual([text('No.')]);
    expect(partsOf(drive(sse(each([again, text('a')]))).text)).toEqual([text('a')]);
  });

  it('lets a whole one pass beside it, behind it', () => {
    const [first = {}, ...more] = PIECES;
    const source = sse(each([first, call('n', {}), ...more]));
    const { asked, text: made } = drive(source);
    expect(asked.map(({ name }) => name)).toEqual(['n', 'get']);
    expect(made).toBe(source);
  });

  it.each<[string, readonly object[]]>([
    ['the candidate is finished', [finish('MAX_TOKENS')]],
    ['another one begins', [payload([{ functionCall: { name: 'other', willContinue: true } }]), payload([{ functionCall: {} }])]],
  ])('is not complete where %s before its end', (_what, more) => {
    const { asked, text: made, fault } = drive(sse([...each(PIECES.slice(0, 3)), ...more]));
    expect(fault).toBeUndefined();
    expect(asked[0]).toMatchObject({ name: 'get', problem: 'incomplete', args: undefined });
    expect(asked[0]?.inHistory).toBeUndefined();
    expect(partsOf(made)?.[0]).toEqual(text('[clawai] The call of "get" was left out.'));
    expect(made).not.toContain('San');
  });

  it('is told of and dropped where the stream ends before it does', () => {
    const { asked, text: made } = drive(sse([payload([text('a')]), ...each(PIECES.slice(0, 3)), payload([text('b')])]));
    expect(asked).toMatchObject([{ name: 'get', problem: 'incomplete' }]);
    expect(made).toBe(sse([payload([text('a')])]));
  });

  it('that is longer than may be held is too long, and the stream goes on', () => {
    const long = pieces('get', { id: 'p', path: '$.a', value: 'x'.repeat(500), size: 5 });
    for (const answers of ['at once', 'after the end'] as const) {
      const {
        asked,
        text: made,
        fault,
      } = drive(sse([...each(long), payload([text('b')]), finish()]), {
        answers,
        maxHeld: 4000 + (answers === 'at once' ? 0 : 1e5),
      });
      expect(fault).toBeUndefined();
      expect(asked.map(({ problem }) => problem)).toEqual([answers === 'at once' ? 'too_long' : undefined]);
      expect(partsOf(made)?.length).toBeGreaterThan(1);
    }
  });

  it('of another candidate can not be followed', () => {
    const [first = {}, second = {}] = PIECES;
    const { fault } = drive(sse([payload([first]), payload([second], { index: 1 })]));
    expect(fault).toBe('a piece of a call that belongs to none');
  });
});

describe('a call in pieces that streams on', () => {
  const live: Partial<Driving> = { nameVerdict: () => 'allow' };

  it('is asked about before its end', () => {
    const source = sse([...each(PIECES), finish()]);
    const chunks = each(PIECES).map((one) => Buffer.from(sse([one])));
    const { steps } = driveModelStream(chunks, { create, ...live, answers: 'after the end' });
    expect(steps.map(({ isHolding }) => isHolding)).toEqual([false, false, false, false, false, true]);
    expect(drive(source, live).text).toBe(source);
  });

  it('ends the stream where it is denied then: what the client has can not be taken back', () => {
    const { fault, text: made } = drive(sse(each(PIECES)), { ...live, verdict: () => NO });
    expect(fault).toBe('a call of "get" that must not be run');
    expect(made).not.toContain('"functionCall":{}');
  });

  it('is no longer followed where it is longer than may be held, and passes where nothing is denied', () => {
    const long = pieces('get', { id: 'p', path: '$.a', value: 'x'.repeat(500), size: 5 });
    const source = sse([...each(long), finish()]);
    expect(drive(source, { ...live, maxHeld: 300 })).toMatchObject({ text: source, asked: [{ problem: 'too_long' }] });
  });

  it('passes where it is not complete and nothing is denied', () => {
    const source = sse([...each(PIECES.slice(0, 2)), finish()]);
    expect(drive(source, live)).toMatchObject({ text: source, asked: [{ problem: 'incomplete' } satisfies Partial<ModelCall>] });
  });
});
