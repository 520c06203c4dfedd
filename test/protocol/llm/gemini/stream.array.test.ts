import { describe, expect, it } from 'vitest';
import type { CallVerdict } from '../../../../src/protocol/llm/dialect.ts';
import { createGeminiStream } from '../../../../src/protocol/llm/gemini/stream.ts';
import { driveModelStream, type Driving } from '../../../support/drive-model-stream.ts';
import { accumulateArray } from '../../../support/gemini-accumulator.ts';
import { call, finish, jsonArray, payload, pieces, text } from '../../../support/gemini-events.ts';

const create = createGeminiStream;
const NO: CallVerdict = { isAllowed: false, note: 'No.' };
const READ = call('read', { path: '/a' });
const drive = (source: string, driving: Partial<Driving> = {}) =>
  driveModelStream([Buffer.from(source)], { create, framing: 'json_array', nameVerdict: () => 'hold', ...driving });

describe('a stream that is one array', () => {
  it('goes on as it came, up to its end', () => {
    const source = jsonArray([payload([text('a')]), payload([READ, text('b')]), finish()]);
    for (const answers of ['at once', 'after the end'] as const) expect(drive(source, { answers }).text).toBe(source.trim());
    expect(drive('[]').text).toBe('[]');
    expect(drive('[\r\n]\r\n').text).toBe('[\r\n]');
  });

  it.each<[string, readonly object[]]>([
    ['first', [payload([READ]), payload([text('b')])]],
    ['in the middle', [payload([text('a')]), payload([READ]), payload([text('b')])]],
    ['last', [payload([text('a')]), payload([READ])]],
    ['alone', [payload([READ])]],
  ])('has a text in place of a denied call that is %s', (_where, payloads) => {
    for (const answers of ['at once', 'after the end'] as const) {
      const made = accumulateArray(drive(jsonArray(payloads), { verdict: () => NO, answers }).text);
      expect(JSON.stringify(made.candidates)).toBe(
        JSON.stringify(accumulateArray(jsonArray(payloads)).candidates).replace(JSON.stringify(READ), '{"text":"No."}'),
      );
    }
  });

  it('is an array all the same where it ends within a call', () => {
    const [first = {}, second = {}] = pieces('get', { id: 'p', path: '$.a', value: 'abcdefgh' });
    for (const before of [[], [payload([text('a')])]]) {
      const source = jsonArray([...before, payload([first]), payload([second])]);
      const { text: made, asked } = drive(source);
      expect(JSON.parse(made)).toHaveLength(before.length);
      expect(asked).toMatchObject([{ problem: 'incomplete' }]);
    }
  });

  it('is an array all the same where upstream fails', () => {
    const failure = { error: { code: 503, message: 'busy', status: 'UNAVAILABLE' } };
    for (const before of [[], [payload([text('a')])], [payload([READ])]]) {
      const { text: made } = drive(jsonArray([...before, failure, payload([READ])]), { answers: 'after the end' });
      expect(accumulateArray(made)).toMatchObject({ error: failure.error });
      expect(made).not.toContain('read');
    }
  });

  it.each([
    ['a call with two readings', '{"candidates":[{"content":{"parts":[{"FunctionCall":{"name":"a"}}]}}]}'],
    ['no JSON', '{"candidates":x}'],
  ])('ends with an error at %s', (_what, element) => {
    for (const before of ['[', `[${JSON.stringify(payload([text('a')]))}\r\n,\r\n`]) {
      const { text: made, fault } = drive(`${before}${element}`);
      expect(fault).toBeTypeOf('string');
      expect(accumulateArray(made)).toMatchObject({ error: { code: 500 } });
    }
  });

  it('that has not begun ends with an error, too', () => {
    const out: string[] = [];
    const output = { pass() {}, own() {}, parts() {}, ask() {}, fault() {}, text: (made: string) => out.push(made) };
    create({ output, nameVerdict: () => 'hold', maxHeld: 1, framing: 'json_array' }).fail('no list of events');
    expect(JSON.parse(out.join(''))).toMatchObject([
      { error: { message: 'clawai ended this answer: it has no list of events.' } },
    ]);
  });
});
