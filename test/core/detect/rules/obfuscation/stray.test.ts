import { describe, expect, it } from 'vitest';
import { strayBidi, strayInvisible, straySelectors, strayTags } from '../../../../../src/core/detect/rules/obfuscation/stray.ts';

describe('strayInvisible', () => {
  it('counts runs, those within words, and the longest', () => {
    expect(strayInvisible('a\u200bb c\u200b\u200b d')).toEqual({
      places: [
        { start: 1, end: 2 },
        { start: 5, end: 7 },
      ],
      cuts: 1,
      isOrderCut: false,
      longest: 2,
    });
    expect(strayInvisible('ig\u200bnore').isOrderCut).toBe(true);
  });

  it.each(['\ufeffa', 'Donau\u00addampf', 'می‌خواهم', '👩‍👧', 'קובץ \u200ex'])('none in %j', (text) => {
    expect(strayInvisible(text).places).toEqual([]);
  });
});

it('tags and selectors that belong to emoji, keycaps and ideographs are not stray', () => {
  const text = '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f} ❤️ 1️⃣ 葛\u{e0100} a\ufe0fb\u{e0041}';
  expect(strayTags(text).map(({ start }) => text.slice(0, start).at(-1))).toEqual(['b']);
  expect(straySelectors(text).map(({ start }) => text.charAt(start - 1))).toEqual(['a']);
});

it('embeddings are honest in a text with right-to-left letters, overrides of Latin ones never', () => {
  expect(strayBidi('a \u2067abc\u2069').embeddings).toHaveLength(1);
  expect(strayBidi('שם \u2067abc\u2069').embeddings).toHaveLength(0);
  expect(strayBidi('שם \u202eabc\u202c').overrides).toHaveLength(1);
  expect(strayBidi('\u202eשם\u202c').overrides).toHaveLength(0);
});
