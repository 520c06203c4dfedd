import { describe, expect, it } from 'vitest';
import { findSsns } from '../../../../src/core/dlp/kinds/find-ssns.ts';
import { foundTexts, PLAIN } from './found-texts.ts';

describe('findSsns', () => {
  it.each([
    ['536-22-1234', '536-22-1234'],
    ['SSN 536-22-1234.', '536-22-1234'],
    ['"ssn": "536221234"', '536221234'],
    ['SSN: 536 22 1234', '536 22 1234'],
    ['party of Ann, 536-22-1234', '536-22-1234'],
    ['employee 536-22-1234', '536-22-1234'],
    ['my social security number is 536221234', '536221234'],
    ['{\\"ssn\\": \\"536221234\\"}', '536221234'],
  ])('%s', (text, number) => {
    expect(foundTexts(findSsns, text)).toEqual([number]);
  });

  it.each([
    '000-22-1234',
    '666-22-1234',
    '912-22-1234',
    '536-00-1234',
    '536-22-0000',
    '078-05-1120',
    '1536-22-1234',
    '536-22-12345',
    '536-22-1234-5',
    '536-22-1234.5',
    '2-536-22-1234',
    '536221234',
    'session 536221234',
    'part number 536-22-1234 in stock',
    'PN: 536-22-1234, qty 4',
    '"sku": "536-22-1234"',
    'Order #536-22-1234',
    'SSN 5362212345',
  ])('nothing in %s', (text) => {
    expect(foundTexts(findSsns, text)).toEqual([]);
  });

  it('nothing in numbers, ids, times and hashes', () => {
    expect(foundTexts(findSsns, PLAIN)).toEqual([]);
  });
});
