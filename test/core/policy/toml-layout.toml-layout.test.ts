import { describe, expect, it } from 'vitest';

import { readTomlLayout } from '../../../src/core/policy/toml-layout.ts';

describe('layout of a TOML text', () => {
  it('has keys, headers and comments with their places', () => {
    const { places, headers, comments } = readTomlLayout('# a\n[x]\ny = [1, { z = 2 }] # b\n[[r]]\n');
    expect(places.map(({ path, line, column }) => [path.join('.'), line, column])).toEqual([
      ['x', 2, 1],
      ['x.y', 3, 1],
      ['x.y.0', 3, 6],
      ['x.y.1', 3, 9],
      ['x.y.1.z', 3, 11],
      ['r', 4, 1],
      ['r.0', 4, 1],
    ]);
    expect(headers).toEqual([
      { path: ['x'], isArray: false, start: 4, end: 26 },
      { path: ['r', 0], isArray: true, start: 31, end: 36 },
    ]);
    expect(comments.map(({ text, line, column }) => [text, line, column])).toEqual([
      [' a', 1, 1],
      [' b', 3, 20],
    ]);
  });

  it('is empty where the text is no TOML', () => {
    expect(readTomlLayout('= 1')).toEqual({ places: [], headers: [], comments: [] });
  });
});
