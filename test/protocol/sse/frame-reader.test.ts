import { describe, expect, it } from 'vitest';
import { FrameReader } from '../../../src/protocol/sse/frame-reader.ts';
import { framesOf, frame, type ReadFrame } from './reading.ts';

const MARK = '\uFEFF';

describe('what a frame says', () => {
  it.each<[string, readonly ReadFrame[]]>([
    ['data: a\n\n', [frame({ data: 'a' })]],
    ['data:a\n\ndata:  b\n\n', [frame({ data: 'a' }), frame({ data: ' b' })]],
    ['data:\n\n', [frame({ data: '' })]],
    ['data: \n\n', [frame({ data: '' })]],
    ['data\n\n', [frame({ data: '', isPlain: false })]],
    ['data\ndata\n\n', [frame({ data: '\n', isPlain: false })]],
    ['event: message\nid: 7\nretry: 10\ndata: {"a":1}\n\n', [frame({ event: 'message', id: '7', retry: '10', data: '{"a":1}' })]],
    ['data: a\nevent:x\n\n', [frame({ event: 'x', data: 'a' })]],
    ['id: 7\ndata:\n\n', [frame({ id: '7', data: '' })]],
    ['id:\n\n', [frame({ id: '' })]],
    ['id\n\n', [frame({ id: '', isPlain: false })]],
    ['retry: 10\n\n', [frame({ retry: '10' })]],
    [': ping\n\n', [frame({})]],
    [': ping\n: pong\ndata: a\n\n', [frame({ data: 'a' })]],
    ['data: a: b\n\n', [frame({ data: 'a: b' })]],
    ['\n\n\ndata: a\n\n\r\n\n', [frame({}), frame({ data: 'a' }), frame({ isPlain: false })]],
    ['data: a\r\n\r\n', [frame({ data: 'a' })]],
    ['event: a\r\ndata: b\r\n\r\ndata: c\n\n', [frame({ event: 'a', data: 'b' }), frame({ data: 'c' })]],
    ['data: "ä€😀"\n\n', [frame({ data: '"ä€😀"' })]],
    ['data: a', []],
    ['data: a\n', []],
    ['data: a\r\n', []],
  ])('%j', (text, expected) => {
    expect(framesOf(text)).toEqual(expected);
  });
});

describe('what readers may read in different ways is not plain', () => {
  it.each<[string, Partial<ReadFrame>]>([
    ['data: a\r\r', { data: 'a' }],
    ['data: a\r\n\r', { data: 'a' }],
    ['data: a\rdata: b\n\n', { data: 'a\nb' }],
    ['data: a\n\r\n', { data: 'a' }],
    ['data: a\r\n\n', { data: 'a' }],
    ['data: a\ndata: b\n\n', { data: 'a\nb' }],
    ['event: a\nevent: b\ndata: c\n\n', { event: 'b', data: 'c' }],
    ['event: a\nevent:\ndata: c\n\n', { data: 'c' }],
    ['event:\ndata: c\n\n', { data: 'c' }],
    ['event:  endpoint\ndata: c\n\n', { event: ' endpoint', data: 'c' }],
    ['event: endpoint \ndata: c\n\n', { event: 'endpoint ', data: 'c' }],
    ['event: ä\ndata: c\n\n', { event: 'ä', data: 'c' }],
    ['event: a\tb\ndata: c\n\n', { event: 'a\tb', data: 'c' }],
    ['event: ping\n\n', { event: 'ping' }],
    ['id: 1\nid: 2\n\n', { id: '2' }],
    ['id: 1\nid: 2\0\n\n', { id: '1' }],
    ['id: \0\n\n', {}],
    ['id: ä\n\n', { id: 'ä' }],
    ['retry: 1\nretry: 2\n\n', { retry: '2' }],
    ['retry: 1s\n\n', {}],
    ['retry: -1\n\n', {}],
    ['retry:\n\n', {}],
    ['retry: ٣\n\n', {}],
    ['unknown: a\ndata: b\n\n', { data: 'b' }],
    ['Data: a\n\n', {}],
    ['data : a\n\n', {}],
    [' data: a\n\n', {}],
    ['dat\n\n', {}],
    ['datax: a\n\n', {}],
    ['data\0: a\n\n', {}],
    [`\n${MARK}data: a\n\n`, {}],
    [`data: ${MARK}a\n\n`, { data: `${MARK}a` }],
    ...['\v', '\f', '\x1c', '\x1d', '\x1e', '\x85', '\u2028', '\u2029'].flatMap((character): [string, Partial<ReadFrame>][] => [
      [`data: a${character}data: b\n\n`, { data: `a${character}data: b` }],
      [`: a${character}data: b\n\n`, {}],
      [`id: a${character}data: b\n\n`, { id: `a${character}data: b` }],
    ]),
  ])('%j', (text, expected) => {
    expect(framesOf(text).filter(({ isPlain }) => !isPlain)).toEqual([frame({ ...expected, isPlain: false })]);
  });

  it('names of fields and comments that are not UTF-8', () => {
    for (const prefix of [': ', '']) {
      const bytes = Buffer.concat([Buffer.from(prefix), Buffer.of(0xc0, 0x8a), Buffer.from('data: a\n\n')]);
      expect(framesOf(bytes)).toEqual([frame({ isPlain: false })]);
    }
  });
});

describe('FrameReader', () => {
  it('is the event it has read last, and keeps nothing of the one before', () => {
    const bytes = Buffer.from('event: a\nid: 1\nretry: 2\ndata: b\ndata: c\n\n: d\n\ndata: e');
    const reader = new FrameReader();
    reader.open(bytes);
    expect(reader.read(0)).toBe(true);
    expect(reader.data?.toString()).toBe('b\nc');
    expect(reader.isPlain).toBe(false);
    expect(reader.read(reader.end)).toBe(true);
    expect(reader).toMatchObject(frame({}));
    expect(bytes.toString('utf8', reader.start, reader.end)).toBe(': d\n\n');
    expect(reader.read(reader.end)).toBe(false);
  });

  it('reads a type anew that only looks like the last one', () => {
    const frames = framesOf(['ab', 'ab', 'ac', 'abc', 'é', 'Ã©', 'é'].map((type) => `event: ${type}\ndata:\n\n`).join(''));
    expect(frames.map(({ event }) => event)).toEqual(['ab', 'ab', 'ac', 'abc', 'é', 'Ã©', 'é']);
  });
});
