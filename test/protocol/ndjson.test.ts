import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LineSplitter, type LineVisitor, type OversizedLine } from '../../src/protocol/ndjson.ts';

/** Feeds the chunks and gives back the lines, and with them the bytes as they would be forwarded. */
function split(chunks: readonly Buffer[], maxLine = 1000): { lines: string[]; forwarded: Buffer; oversized: OversizedLine[] } {
  const lines: string[] = [];
  const pieces: Buffer[] = [];
  const oversized: OversizedLine[] = [];
  const splitter = new LineSplitter(maxLine, (line) => oversized.push(line));
  const visit = (bytes: Buffer, start: number, end: number, next: number): void => {
    lines.push(bytes.toString('utf8', start, end));
    pieces.push(bytes.subarray(start, next));
  };
  for (const chunk of chunks) splitter.push(chunk, visit);
  splitter.end(visit);
  return { lines, forwarded: Buffer.concat(pieces), oversized };
}

/** Cuts bytes at the given places. */
function cutAt(bytes: Buffer, cuts: readonly number[]): Buffer[] {
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).toSorted((a, b) => a - b), bytes.length];
  return places.slice(1).map((place, index) => bytes.subarray(places[index], place));
}

describe('LineSplitter', () => {
  it('hazard 19: characters that are split between chunks stay whole', () => {
    const bytes = Buffer.from('"äöü€😀"\n"日本"\n');
    for (let cut = 0; cut <= bytes.length; cut++) {
      expect(split([bytes.subarray(0, cut), bytes.subarray(cut)]).lines).toEqual(['"äöü€😀"', '"日本"']);
    }
  });

  it('gives back the very bytes, wherever the stream is cut', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), fc.array(fc.nat(), { maxLength: 20 }), fc.boolean(), (texts, cuts, isTerminated) => {
        const lines = texts.map((text) => text.replaceAll('\n', ' '));
        const bytes = Buffer.from(lines.join('\n') + (isTerminated ? '\n' : ''));
        const result = split(cutAt(bytes, cuts));
        expect(result.forwarded).toEqual(bytes);
        const expected = bytes.toString().split('\n');
        if (expected.at(-1) === '') expected.pop();
        expect(result.lines).toEqual(expected);
      }),
    );
  });

  it('joins ten thousand single bytes', () => {
    const bytes = Buffer.from(`${'x'.repeat(10_000)}\n`);
    expect(
      split(
        [...bytes].map((byte) => Buffer.of(byte)),
        20_000,
      ).lines,
    ).toEqual(['x'.repeat(10_000)]);
  });

  it('skips a line that is too long once, and goes on with the next', () => {
    const long = `${'x'.repeat(50)}\n`;
    for (const size of [1, 7, 10, 51, 1000]) {
      const bytes = Buffer.from(`ab\n${long}cd\n${long}ef`);
      const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) => bytes.subarray(i * size, (i + 1) * size));
      const result = split(chunks, 10);
      expect(result.lines).toEqual(['ab', 'cd', 'ef']);
      const head = Buffer.from('x'.repeat(50));
      expect(result.oversized).toEqual([
        { length: 50, head, tail: head },
        { length: 50, head, tail: head },
      ]);
    }
  });

  it('visits lines in place, without copying them', () => {
    const chunk = Buffer.from('a\nb\n');
    const seen: Buffer[] = [];
    new LineSplitter(10, () => {}).push(chunk, (bytes) => seen.push(bytes));
    expect(seen.every((bytes) => bytes === chunk)).toBe(true);
    expect(seen).toHaveLength(2);
  });

  it('joins big lines in memory that it uses again when it is given back', () => {
    const lines = ['a', 'b', 'c', 'd', 'e', 'f'].map((letter) => letter.repeat(300_000));
    const bytes = Buffer.from(`${lines.join('\n')}\nlast`);
    const play = (isReleased: boolean): { texts: string[]; memory: number } => {
      const texts: string[] = [];
      const memory = new Set<ArrayBufferLike>();
      const unreleased: Buffer[] = [];
      const splitter = new LineSplitter(1_000_000, () => {});
      const visit: LineVisitor = (line, start, end, _next, release) => {
        texts.push(line.toString('utf8', start, end));
        if (release === undefined) return;
        memory.add(line.buffer);
        if (isReleased) release();
        else unreleased.push(line);
      };
      for (let at = 0; at < bytes.length; at += 65_536) splitter.push(bytes.subarray(at, at + 65_536), visit);
      splitter.end(visit);
      // What is not released must not have been written over.
      expect(unreleased.map((line) => line.toString('utf8', 0, line.length - 1))).toEqual(isReleased ? [] : lines);
      return { texts, memory: memory.size };
    };
    expect(play(true)).toEqual({ texts: [...lines, 'last'], memory: 1 });
    expect(play(false)).toEqual({ texts: [...lines, 'last'], memory: lines.length });
  });
});
