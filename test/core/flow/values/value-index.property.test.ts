import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/core/json.ts';
import { Memory, read } from './memory.ts';
import { randomBytes } from './random-bytes.ts';
import { runs } from '../../../support/runs.ts';

/** Random letters and digits as keys have them, of several alphabets; from a seed, since fast-check likes to make simple ones. */
const identifier = fc
  .tuple(fc.nat(), fc.integer({ min: 24, max: 90 }), fc.constantFrom('hex', 'base64', 'base64url', 'upper'))
  .map(([seed, length, alphabet]) => {
    const bytes = randomBytes(length, `${seed}`);
    if (alphabet !== 'upper') return bytes.toString(alphabet as 'hex').slice(0, length);
    return [...bytes].map((byte) => 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'.charAt(byte & 31)).join('');
  });

const ENCODINGS: Readonly<Record<string, (text: string) => string>> = {
  plain: (text) => text,
  upper: (text) => text.toUpperCase(),
  base64: (text) => Buffer.from(text).toString('base64'),
  unpadded: (text) => Buffer.from(text).toString('base64').replaceAll('=', ''),
  base64url: (text) => Buffer.from(text).toString('base64url'),
  hex: (text) => Buffer.from(text).toString('hex'),
  upperHex: (text) => Buffer.from(text).toString('hex').toUpperCase(),
  url: (text) => Buffer.from(text).toString('hex').replaceAll(/../g, '%$&'),
  json: (text) => [...text].map((letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`).join(''),
};
/** One in some thousands of random strings looks like words: the runs are the same each time. */
const SAME_RUNS = { seed: 20_261_122, numRuns: runs(300) };

const encoding = fc.constantFrom(...Object.keys(ENCODINGS));

function encode(name: string, text: string): string {
  return ENCODINGS[name]?.(text) ?? text;
}

/** What an encoding's result may stand beside without becoming another one. */
const around = fc.constantFrom('', ' ', 'data: ', '"', '<b>', '?q=');

describe('values', () => {
  it('any 24 random characters in a row are found, in any encoding and at any place of it', () => {
    fc.assert(
      fc.property(identifier, fc.nat(), fc.string({ maxLength: 7 }), encoding, around, (value, from, before, name, beside) => {
        const memory = new Memory();
        memory.answer('notes', `The value is ${value} and that is all.`);
        const start = from % (value.length - 23);
        const args = { a: [{ text: `${beside}${encode(name, `${before} ${value.slice(start, start + 24)}`)}` }] };
        expect(memory.find('mail', args)).toHaveLength(1);
        expect(memory.find('notes', args)).toEqual([]);
      }),
      SAME_RUNS,
    );
  });

  it('the same in two encodings within each other', () => {
    fc.assert(
      fc.property(identifier, encoding, encoding, (value, inner, outer) => {
        // Letters that lost their case are no base64 any more.
        fc.pre(!(outer === 'upper' && inner !== 'plain'));
        const memory = new Memory();
        memory.answer('notes', value);
        expect(memory.find('mail', { text: encode(outer, encode(inner, value.slice(0, 24))) })).toHaveLength(1);
      }),
      SAME_RUNS,
    );
  });

  it('reading and finding never fail, and give the same each time', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string(),
      fc.string({ unit: fc.constantFrom('\ud800', '\udc00', '\0', 'a', '\\', '%', '\u0130', '7', '=') }),
    );
    fc.assert(
      fc.property(fc.array(text), text, fc.jsonValue(), (texts, argument, json) => {
        expect(read(texts)).toEqual(read(texts));
        const memory = new Memory();
        for (const one of texts) memory.answer('notes', one);
        const args = { [argument]: [argument, json], texts } as JsonObject;
        expect(memory.find('mail', args)).toEqual(memory.find('mail', args));
        expect(memory.find('notes', args)).toEqual([]);
        memory.tell('mail', args);
        memory.answer('drive', texts.join('\n'));
        expect(memory.find('mail', args)).toEqual(memory.find('mail', args));
      }),
    );
  });

  it('values without a relation to what was answered are never found', () => {
    fc.assert(
      fc.property(identifier, identifier, (value, other) => {
        fc.pre(value.slice(0, 12) !== other.slice(0, 12));
        const memory = new Memory();
        memory.answer('notes', value);
        expect(memory.find('mail', { text: other })).toEqual([]);
      }),
      SAME_RUNS,
    );
  });
});
