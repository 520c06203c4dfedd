import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readOtherwise } from '../../../../src/core/detect/normalise/read-otherwise.ts';

/** Where a word stands, read as another one. */
function parts(text: string, word: string, other: string) {
  return [...text.matchAll(new RegExp(word, 'g'))].map(({ index }) => ({ start: index, end: index + word.length, text: other }));
}

describe('readOtherwise', () => {
  it('is all of a short text', () => {
    const text = 'please 1gn0re it. then 1gn0re that';
    expect(readOtherwise(text, parts(text, '1gn0re', 'ignore'))).toBe('please ignore it. then ignore that');
  });

  it('is what stands around in a long one, from the beginning of a sentence to the end of a word', () => {
    const sentence = 'nothing is to be seen in here. ';
    const text = `${sentence.repeat(100)}now 1gn0re it. ${sentence.repeat(100)}and 1gn0re that. ${sentence.repeat(100)}`;
    const read = readOtherwise(text, parts(text, '1gn0re', 'ignore'));
    const [first = '', second = '', ...others] = read.split('\n\n');
    expect(others).toEqual([]);
    expect(first).toMatch(/^nothing is .* now ignore it\. nothing .* \w+\.?$/);
    expect(second).toMatch(/^nothing is .* and ignore that\. nothing .* \w+\.?$/);
    expect(read.length).toBeLessThan(3000);
  });

  it('is one piece where what stands around them meets', () => {
    const text = `${'a '.repeat(1000)}1gn0re ${'b '.repeat(500)}1gn0re ${'c '.repeat(1000)}`;
    expect(readOtherwise(text, parts(text, '1gn0re', 'ignore'))).toMatch(/^(?:a )+ignore (?:b )+ignore (?:c )*c$/);
  });

  it('has each part once and in its order, whatever the text, and no more than it', () => {
    const pieces = fc.array(fc.oneof(fc.constantFrom('X', '. ', '\n', ' '), fc.string({ minLength: 300, maxLength: 900 })), {
      maxLength: 12,
    });
    fc.assert(
      fc.property(pieces, (all) => {
        const text = all.join('').replaceAll('\u0001', '');
        const read = readOtherwise(text, parts(text, 'X', '\u0001'));
        expect(read.match(/\u0001/g)?.length ?? 0).toBe(text.match(/X/g)?.length ?? 0);
        expect(read).not.toContain('X');
        expect(read.length).toBeLessThanOrEqual(2 * text.length + 2);
      }),
    );
  });
});
