import { describe, expect, it } from 'vitest';
import { findCards } from '../../../../src/core/dlp/kinds/find-cards.ts';
import { scanText } from '../../../../src/core/dlp/scan-text.ts';
import { foundTexts, PLAIN } from './found-texts.ts';

/** The number with the digit that Luhn's formula wants, computed from the other end than the code does. */
function withCheckDigit(digits: string): string {
  const sum = Array.from(digits)
    .toReversed()
    .map((digit, place) => Number(digit) * (place % 2 === 0 ? 2 : 1))
    .map((value) => (value > 9 ? value - 9 : value))
    .reduce((total, value) => total + value, 0);
  return digits + String((10 - (sum % 10)) % 10);
}

const BEGINNINGS = [
  '453957876362148',
  '453957876362148123',
  '555512345678901',
  '222112345678901',
  '272012345678901',
  '34123456789012',
  '37123456789012',
  '3012345678901',
  '3612345678901',
  '352812345678901',
  '601112345678901',
  '651234567890123',
  '621234567890123',
  '621234567890123456',
];

describe('findCards', () => {
  it.each(BEGINNINGS)('%s and its check digit', (beginning) => {
    const number = withCheckDigit(beginning);
    for (const text of [
      number,
      `card: ${number}.`,
      `"${number}"`,
      `(${number})`,
      `card=${number}&x=1`,
      `${number} 12/29`,
      `\n${number}\n`,
    ])
      expect(foundTexts(findCards, text)).toEqual([number]);
    const wrong = number.slice(0, -1) + String((Number(number.at(-1)) + 1) % 10);
    expect(foundTexts(findCards, wrong)).toEqual([]);
  });

  it.each(['4539 5787 6362 1486', '4539-5787-6362-1486', '3712 345678 90126', '3612-345678-9016', '4539 5787 6362 1486 12/29'])(
    'grouped: %s',
    (text) => {
      const number = text.replace(' 12/29', '');
      const digits = number.replaceAll(/\D/g, '');
      const right = number.slice(0, -1) + (withCheckDigit(digits.slice(0, -1)).at(-1) ?? '');
      expect(foundTexts(findCards, text.replace(number, right))).toEqual([right]);
    },
  );

  it.each([
    'a4539578763621486',
    '4539578763621486a',
    '4539578763621486_',
    '0.4539578763621486',
    '4539578763621486.25',
    '4539578763621486-1',
    '1-4539578763621486',
    '4539  5787 6362 1486',
    '4539 5787-6362 1486',
    '1234 4539 5787 6362 1486 1234 5678',
    '4539 5787 6362 1486 1234 5678 9012',
    '0A3F 4539 5787 6362 1486 5C01 77E2',
    '45395787636214860000000',
  ])('borders: nothing in %s', (text) => {
    expect(foundTexts(findCards, text)).toEqual([]);
  });

  it.each([
    '4242424242424242',
    '4242 4242 4242 4242',
    '4111111111111111',
    '378282246310005',
    '4000000000000002',
    '4000008260000000',
  ])('a number for tests is no card: %s', (text) => {
    expect(foundTexts(findCards, text)).toEqual([]);
  });

  it.each(['4539 5787 6362 1486 2027', '4539 5787 6362 1486 2027 737', '0427 4539 5787 6362 1486', '4539 5787 6362 1486\n2027'])(
    'a date or another number beside it: %j',
    (text) => {
      expect(foundTexts(findCards, text)).toEqual(['4539 5787 6362 1486']);
    },
  );

  it.each([
    'order_id=4539578763621486',
    '"productId": "4539578763621486"',
    '{"ids":[4539578763621486]}',
    'gid://shopify/Product/4539578763621486',
    'https://api.example/x/4539578763621486/files',
    'see 4539578763621486 in the log',
    'created 4539578763621486, then deleted',
    'the payload 4539578763621486 was sent',
    '- 4539578763621486\n- 4539578763621494',
  ])('an id: %s', (text) => {
    expect(foundTexts(findCards, text)).toEqual([]);
  });

  it.each([
    'pay with 4539578763621486',
    'customerPan=4539578763621486',
    'https://api.example/cards/4539578763621486',
    'no: 4539578763621486 CVV 123',
    'my Visa is 4539578763621486.',
    'this one:\n4539578763621486\nthanks',
  ])('a word tells of a card: %s', (text) => {
    expect(foundTexts(findCards, text)).toEqual(['4539578763621486']);
  });

  it('the name of a text tells about a number in it', () => {
    const find = (text: string, name: string): number => Array.from(findCards(text, scanText(text), name)).length;
    expect(['order_id', 'productIds', 'gid', 'sku'].map((name) => find('4539578763621486', name))).toEqual([0, 0, 0, 0]);
    expect(['number', 'value', 'paid'].map((name) => find('4539578763621486', name))).toEqual([1, 1, 1]);
    expect([find('it is 4539578763621486', 'card'), find('it is 4539578763621486', 'note')]).toEqual([1, 0]);
  });

  it('beginnings that no network has', () => {
    for (const beginning of ['111112345678901', '222012345678901', '272112345678901', '351112345678901', '701234567890123'])
      expect(foundTexts(findCards, withCheckDigit(beginning))).toEqual([]);
  });

  it('nothing in numbers, ids, times and hashes', () => {
    expect(foundTexts(findCards, PLAIN)).toEqual([]);
  });
});

it('cards in a row are all found, and a table of numbers has none', () => {
  const [first, second, third] = ['453957876362148', '555512345678901', '601112345678901'].map((digits) =>
    withCheckDigit(digits).replaceAll(/(\d{4})(?=\d)/g, '$1 '),
  );
  const row = [first, second, third].join(' ');
  expect(foundTexts(findCards, `cards ${row} end`)).toEqual([first, second, third]);
  expect(foundTexts(findCards, `1234 5678 9012 ${first} 3456`)).toEqual([]);
});
