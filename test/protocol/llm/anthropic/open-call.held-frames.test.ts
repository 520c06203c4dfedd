import { describe, expect, it } from 'vitest';
import { HeldFrames } from '../../../../src/protocol/llm/anthropic/open-call.ts';

/** What it gives away, piece by piece. */
function piecesOf(frames: HeldFrames): string[] {
  const pieces: string[] = [];
  frames.drain((bytes) => pieces.push(bytes.toString('utf8')));
  return pieces;
}

describe('frames that are held', () => {
  it('come out in order, none of them cut, and once', () => {
    const frames = new HeldFrames();
    const added = Array.from({ length: 5000 }, (_, i) => `${i}:${'ä€🙂'.repeat(i % 17)}\n\n`);
    for (const frame of added) frames.add(frame);
    const pieces = piecesOf(frames);
    expect(pieces.join('')).toBe(added.join(''));
    expect(pieces.length).toBeGreaterThan(3);
    expect(pieces.every((piece) => piece.endsWith('\n\n') && !piece.includes('\ufffd'))).toBe(true);
    expect(piecesOf(frames)).toEqual([]);
  });

  it('may be of any size', () => {
    const sizes = [0, 1, 4095, 4096, 4097, 65_536, 300_000, 1];
    const frames = new HeldFrames();
    for (const size of sizes) frames.add('x'.repeat(size));
    const length = sizes.reduce((sum, size) => sum + size, 0);
    expect(piecesOf(frames).join('')).toBe('x'.repeat(length));
  });

  it('are none where they were dropped', () => {
    const frames = new HeldFrames();
    frames.add('a');
    frames.clear();
    expect(piecesOf(frames)).toEqual([]);
    frames.add('b');
    expect(piecesOf(frames)).toEqual(['b']);
  });
});
