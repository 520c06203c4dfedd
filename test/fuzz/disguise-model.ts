import fc from 'fast-check';
import { normalise } from '../../src/core/detect/normalise/normalise.ts';
import { findObfuscation } from '../../src/core/detect/rules/obfuscation/find-obfuscation.ts';

/** What texts are made of that hide something: letters that look alike, marks, what is invisible, encodings and pieces of them. */
const PIECE = fc.oneof(
  { weight: 3, arbitrary: fc.string({ unit: 'binary', maxLength: 4 }) },
  { weight: 2, arbitrary: fc.string({ unit: 'grapheme', maxLength: 4 }) },
  fc.string({ maxLength: 12 }),
  fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)),
  fc.constantFrom(
    'а',
    'е',
    'В',
    'ж',
    'ο',
    'Ω',
    'σ',
    'Σ',
    'ς',
    'հ',
    'Ꭰ',
    'ᴀ',
    'İ',
    'ı',
    'ﬃ',
    '㎏',
    '㉮',
    'ﾞ',
    'ｶ',
    'ᄒ',
    'ᅡ',
    'ᆫ',
    'ㅎ',
    '𝐚',
    'Ａ',
    '\u0301',
    '\u0316',
    '\u0336',
    '\u0345',
    '\u3099',
    '\u0f71',
    '\u0653',
    '\u20e3',
    '\u200b',
    '\u200d',
    '\u202e',
    '\u202c',
    '\u2060',
    '\ufe0f',
    '\u{e0101}',
    '\u{e0041}',
    '\u{e007f}',
    '🏴',
    '👩',
    '\ufeff',
    '\u3164',
    '\u2800',
    '\u0085',
    '\u2028',
    '\u00a0',
    '\r\n',
    '\n',
    '  ',
    '\x1b[',
    '\x1b]',
    '\x07',
    '\x1b',
    'm',
    '\x9b',
    '%41',
    '%',
    '&#',
    '&lt;',
    '\\u00',
    '\\x',
    '41',
    '<!--',
    '-->',
    '<p hidden>',
    'ignore ',
    'the key ',
    'QUJD',
  ),
);

/** A text of which anything may be hidden. */
export const DISGUISED = fc.array(PIECE, { maxLength: 24 }).map((pieces) => pieces.join(''));

/**
 * What normalising promises of any text: normalising what came out changes nothing, places go back to the text and never backwards, findings name places in it. Throws where it
 * is not so.
 */
export function checkDisguised(text: string): void {
  const normalised = normalise(text);
  const { plain, hidden, origins, at } = normalised;
  for (const part of [plain, ...hidden]) {
    const again = normalise(part).plain;
    if (again !== part) throw new Error(`${JSON.stringify(part)} is normalised to ${JSON.stringify(again)}`);
  }
  if (hidden.length !== origins.length) throw new Error('hidden texts and where they come from are not as many');
  let last = 0;
  for (let offset = 0; offset <= plain.length; offset += 1) {
    const place = at(offset);
    if (place < last || place > text.length)
      throw new Error(`${offset} goes back to ${place}, ${offset - 1} to ${last}, of ${text.length}`);
    last = place;
  }
  if (last !== text.length) throw new Error(`the end goes back to ${last} of ${text.length}`);
  for (const { rule, matches } of findObfuscation('text', text, normalised)) {
    const isOutside = matches.length === 0 || matches.some(({ position }) => position < 0 || position >= text.length);
    if (isOutside) throw new Error(`${rule} is found outside of the text`);
  }
}
