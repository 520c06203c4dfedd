import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foldPath, foldPieces } from '../../../src/core/paths/absolute-path.ts';

describe('foldPath', () => {
  it.each([
    ['posix', 'Aé', 'Aé'],
    ['macos', 'AE\u0301', 'aé'],
    ['windows', 'A\u017F', 'as'],
  ] as const)('folds as %s does', (platform, path, folded) => {
    expect(foldPath(path, platform)).toBe(folded);
  });
});

describe('foldPieces', () => {
  it('folds pieces as the whole, wherever they were cut', () => {
    const part = fc.constantFrom(
      'A',
      'b',
      'Σ',
      'σ',
      '/',
      '.',
      ':',
      "'",
      '^',
      '`',
      ' ',
      '1',
      '_',
      '=',
      '\u0338',
      '\u0301',
      'e',
      'ß',
      'İ',
      '\u{10400}',
      '\u1100\u1161',
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 16 }), fc.constantFrom('macos', 'windows'), (parts, platform) => {
        expect([...foldPieces(parts, platform)].join('')).toBe(foldPath(parts.join(''), platform));
      }),
      { numRuns: 3000 },
    );
  });

  it('keeps nothing back for long where there are slashes', () => {
    expect([...foldPieces(['ABC/D', 'E/'], 'windows')]).toEqual(['abc', '/de', '/']);
  });
});
