import { randomInt } from 'node:crypto';

/** Crockford's base 32: digits and letters without those that look like others (https://www.crockford.com/base32.html). */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const LENGTH = 6;

const MISREAD: Readonly<Record<string, string>> = { I: '1', L: '1', O: '0' };

/** A new id of a question: 30 random bits in six letters and digits, to be typed. */
export function createQuestionId(): string {
  return Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
}

/** The id that a person means by what they typed, in either case and with letters that are easily misread; undefined where it is none. */
export function parseQuestionId(typed: string): string | undefined {
  const id = typed
    .trim()
    .toUpperCase()
    .replaceAll(/[ILO]/g, (letter) => MISREAD[letter] ?? letter);
  return id.length === LENGTH && [...id].every((character) => ALPHABET.includes(character)) ? id : undefined;
}
