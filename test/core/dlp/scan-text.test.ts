import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bytesOf, matchesInNumbers, scanText } from '../../../src/core/dlp/scan-text.ts';
import { MARKERS } from '../../../src/core/dlp/secret-forms.ts';
import { runs } from '../../support/runs.ts';

const around = fc.string({ unit: fc.constantFrom('a', 'Z', '0', ' ', '-', '\u00e9', '\u4e00', '\ud83d\ude00'), maxLength: 9 });

describe('scanText', () => {
  it('finds every marker, whatever stands around it', () => {
    fc.assert(
      fc.property(around, fc.constantFrom(...MARKERS), around, (before, marker, after) => {
        const text = `${before}${marker}${marker.length < 3 ? '0' : ''}${after}`;
        expect(scanText(text).marks).toContain(before.length);
      }),
      { numRuns: runs(500) },
    );
  });

  it.each([
    'Password',
    'PWD',
    'client_secret',
    'tokens',
    'api-key',
    'AUTH',
    'cookie',
    'cred',
    'bearer',
    'JWT',
    'conn',
    'dsn',
    'sig',
  ])('finds the hint in %j', (name) => {
    expect(scanText(`\u4e00 ${name}=x`).hints).not.toEqual([]);
  });

  it('finds next to nothing in plain words', () => {
    const { marks, hints, ssns, numbers } = scanText('The quick brown fox jumps over the lazy dog. '.repeat(200));
    expect([marks, hints, ssns, numbers]).toEqual([[], [], [], []]);
  });

  it('matches numbers where they stand', () => {
    const text = `${'x'.repeat(40)} 536-22-1234, ${' '.repeat(30)}\n536-22-1235`;
    const found = Array.from(matchesInNumbers(text, scanText(text), /\d{3}-\d{2}-\d{4}/g), ({ found: number, start }) => [
      number,
      start,
    ]);
    expect(found).toEqual([
      ['536-22-1234', 41],
      ['536-22-1235', text.length - 11],
    ]);
  });
});

it('bytes stand where the characters do, and none is taken for another', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const bytes = bytesOf(text);
      expect(Array.from(bytes)).toEqual(Array.from({ length: text.length }, (_, at) => Math.min(255, text.charCodeAt(at))));
    }),
    { numRuns: runs(300) },
  );
});
