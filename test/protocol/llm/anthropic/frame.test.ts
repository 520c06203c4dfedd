import { describe, expect, it } from 'vitest';
import { readFrame } from '../../../../src/protocol/llm/anthropic/frame.ts';
import { type Frame, formatFrame } from '../../../../src/protocol/llm/typed-frame.ts';
import { type SseEvent, SseSplitter } from '../../../../src/protocol/sse/splitter.ts';

/** What `look` makes of the one event of a text. */
function visit<T>(text: string | Buffer, look: (event: SseEvent) => T): T {
  const found: T[] = [];
  new SseSplitter({ maxFrame: 1 << 20 }).push(Buffer.from(text), (event) => found.push(look(event)));
  expect(found).toHaveLength(1);
  return found[0] as T;
}
const read = (text: string | Buffer) =>
  visit(text, (event) => (event.data === undefined ? 'no data' : readFrame(event, event.data)));

describe('an event', () => {
  it('is read as it is', () => {
    const frame = read('event: ping\nid: 7\nretry: 9\ndata: {"type": "ping", "n": 1.0}\n\n') as Frame;
    expect(frame).toEqual({
      type: 'ping',
      payload: { type: 'ping', n: 1 },
      data: '{"type": "ping", "n": 1.0}',
      id: '7',
      retry: '9',
      isPlain: true,
    });
    expect(formatFrame(frame)).toBe('event: ping\nid: 7\nretry: 9\ndata: {"type": "ping", "n": 1.0}\n\n');
    expect(formatFrame(frame, '{}')).toBe('event: ping\nid: 7\nretry: 9\ndata: {}\n\n');
  });

  it.each<[string, string | Buffer, string]>([
    ['another name', 'event: odd\ndata: {"type":"ping"}\n\n', '{"type":"ping"}'],
    ['no name', 'data: {"type":"ping"}\n\n', '{"type":"ping"}'],
    ['two names', 'event: odd\nevent: ping\ndata: {"type":"ping"}\n\n', '{"type":"ping"}'],
    ['data of two lines', 'event: ping\ndata: {"type":\ndata: "ping"}\n\n', '{"type": "ping"}'],
    ['a key twice', 'event: ping\ndata: {"type":"odd","type":"ping","a":{"b":1,"b":2}}\n\n', '{"type":"ping","a":{"b":2}}'],
    [
      'bytes that are no text',
      Buffer.from('event: ping\ndata: {"type":"ping","a":"\xff"}\n\n', 'latin1'),
      '{"type":"ping","a":"\ufffd"}',
    ],
  ])('with %s has to be written anew', (_what, text, data) => {
    expect(read(text)).toMatchObject({ type: 'ping', data, isPlain: false });
  });

  it.each<[string, string]>([
    ['data that is no JSON', 'data: {"type":"ping"\n\n'],
    ['two values', 'data: {"type":"ping"}{}\n\n'],
    ['no object', 'data: "ping"\n\n'],
    ['no type', 'event: ping\ndata: {}\n\n'],
    ['a type that is no text', 'event: ping\ndata: {"type":1}\n\n'],
    ['a type that breaks out', String.raw`data: {"type":"a\nb"}` + '\n\n'],
    ['a variant of a key', 'event: ping\ndata: {"type":"ping","Type":"odd"}\n\n'],
    ['a variant of a key in a block', 'event: a\ndata: {"type":"a","content_block":{"Name":"x"}}\n\n'],
    ['too much nesting', `data: {"type":"ping","a":${'['.repeat(200)}${']'.repeat(200)}}\n\n`],
  ])('with %s can not be read', (_what, text) => {
    expect(read(text)).toBeTypeOf('string');
  });

  it('that tells of an error by its name needs no type', () => {
    expect(read('event: error\ndata: {"error":{}}\n\n')).toMatchObject({ type: 'error' });
  });
});
