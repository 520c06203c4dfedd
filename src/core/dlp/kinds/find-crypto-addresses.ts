import { hash } from 'node:crypto';
import type { FindKind } from './find-kind.ts';

/** Ethereum, Bitcoin in base58 with a checksum, and Bitcoin in bech32 (BIP 173, BIP 350). */
const CANDIDATE = /(?<![\w-])(?:0x[0-9a-fA-F]{40}|[13][1-9A-HJ-NP-Za-km-z]{25,34}|bc1[02-9ac-hj-np-z]{8,87})(?![\w-])/g;

const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const BECH32 = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';

/** Finds addresses of wallets on Ethereum and Bitcoin. */
export const findCryptoAddresses: FindKind = function* findCryptoAddresses(text) {
  for (const { 0: found, index } of text.matchAll(CANDIDATE)) {
    const isRight = found.startsWith('0x') || (found.startsWith('bc1') ? hasBech32Sum(found) : hasBase58Sum(found));
    if (isRight) yield { start: index, end: index + found.length };
  }
};

/** The last four bytes are the beginning of the hash of the hash of the 21 before. */
function hasBase58Sum(address: string): boolean {
  let value = 0n;
  for (const character of address) value = value * 58n + BigInt(BASE58.indexOf(character));
  if (value >= 1n << 200n) return false;
  const bytes = Buffer.from(value.toString(16).padStart(50, '0'), 'hex');
  const once = hash('sha256', bytes.subarray(0, 21), 'buffer');
  return hash('sha256', once, 'buffer').subarray(0, 4).equals(bytes.subarray(21));
}

const GENERATOR = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3];

function hasBech32Sum(address: string): boolean {
  // The prefix `bc` as BIP 173 spreads it.
  const values = [3, 3, 0, 2, 3, ...Array.from(address.slice(3), (character) => BECH32.indexOf(character))];
  let sum = 1;
  for (const value of values) {
    const top = sum >>> 25;
    sum = ((sum & 0x1ffffff) << 5) ^ value;
    for (const [bit, part] of GENERATOR.entries()) if ((top >>> bit) & 1) sum ^= part;
  }
  return sum === 1 || sum === 0x2bc830a3;
}
