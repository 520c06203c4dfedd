import { describe, expect, it } from 'vitest';
import { findPhones } from '../../../../src/core/dlp/kinds/find-phones.ts';
import { foundTexts, PLAIN } from './found-texts.ts';

describe('findPhones', () => {
  it.each([
    '+1 415-555-2671',
    '+14155552671',
    '+1 (415) 555-2671',
    '+44 20 7946 0958',
    '+49 (0)30 901820',
    '+49-151-12345678',
    '+33 6 12 34 56 78',
    '+81 3-1234-5678',
    '+8613912345678',
    '+971 50 123 4567',
    '+358 40 1234567',
    '(415) 555-2671',
    '415-555-2671',
    '415 555 2671',
    '1-415-555-2671',
  ])('%s', (number) => {
    for (const text of [number, `call ${number}.`, `tel:${number}`, `"${number}"`, `${number}, or write`])
      expect(foundTexts(findPhones, text)).toEqual([number]);
  });

  it.each([
    '+1 115-555-2671',
    '+999 123 456 789',
    '+210 123 4567',
    '115-555-2671',
    '415-155-2671',
    '415-555-26711',
    '4155552671',
    'v415-555-2671',
    '415-555-2671-1',
    '415-555-2671.5',
    'x+14155552671',
    '+1415555267',
    '+44 12',
    '+44 20 7946 0958 1234 5678',
  ])('nothing in %s', (text) => {
    expect(foundTexts(findPhones, text)).toEqual([]);
  });

  it('nothing in numbers, ids, times and hashes', () => {
    expect(foundTexts(findPhones, PLAIN)).toEqual([]);
  });
});
