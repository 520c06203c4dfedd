import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatSseEvent, type SseFields } from '../../../src/protocol/sse/event.ts';
import { readStream } from './reading.ts';

const BREAKS = ['\0', '\r', '\n', '\r\n', '\v', '\f', '\x1c', '\x1d', '\x1e', '\x85', '\u2028', '\u2029'];

describe('formatSseEvent', () => {
  it.each<[SseFields, string]>([
    [{ data: 'a' }, 'data: a\n\n'],
    [{ data: '' }, 'data:\n\n'],
    [{ data: [] }, 'data:\n\n'],
    [{ data: ' a' }, 'data:  a\n\n'],
    [{ data: 'a', retry: '10', id: '7', event: 'x' }, 'event: x\nid: 7\nretry: 10\ndata: a\n\n'],
    [{ data: 'a\nb\r\nc\rd' }, 'data: a\ndata: b\ndata: c\ndata: d\n\n'],
    [{ data: ['a', 'b\nc', ''] }, 'data: a\ndata: b\ndata: c\ndata:\n\n'],
    [{ data: '["\u2028\u2029\x85\v"]' }, 'data: ["\\u2028\\u2029\\u0085\\u000b"]\n\n'],
    [{ data: 'a', event: '' }, 'data: a\n\n'],
    [{ data: 'a', event: 'x\ndata: y' }, 'event: x\uFFFDdata: y\ndata: a\n\n'],
    [{ data: 'a', event: ' endpoint ' }, 'event: \uFFFDendpoint\uFFFD\ndata: a\n\n'],
    [{ data: 'a', id: 'x\ndata: y' }, 'data: a\n\n'],
    [{ data: 'a', id: 'x\0' }, 'data: a\n\n'],
    [{ data: 'a', id: '' }, 'id:\ndata: a\n\n'],
    [{ data: 'a', retry: '1s' }, 'data: a\n\n'],
    [{ data: 'a', retry: '1\n' }, 'data: a\n\n'],
    [{ data: 'a', retry: '' }, 'data: a\n\n'],
    [{ id: '7', retry: '1' }, 'id: 7\nretry: 1\n\n'],
    [{ event: 'ping' }, ':\n\n'],
    [{}, ':\n\n'],
  ])('%j', (fields, expected) => {
    expect(formatSseEvent(fields)).toBe(expected);
  });

  it('whatever is in the fields, it is one frame, which says the same lines of data', () => {
    const text = fc
      .array(fc.oneof(fc.constantFrom(...BREAKS, ':', ' ', 'data: x', 'ä'), fc.string({ maxLength: 4 })))
      .map((parts) => parts.join(''));
    const fields = fc.record({ event: text, id: text, retry: text, data: fc.oneof(text, fc.array(text)) }, { requiredKeys: [] });
    fc.assert(
      fc.property(fields, (given) => {
        const { frames, rest } = readStream([Buffer.from(formatSseEvent(given))]);
        expect(frames).toHaveLength(1);
        expect(rest).toBe('');
        const said =
          given.data === undefined
            ? undefined
            : [given.data]
                .flat()
                .map((part) => part.replaceAll(/\r\n?/g, '\n'))
                .join('\n');
        const unescaped = frames[0]?.data?.replaceAll(/\\u(00(?:0b|0c|1[cde]|85)|202[89])/g, (_, code: string) =>
          String.fromCharCode(parseInt(code, 16)),
        );
        expect(unescaped).toBe(said);
      }),
      { numRuns: 1000 },
    );
  });

  it('what it writes of simple fields is plain, and what it wrote it writes again', () => {
    const printable = fc.stringMatching(/^[!-~]{1,12}$/);
    const fields = fc.record({ event: printable, id: printable, retry: fc.stringMatching(/^[0-9]{1,6}$/), data: fc.json() });
    fc.assert(
      fc.property(fields, (given) => {
        const [frame] = readStream([Buffer.from(formatSseEvent(given))]).frames;
        // JSON may have a byte order mark in its strings, which nothing but the reader of the JSON can judge.
        expect(frame).toEqual({ ...given, data: expect.any(String), isPlain: !given.data.includes('\uFEFF') });
        expect(JSON.parse(frame?.data ?? '')).toEqual(JSON.parse(given.data));
        expect(formatSseEvent(frame ?? {})).toBe(formatSseEvent(given));
      }),
    );
  });
});
