import { describe, expect, it } from 'vitest';
import { findCryptoAddresses } from '../../../../src/core/dlp/kinds/find-crypto-addresses.ts';
import { foundTexts, PLAIN } from './found-texts.ts';

describe('findCryptoAddresses', () => {
  it.each([
    '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa',
    '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy',
    'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
    'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0',
  ])('%s', (address) => {
    for (const text of [address, `to ${address}.`, `bitcoin:${address}?amount=1`])
      expect(foundTexts(findCryptoAddresses, text)).toEqual([address]);
  });

  it.each([
    '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAe',
    '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed00',
    '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNb',
    'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5',
    '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLz',
  ])('nothing in %s', (text) => {
    expect(foundTexts(findCryptoAddresses, text)).toEqual([]);
  });

  it('nothing in numbers, ids, times and hashes', () => {
    expect(foundTexts(findCryptoAddresses, PLAIN)).toEqual([]);
  });
});
