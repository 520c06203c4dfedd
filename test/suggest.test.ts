import { describe, expect, it } from 'vitest';
import { suggestName } from '../src/suggest.ts';

describe('suggestName', () => {
  it.each([
    ['polciy', 'policy'],
    ['polic', 'policy'],
    ['POLICY', 'policy'],
    ['fixtur', 'fixture'],
    ['fixturedir', 'fixture-dir'],
    ['jsn', 'json'],
  ])('%s is probably %s', (word, meant) => {
    expect(suggestName(word, ['policy', 'fixture', 'fixture-dir', 'json'])).toBe(meant);
  });

  it.each(['', 'x', 'reporter', 'server', 'y'.repeat(100_000)])('says nothing where nothing is near', (word) => {
    expect(suggestName(word, ['policy', 'fixture', 'json'])).toBeUndefined();
  });
});
