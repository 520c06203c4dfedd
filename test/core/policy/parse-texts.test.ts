import { describe, expect, it } from 'vitest';
import type { Complaints } from '../../../src/core/policy/complaints.ts';
import { parseGlobs, parseTexts } from '../../../src/core/policy/parse-texts.ts';
import type { TomlValue } from '../../../src/core/policy/toml.ts';

const complaints = (): Complaints => ({ errors: [], regex: undefined, needsRegex: false });

describe('parseTexts', () => {
  it.each<[TomlValue, unknown, readonly unknown[]]>([
    ['a', [{ text: 'a', path: ['k'] }], []],
    [
      ['a', 'b'],
      [
        { text: 'a', path: ['k', 0] },
        { text: 'b', path: ['k', 1] },
      ],
      [],
    ],
    [[], undefined, [['k']]],
    [['a', true], undefined, [['k', 1]]],
    [true, undefined, [['k']]],
  ])('%j', (value, texts, places) => {
    const to = complaints();
    expect(parseTexts(value, ['k'], to)).toEqual(texts);
    expect(to.errors.map(({ path }) => path)).toEqual(places);
  });
});

describe('parseGlobs', () => {
  it.each<[TomlValue, unknown, readonly unknown[]]>([
    [[], [], []],
    [['a*', 'b'], ['a*', 'b'], []],
    [['a', ''], undefined, [['k', 1]]],
    [['a\0'], undefined, [['k', 0]]],
    [[['a']], undefined, [['k', 0]]],
    ['a', undefined, [['k']]],
  ])('%j', (value, globs, places) => {
    const to = complaints();
    expect(parseGlobs(value, ['k'], to)).toEqual(globs);
    expect(to.errors.map(({ path }) => path)).toEqual(places);
  });
});
