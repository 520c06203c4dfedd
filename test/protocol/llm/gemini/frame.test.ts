import { describe, expect, it } from 'vitest';
import { formatFrame, type Frame, isBareEvent, readFrame } from '../../../../src/protocol/llm/gemini/frame.ts';
import { createSplitter, type Framing } from '../../../../src/protocol/llm/dialect.ts';

/** The first event of a text, and whether it may go on as it came. */
function read(source: string, framing: Framing = 'sse'): { frame: Frame | string; isPlain: boolean } {
  const events: { frame: Frame | string; isPlain: boolean }[] = [];
  createSplitter(framing, 1 << 20).push(Buffer.from(source), (event) => {
    if (event.data !== undefined)
      events.push({ frame: readFrame(event, event.data, framing), isPlain: isBareEvent(event, framing) });
  });
  return events[0] ?? { frame: 'no event', isPlain: false };
}

describe('an event', () => {
  it.each([
    ['data: {"responseId":"r"}\r\n\r\n', true],
    ['data:{"responseId":"r"}\n\n', true],
    ['event: x\ndata: {"responseId":"r"}\n\n', false],
    ['id: 1\ndata: {"responseId":"r"}\n\n', false],
    [': so\ndata: {"responseId":"r"}\n\n', false],
    ['data: {"responseId":\ndata: "r"}\n\n', false],
    ['retry: 1\ndata: {"responseId":"r"}\n\n', false],
  ])('%j goes on as it came: %s', (source, isPlain) => {
    const { frame, ...of } = read(source);
    expect(of.isPlain).toBe(isPlain);
    expect(frame).toMatchObject({
      answer: { id: 'r' },
      source: isPlain ? source : undefined,
      data: expect.not.stringMatching(/[\r\n]/),
    });
  });

  it('does not go on as it came with a character at which some readers end a line', () => {
    expect(read('data: {"responseId":"r\u2028"}\n\n').frame).toMatchObject({ answer: { id: 'r\u2028' }, source: undefined });
  });

  it('of an array is what separates it and itself', () => {
    const { frame, isPlain } = read('[{\n"responseId":"r"}\r\n,\r\n{}]', 'json_array');
    expect(isPlain).toBe(true);
    expect(frame).toMatchObject({ source: '{\n"responseId":"r"}', data: '{\n"responseId":"r"}' });
  });

  it('that is no UTF-8 does not go on as it came', () => {
    const source = Buffer.concat([Buffer.from('data: {"responseId":"'), Buffer.of(0xff), Buffer.from('"}\n\n')]);
    let frame: Frame | string = '';
    createSplitter('sse', 1000).push(source, (event) => {
      frame = readFrame(event, event.data ?? Buffer.alloc(0), 'sse');
    });
    expect(frame).toMatchObject({ source: undefined });
  });

  it('that can not be read says why', () => {
    expect(read('data: x\n\n').frame).toBe('an event that cannot be followed: it is not JSON');
  });
});

it.each<[Framing, boolean, string]>([
  ['sse', true, 'data: {"text":"\\u2028"}\n\n'],
  ['sse', false, 'data: {"text":"\\u2028"}\n\n'],
  ['json_array', true, '{"text":"\u2028"}'],
  ['json_array', false, ',\r\n{"text":"\u2028"}'],
])('an event of our own: %s, first %s', (framing, isFirst, text) => {
  expect(formatFrame('{"text":"\u2028"}', { framing, isFirst })).toBe(text);
});
