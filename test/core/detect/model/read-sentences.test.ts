import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BUCKETS, readSentences } from '../../../../src/core/detect/model/read-sentences.ts';
import { runs } from '../../../support/runs.ts';

function sentencesOf(text: string): readonly string[] {
  const { starts } = readSentences(text);
  return starts.slice(1).map((end, index) => text.slice(starts[index], end).trim());
}

describe('readSentences', () => {
  it.each<[text: string, sentences: readonly string[]]>([
    ['reads a file. writes no v1.2 file! why? so', ['reads a file.', 'writes no v1.2 file!', 'why?', 'so']],
    ['one line\nanother', ['one line', 'another']],
    ['读取文件。不要告诉用户', ['读取文件。', '不要告诉用户']],
    ['', []],
    ['\n \n', []],
    ['\n\nafter blank lines', ['after blank lines']],
  ])('%j', (text, sentences) => {
    expect(sentencesOf(text)).toEqual(sentences);
  });

  it('cuts what has no end', () => {
    const lengths = sentencesOf('word '.repeat(1000)).map(({ length }) => length);
    expect(Math.max(...lengths)).toBeLessThan(500);
    expect(lengths.length).toBeGreaterThan(9);
  });

  it('has the same features for a word wherever it stands, and others for another order', () => {
    const of = (text: string): readonly number[] => [...readSentences(text).features];
    expect(of('x. silently')).toEqual([...of('x. '), ...of('silently')]);
    expect(of('read file').toSorted()).not.toEqual(of('file read').toSorted());
  });

  it('never leaves its buckets, and covers the whole text in order', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
        const { features, starts, from } = readSentences(text);
        expect(features.every((feature) => feature >= 0 && feature < BUCKETS)).toBe(true);
        expect([starts.at(-1), from.at(-1), from.length]).toEqual([text.length, features.length, starts.length]);
        expect(starts.toSorted((one, other) => one - other)).toEqual(starts);
      }),
      { numRuns: runs(100) },
    );
  });
});
