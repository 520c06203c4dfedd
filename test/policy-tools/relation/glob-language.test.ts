import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { compileGlob } from '../../../src/core/patterns/glob.ts';
import {
  areGlobsDisjoint,
  hasText,
  includesGlob,
  refillSteps,
  toLanguage,
  toTextLanguage,
} from '../../../src/policy-tools/relation/glob-language.ts';
import { runs } from '../../support/runs.ts';

const INCLUDED: [outer: string, inner: string, is: boolean][] = [
  ['**', 'a/b', true],
  ['*', 'a', true],
  ['*', 'a/b', false],
  ['*', '**', false],
  ['**', '*', true],
  ['a*', 'ab*', true],
  ['ab*', 'a*', false],
  ['*?', '?*', true],
  ['?*', '*?', true],
  ['??*', '?*', false],
  ['*a*', '*a', true],
  ['*a*b*', '*ab*', true],
  ['*ab*', '*a*b*', false],
  ['/etc/**', '/etc/ssl/*', true],
  ['/etc/*', '/etc/**', false],
  ['**/.ssh/**', '/home/*/.ssh/id', true],
  ['*.pem', '**.pem', false],
  ['**.pem', '*.pem', true],
  ['?', '\u{1F600}', true],
  ['a**', 'a', true],
  ['a?', 'a/', false],
];

const DISJOINT: [string, string, boolean][] = [
  ['a', 'b', true],
  ['a*', 'b*', true],
  ['*a', '*b', true],
  ['a*', '*b', false],
  ['*', '/**', true],
  ['?', 'ab', true],
  ['*a*', '*b*', false],
  ['a?c', 'ab?', false],
  ['a?c', 'a/c', true],
];

describe('globs as languages', () => {
  it.each(INCLUDED)('%s includes %s: %s', (outer, inner, is) => expect(includesGlob(outer, inner)).toBe(is));

  it.each(DISJOINT)('%s and %s are disjoint: %s', (a, b, is) => {
    expect(areGlobsDisjoint(a, b)).toBe(is);
    expect(areGlobsDisjoint(b, a)).toBe(is);
  });

  // All texts of up to six of these letters: `*bbb` and `baa*` have no shorter one, and no globs of so few parts a longer one.
  const LETTERS = ['a', 'b', '/', 'x'];
  const TEXTS = [''];
  for (let at = 0; (TEXTS[at] ?? '').length < 6 && at < TEXTS.length; at += 1) {
    for (const letter of LETTERS) TEXTS.push(`${TEXTS[at]}${letter}`);
  }
  const glob = fc
    .array(fc.constantFrom('a', 'b', '/', '*', '**', '?'), { minLength: 1, maxLength: 4 })
    .map((parts) => parts.join(''));

  it('says what going through all short texts says', () => {
    fc.assert(
      fc.property(glob, glob, (p, q) => {
        const [a, b] = [compileGlob(p), compileGlob(q)];
        const ofB = TEXTS.filter((text) => b.matches(text));
        expect(includesGlob(p, q)).toBe(ofB.every((text) => a.matches(text)));
        expect(areGlobsDisjoint(p, q)).toBe(!ofB.some((text) => a.matches(text)));
      }),
      { numRuns: runs(400) },
    );
  });

  it('takes stars of a text for themselves', () => {
    expect(hasText([toLanguage('a*'), toTextLanguage('a*b')], ([isGlob, isText]) => isText === true && isGlob === true)).toBe(
      true,
    );
    expect(hasText([toLanguage('axb'), toTextLanguage('a*b')], ([isGlob, isText]) => isText === true && isGlob === true)).toBe(
      false,
    );
  });

  it('gives up rather than going on for long', () => {
    const wild = `*${'a?'.repeat(40)}*b`;
    expect(hasText([toLanguage(`${wild}*`), toLanguage(`*b${wild}`)], () => false)).toBeUndefined();
    expect(includesGlob(`${wild}c*`, `*${wild}c**`)).toBe(false);
  });

  it('gives up sooner where much is asked, until it begins anew', () => {
    const wild = `*${'a?'.repeat(40)}*b`;
    for (let at = 0; at < 200; at += 1) hasText([toLanguage(`${wild}*`), toLanguage(`*b${wild}`)], () => false);
    expect(includesGlob('*a*', '*ab*')).toBe(false);
    expect(includesGlob('*a', 'ba')).toBe(true);
    refillSteps();
    expect(includesGlob('*a*', '*ab*')).toBe(true);
  });
});
