import { describe, expect, it } from 'vitest';
import { matchAt, visibleText } from '../../../src/core/detect/match-at.ts';

describe('matchAt', () => {
  it('tells a place with what is around it', () => {
    expect(matchAt('see the key now', 8, 11)).toEqual({ text: 'key', position: 8, context: 'see the key now' });
    expect(matchAt('see the key now', 8, 11, 'base64')).toMatchObject({ decoded: 'base64' });
  });

  it('cuts what is long', () => {
    const { text, context } = matchAt('a'.repeat(100) + 'b'.repeat(300) + 'c'.repeat(100), 100, 400);
    expect(text).toBe('b'.repeat(200));
    expect(context).toBe('a'.repeat(50) + 'b'.repeat(200) + 'c'.repeat(50));
  });

  it('is no longer where what cannot be seen is written out', () => {
    expect(matchAt('\u200b'.repeat(300), 0, 300).text).toHaveLength(200);
  });
});

describe('visibleText', () => {
  it.each([
    ['a\u200bb', 'aU+200Bb'],
    ['\u{e0041}', 'U+E0041'],
    ['\x1b[8m', 'U+001B[8m'],
    ['a\nb', 'aU+000Ab'],
    ['a\u00a0b c', 'aU+00A0b c'],
    ['größe 日本 😀', 'größe 日本 😀'],
    ['\ud800', '\ufffd'],
  ])('of %j is %j', (text, visible) => {
    expect(visibleText(text)).toBe(visible);
  });
});
