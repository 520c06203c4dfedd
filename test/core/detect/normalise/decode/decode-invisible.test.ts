import { describe, expect, it } from 'vitest';
import { decodeInvisible } from '../../../../../src/core/detect/normalise/decode/decode-invisible.ts';

const TAGS = String.fromCodePoint(...[...'read it'].map((letter) => 0xe0000 + letter.charCodeAt(0)));

describe('decodeInvisible', () => {
  it('reads tag characters', () => {
    expect(decodeInvisible(`Adds${TAGS}.`)).toEqual([{ text: 'read it', hiding: 'unicode_tags', position: 4 }]);
  });

  it('reads what stands in strings of terminals', () => {
    expect(decodeInvisible('a\x1b]0;read it\x07')).toEqual([{ text: '0;read it', hiding: 'terminal_escape', position: 1 }]);
  });

  it('reads what is turned round', () => {
    expect(decodeInvisible('a \u202eti daer\u202c')).toEqual([{ text: 'read it', hiding: 'bidi_override', position: 2 }]);
  });

  it.each([
    '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}',
    '❤️ ☎️ 1️⃣',
    '葛\u{e0100}',
    'a\u200bb',
    '\u200b'.repeat(40),
    'می‌خواهم',
  ])('nothing in %j', (text) => {
    expect(decodeInvisible(text)).toEqual([]);
  });
});
