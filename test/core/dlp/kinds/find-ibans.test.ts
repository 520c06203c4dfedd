import { describe, expect, it } from 'vitest';
import { findIbans } from '../../../../src/core/dlp/kinds/find-ibans.ts';
import { foundTexts, PLAIN } from './found-texts.ts';

/** Examples of the IBAN registry. */
const EXAMPLES = [
  'GB29NWBK60161331926819',
  'DE89370400440532013000',
  'FR1420041010050500013M02606',
  'NO9386011117947',
  'MT84MALT011000012345MTLCAST001S',
  'CH9300762011623852957',
  'NL91ABNA0417164300',
  'ES9121000418450200051332',
];

describe('findIbans', () => {
  it.each(EXAMPLES)('%s, in groups too', (number) => {
    const grouped = number.replaceAll(/(.{4})(?=.)/g, '$1 ');
    expect(foundTexts(findIbans, `IBAN: ${number}.`)).toEqual([number]);
    expect(foundTexts(findIbans, `pay to ${grouped}, please`)).toEqual([grouped]);
    expect(foundTexts(findIbans, `${grouped} BIC MARKDEF1100`)).toEqual([grouped]);
    const wrong = number.slice(0, 3) + String((Number(number.charAt(3)) + 1) % 10) + number.slice(4);
    expect(foundTexts(findIbans, wrong)).toEqual([]);
  });

  it.each([
    'XGB29NWBK60161331926819',
    'GB29NWBK60161331926819X',
    'gb29nwbk60161331926819',
    '-GB29NWBK60161331926819',
    'GB29NWBK6016133192681',
  ])('nothing in %s', (text) => {
    expect(foundTexts(findIbans, text)).toEqual([]);
  });

  it('nothing in numbers, ids, times and hashes', () => {
    expect(foundTexts(findIbans, PLAIN)).toEqual([]);
  });
});
