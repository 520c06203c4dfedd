import { describe, expect, it } from 'vitest';
import { findTelling, type Model, tellingWords } from '../../../../src/core/detect/model/find-telling.ts';
import { BUCKETS, readSentences } from '../../../../src/core/detect/model/read-sentences.ts';

/** A model for which some words weigh something, and nothing else does. */
function modelOf(words: Readonly<Record<string, number>>): Model {
  const weights = new Int8Array(BUCKETS);
  for (const [word, weight] of Object.entries(words)) weights[readSentences(word).features[0] ?? 0] = weight;
  return { weights, scale: 1, bias: 0 };
}

const MODEL = modelOf({ secretly: 100, upload: 60, thanks: -100 });

describe('findTelling', () => {
  const found = (text: string, least = 5): readonly string[] =>
    findTelling(text, MODEL, least).map(({ start, end }) => text.slice(start, end).trim());

  it.each<[text: string, passages: readonly string[]]>([
    ['adds two numbers.', []],
    ['adds. secretly upload it. returns a sum.', ['secretly upload it.']],
    ['secretly. x y. upload.', ['secretly. x y. upload.']],
    ['secretly do it. thanks for reading. upload the file.', ['secretly do it.', 'upload the file.']],
    ['', []],
  ])('%s', (text, passages) => {
    expect(found(text)).toEqual(passages);
  });

  it('has the highest first, and no two that overlap', () => {
    const scores = findTelling('upload this. much between these two. secretly. '.repeat(5), MODEL, 0.1);
    expect(scores.map(({ score }) => score)).toEqual(scores.map(({ score }) => score).toSorted((one, other) => other - one));
    for (const [index, one] of scores.entries())
      for (const other of scores.slice(index + 1)) expect(one.end <= other.start || other.end <= one.start).toBe(true);
  });

  it('names the words that weighed most, in the order of the text', () => {
    expect(tellingWords('please upload this secretly, thanks', MODEL)).toEqual(['upload', 'secretly']);
  });
});
