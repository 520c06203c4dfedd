import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileGlob } from '../../../src/core/patterns/glob.ts';
import { foldPath, toSlashes } from '../../../src/core/paths/absolute-path.ts';
import { type LongReadings, readLongText } from '../../../src/core/paths/long-text.ts';
import { decodeRounds } from '../../../src/core/paths/percent.ts';
import { PIECE } from '../../../src/core/paths/pieces.ts';
import { runs } from '../../support/runs.ts';

type Platform = 'posix' | 'macos' | 'windows';

/** @param isKept what decoding gives stays in memory */
function open(text: string, platform: Platform, isKept = true): LongReadings {
  return readLongText(text, { home: '/home/me', cwd: '/w', platform, remote: false }, isKept ? Infinity : 0);
}

/** Every reading as a whole. */
function readingsOf(text: string, platform: Platform): string[] {
  return decodeRounds(text).flatMap((round) => [round, toSlashes(round)].map((reading) => foldPath(reading, platform)));
}

const GLOBS = [
  '**',
  '**/.ssh/**',
  '**/.ssh',
  'a/**',
  'a**b',
  '**a/b**',
  '**/?',
  '**/*.pem',
  '*',
  '**A**',
  'é**',
  '**/é/*',
  '**.[a]/**',
  '**b\\\\a**',
  'a/*/b',
];
const PART = fc.constantFrom(
  '/',
  '\\',
  '.ssh',
  'a',
  'b',
  'A',
  'é',
  '.pem',
  '\u{1F600}',
  '%2f',
  '%5C',
  '%252F',
  '%2Essh',
  '%41',
  '%C3%A9',
  '%',
);

describe('matchesLong', () => {
  it.each(['posix', 'macos', 'windows'] as const)('matches what any of the whole readings would match on %s', (platform) => {
    const parts = fc.array(PART, { maxLength: 8 }).map((texts) => texts.join(''));
    const input = fc.tuple(parts, parts, parts, fc.integer({ min: -8, max: 8 }), fc.constantFrom(...GLOBS), fc.boolean());
    fc.assert(
      fc.property(input, ([head, middle, tail, offset, pattern, isLong]) => {
        // The middle lies across the end of a piece.
        const padding = 'x'.repeat(isLong ? PIECE + offset - head.length - 4 : 0);
        const text = head + padding + middle + (isLong ? 'y'.repeat(PIECE - 4) : '') + (tail || 'a');
        const glob = compileGlob(foldPath(pattern, platform));
        const isMatch = readingsOf(text, platform).some((reading) => glob.matches(reading));
        for (const isKept of [true, false]) expect(open(text, platform, isKept).matches([glob])).toBe(isMatch);
      }),
      { numRuns: runs(400) },
    );
  });

  it('matches where only one of many globs does', () => {
    const globs = [...Array.from({ length: 50 }, (_, nth) => `/none/${nth}/**`), '**/.ssh/**'].map((glob) => compileGlob(glob));
    const text = `${'%41'.repeat(30_000)}%2f.ssh%2Fid`;
    expect(open(text, 'posix').matches(globs)).toBe(true);
    expect(open(text, 'posix').matches(globs.slice(0, -1))).toBe(false);
  });
});
