import { createParser } from 'eventsource-parser';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SseSplitter } from '../../../src/protocol/sse/splitter.ts';
import { cutAt, frame, framesOf, inPieces, readStream, saying, type ReadFrame } from './reading.ts';
import { readByTheRules } from './reference.ts';
import { runs } from '../../support/runs.ts';

const MARK = '\uFEFF';

/** What the reader says that most clients in JavaScript have, and the ids it was told. */
function readByPackage(chunks: readonly Buffer[]): { events: unknown[]; ids: string[] } {
  const events: unknown[] = [];
  const ids: string[] = [];
  const parser = createParser({
    onEvent: ({ data, event, id }) => events.push({ data, event, id }),
    onId: (id) => ids.push(id),
  });
  // The parser is to see the byte order mark: it and the decoder would each drop one.
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  for (const chunk of chunks) parser.feed(decoder.decode(chunk, { stream: true }));
  return { events, ids };
}

function eventsOf(frames: readonly ReadFrame[]): { events: unknown[]; ids: string[] } {
  return {
    events: frames.filter(({ data }) => data !== undefined).map(({ data, event, id }) => ({ data, event, id })),
    ids: frames.map(({ id }) => id).filter((id) => id !== undefined),
  };
}

const lineEnd = fc.constantFrom('\n', '\r\n', '\r');
const value = fc.oneof(
  fc.constantFrom('', ' ', 'x', '  two', 'ä€😀', '\u2028', '\0', '12', '7x', ':', 'data: x', MARK),
  fc.string({ unit: 'grapheme', maxLength: 8 }).map((text) => text.replaceAll(/[\r\n]/g, '')),
);
const name = fc.constantFrom(
  'data',
  'event',
  'id',
  'retry',
  '',
  'dat',
  'datax',
  'Data',
  ' data',
  'data ',
  `${MARK}data`,
  'i',
  'idx',
  'é',
);
const line = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(name, fc.constantFrom(':', ': ', ''), value).map((parts) => parts.join('')) },
  { weight: 3, arbitrary: fc.constant('') },
);
const stream = fc
  .tuple(
    fc.constantFrom('', '', MARK, `${MARK}${MARK}`),
    fc.array(fc.tuple(line, lineEnd), { maxLength: 20 }),
    fc.constantFrom('', 'data: rest', '\r'),
  )
  .map(([mark, lines, rest]) => mark + lines.flat().join('') + rest);
const cuts = fc.array(fc.nat(), { maxLength: 12 });

describe('hazard 27: what other readers of streams stumbled over', () => {
  it.each([
    ['data of several lines', 'data: {"a":\ndata: 1}\n\n', '{"a":\n1}'],
    ['a blank line of data within it', 'data: a\ndata:\ndata: b\n\n', 'a\n\nb'],
    ['CR line ends', 'event: x\rdata: a\rdata: b\r\r', 'a\nb'],
    ['a byte order mark', `${MARK}data: a\n\n`, 'a'],
    ['CRLF line ends', 'data: a\r\ndata: b\r\n\r\n', 'a\nb'],
  ])('%s, wherever the stream is cut', (_, text, expected) => {
    const bytes = Buffer.from(text);
    for (let cut = 0; cut <= bytes.length; cut++) {
      const { frames, rest } = readStream([bytes.subarray(0, cut), bytes.subarray(cut)]);
      expect(frames.map(({ data }) => data).filter((data) => data !== undefined)).toEqual([expected]);
      expect(rest).toBe('');
    }
    expect(saying(readStream(inPieces(bytes, 1)).frames)).toEqual(readByTheRules(text));
  });

  it('a frame with CR line ends is visited before the next byte has come', () => {
    const seen: boolean[] = [];
    new SseSplitter({ maxFrame: 100 }).push(Buffer.from('data: a\r\r'), ({ data }) => seen.push(data !== undefined));
    expect(seen).toEqual([true]);
  });

  it.each([256 * 1024 + 1, runs(3_000_000)])('a line of %i bytes in one chunk and in many', (length) => {
    const lines = [`data: ${'x'.repeat(length)}`, '', 'data: y', '', `data: ${'z'.repeat(length)}`, 'data: w', '', ''];
    const bytes = Buffer.from(lines.join('\n'));
    const whole = readStream([bytes]);
    expect(whole.frames.map(({ data }) => data?.length)).toEqual([length, 1, length + 2]);
    for (const size of [65_536, 1000]) expect(readStream(inPieces(bytes, size))).toEqual(whole);
  });
});

describe('SseSplitter', () => {
  it('reads every stream as the rules say, in however many chunks', () => {
    fc.assert(
      fc.property(stream, cuts, (text, places) => {
        const bytes = Buffer.from(text);
        const expected = readByTheRules(text);
        expect(saying(readStream([bytes]).frames)).toEqual(expected);
        expect(saying(readStream(cutAt(bytes, places)).frames)).toEqual(expected);
        expect(saying(readStream(inPieces(bytes, 1)).frames)).toEqual(expected);
      }),
      { numRuns: runs(1000) },
    );
  });

  it('reads every stream as the package eventsource-parser does', () => {
    fc.assert(
      fc.property(stream, cuts, (text, places) => {
        const chunks = cutAt(Buffer.from(text), places);
        expect(eventsOf(readStream(chunks).frames)).toEqual(readByPackage(chunks));
      }),
      { numRuns: runs(1000) },
    );
  });

  it('a mark of Latin-1 is what eventsource-parser skips and the specification does not: the frame is not plain', () => {
    const bytes = Buffer.from('ï»¿data: a\n\n');
    expect(readByPackage([bytes]).events).toHaveLength(1);
    expect(readStream([bytes]).frames).toEqual([frame({ isPlain: false })]);
  });

  it('a second mark is what a decoder and eventsource-parser skip together: the frame is not plain', () => {
    const text = `${MARK}${MARK}data: a\n\n`;
    const events: unknown[] = [];
    createParser({ onEvent: (event) => events.push(event) }).feed(new TextDecoder().decode(Buffer.from(text)));
    expect(events).toHaveLength(1);
    expect(framesOf(text)).toEqual([frame({ isPlain: false })]);
  });

  it('gives back the very bytes without the mark, also where they are not UTF-8', () => {
    const part = fc.constantFrom('\n', '\r', 'data: ', ':', 'x', 'event: a', MARK).map((text) => Buffer.from(text));
    const bytes = fc.array(
      fc.oneof(
        part,
        fc.uint8Array({ maxLength: 4 }).map((array) => Buffer.from(array)),
      ),
      { maxLength: 30 },
    );
    fc.assert(
      fc.property(bytes, cuts, (parts, places) => {
        const all = Buffer.concat(parts);
        const mark = Buffer.from(MARK);
        const expected = all.subarray(0, 3).equals(mark) ? all.subarray(3) : all;
        for (const chunks of [[all], cutAt(all, places), inPieces(all, 1)]) {
          const { forwarded, frames } = readStream(chunks);
          expect(forwarded).toEqual(expected);
          expect(saying(frames)).toEqual(readByTheRules(new TextDecoder('utf-8', { ignoreBOM: true }).decode(all)));
        }
      }),
      { numRuns: runs(1000) },
    );
  });

  it.each([
    ['data: a\n\ndata: b', 'data: b'],
    ['data: a\n\ndata: b\r\n', 'data: b\r\n'],
    ['data: a\n\n', ''],
    ['', ''],
    ['\u{FEFF}', ''],
  ])('at the end of %j, %j is left', (text, rest) => {
    expect(readStream([Buffer.from(text)]).rest).toBe(rest);
  });

  it('a beginning that only looked like a mark belongs to the stream', () => {
    const bytes = Buffer.concat([Buffer.of(0xef, 0xbb), Buffer.from('x\n\n')]);
    for (const size of [1, 2, 3, 10]) expect(readStream(inPieces(bytes, size)).forwarded).toEqual(bytes);
    expect(readStream([Buffer.of(0xef), Buffer.of(0xbb)]).forwarded).toEqual(Buffer.of(0xef, 0xbb));
  });

  it('visits frames in place, without copying them', () => {
    const chunk = Buffer.from('data: a\n\nid: 1\ndata: b\n\n');
    const seen: boolean[] = [];
    new SseSplitter({ maxFrame: 100 }).push(chunk, ({ bytes, data }) => seen.push(bytes === chunk && data === chunk));
    expect(seen).toEqual([true, true]);
  });

  it('visits nothing more once a frame was too long, however it comes', () => {
    const fits = `data: ${'x'.repeat(12)}\n\n`;
    const bytes = Buffer.from(`${fits}data: ${'x'.repeat(13)}\n\n${fits}`);
    for (const size of [1, 2, 7, 20, 21, 41, 1000]) {
      const { frames, isTrusted, rest } = readStream(inPieces(bytes, size), 20);
      expect({ count: frames.length, isTrusted, rest }).toEqual({ count: 1, isTrusted: false, rest: '' });
    }
    expect(readStream([Buffer.from(fits.repeat(5))], 20)).toMatchObject({ isTrusted: true, frames: { length: 5 } });
  });

  it('a frame that never ends is too long before it has ended', () => {
    const splitter = new SseSplitter({ maxFrame: 1000 });
    let pushed = 0;
    while (splitter.push(Buffer.from('data: x\n'), () => {})) pushed += 8;
    expect(pushed).toBe(1000);
  });

  it('blank lines alone are never too long, and are one visit a chunk', () => {
    const { frames, isTrusted } = readStream([Buffer.from('\n'.repeat(1000)), Buffer.from('\n'.repeat(1000))], 20);
    expect({ count: frames.length, isTrusted }).toEqual({ count: 2, isTrusted: true });
  });

  it('says which frames it joined: their memory is used again, that of chunks is not', () => {
    const splitter = new SseSplitter({ maxFrame: 1000 });
    const chunks = ['data: a\n\ndata: b', 'c\n', '\ndata: d\n\n'].map((text) => Buffer.from(text));
    const seen: unknown[] = [];
    for (const chunk of chunks)
      splitter.push(chunk, ({ bytes, isJoined }) => seen.push({ isJoined, isOfChunk: bytes.buffer === chunk.buffer }));
    const inPlace = { isJoined: false, isOfChunk: true };
    expect(seen).toEqual([inPlace, { isJoined: true, isOfChunk: false }, inPlace]);
  });

  it('joins ten thousand single bytes', () => {
    const text = 'x'.repeat(100_000);
    expect(framesOf(`data: ${text}\n\n`)).toEqual(readStream(inPieces(Buffer.from(`data: ${text}\n\n`), 1)).frames);
  });
});
