import { expect, it } from 'vitest';
import { INVISIBLE, mayHaveInvisible } from '../../../../src/core/detect/normalise/invisible-characters.ts';

it('the quick look misses none of them', () => {
  const missed: string[] = [];
  let count = 0;
  for (let point = 0; point <= 0x10ffff; point += 1) {
    const character = String.fromCodePoint(point);
    if (character.search(INVISIBLE) === -1) continue;
    count += 1;
    if (!mayHaveInvisible(`a${character}b`)) missed.push(point.toString(16));
  }
  expect(missed).toEqual([]);
  expect(count).toBeGreaterThan(4000);
});

it('ordinary texts have none', () => {
  expect(mayHaveInvisible('größe “x” — 日本 😀 привет\r\n\tmore')).toBe(false);
});
