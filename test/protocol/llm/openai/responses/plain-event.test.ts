import { describe, expect, it } from 'vitest';
import { readEvent } from '../../../../../src/protocol/llm/openai/responses/events.ts';
import { PlainEvent } from '../../../../../src/protocol/llm/openai/responses/plain-event.ts';
import { SseSplitter } from '../../../../../src/protocol/sse/splitter.ts';
import { frame, type WireEvent } from '../../../../support/response-events.ts';

const said = (delta: string, more: object = {}): WireEvent => ({
  type: 'response.output_text.delta',
  sequence_number: 4,
  item_id: 'msg_1',
  output_index: 0,
  content_index: 0,
  delta,
  logprobs: [],
  obfuscation: 'xé',
  ...more,
});
const args = (delta: string, index = 1): WireEvent => ({
  type: 'response.function_call_arguments.delta',
  sequence_number: 9,
  item_id: `fc_${index}`,
  output_index: index,
  delta,
});

function taught(...events: readonly (WireEvent | string)[]): PlainEvent {
  const plain = new PlainEvent();
  const frames = events.map((event) => (typeof event === 'string' ? event : frame(event)));
  new SseSplitter({ maxFrame: 1 << 20 }).push(Buffer.from(frames.join('')), (event) => {
    const read = readEvent(event, event.data ?? Buffer.alloc(0));
    if (typeof read === 'object') plain.learn(read);
  });
  return plain;
}

/** What an event is taken for. */
function recognise(plain: PlainEvent, event: WireEvent | string): unknown {
  let found: unknown;
  const text = typeof event === 'string' ? event : frame(event);
  new SseSplitter({ maxFrame: 1 << 20 }).push(Buffer.from(text), (each) => {
    const { data } = each;
    if (data !== undefined && plain.read(each, data)) found = { index: plain.index, place: plain.place, text: plain.text(data) };
  });
  return found;
}

describe('an event', () => {
  it('is recognised by one like it, whatever it says, whatever its number is and whatever hides its length', () => {
    const plain = taught(said('é'), args('{"'));
    for (const text of ['', 'x', 'é🏔"\\\n', 'x'.repeat(9000)]) {
      expect(recognise(plain, said(text, { sequence_number: 12_345, obfuscation: 'y' }))).toEqual({ index: 0, text });
      const place = 'response.function_call_arguments ';
      expect(recognise(plain, args(text))).toEqual({ index: 1, place, text });
    }
    plain.forget();
    expect(recognise(plain, said('x'))).toBeUndefined();
  });

  it.each<[string, WireEvent | string]>([
    ['of another item', said('x', { output_index: 1 })],
    ['with another id', said('x', { item_id: 'msg_2' })],
    ['with more in it', said('x', { tool_calls: [{}] })],
    ['with something in a list', said('x', { logprobs: [{ type: 'function_call' }] })],
    ['with a number that is none', frame(said('x')).replace(':4,', ':04,')],
    ['with a string that ends early', frame(said('x')).replace('"x"', '"x","item":{},"y":"z"')],
    ['with a text that some read as two lines', frame(said('x')).replace('"x"', '"a\u2028b"')],
    ['of another name', frame(said('x')).replace('event: response.output_text', 'event: response.refusal')],
    ['of another type', said('x', { type: 'response.refusal.delta' })],
  ])('%s is parsed', (_what, event) => {
    expect(recognise(taught(said('a')), event)).toBeUndefined();
  });

  it.each<[string, WireEvent | string]>([
    ['without an item', { type: 'response.output_text.delta', delta: 'x' }],
    ['without a piece', { type: 'response.function_call_arguments.done', output_index: 1, arguments: '{}' }],
    ['that nobody knows', { type: 'response.thing', output_index: 1, delta: 'x', command: 'ls' }],
    ['whose piece is no text', said('x', { delta: { text: 'x' } })],
    ['that readers may read otherwise', frame(said('x')).replace('"delta"', '"delta":"y","delta"')],
  ])('%s is not learned', (_what, event) => {
    expect(recognise(taught(event), event)).toBeUndefined();
  });
});
