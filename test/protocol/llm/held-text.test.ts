import fc from 'fast-check';
import { expect, it } from 'vitest';
import { HeldText } from '../../../src/protocol/llm/held-text.ts';

const PIECE = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.constantFrom('é'.repeat(40_000), 'a'.repeat(70_000), '\ud83c', '\udfd4', '', 'x'.repeat(300_000)),
);

it('is all of its pieces in a row, once', () => {
  fc.assert(
    fc.property(fc.array(PIECE, { maxLength: 12 }), (pieces) => {
      const text = new HeldText();
      for (const piece of pieces) text.add(piece);
      const all = pieces.join('');
      expect([text.isSame(all), text.isSame(`${all}x`), all !== '' && text.isSame(all.slice(1))]).toEqual([true, false, false]);
      expect([text.read() === all, text.read() === all]).toEqual([true, true]);
      expect(text.take() === all).toBe(true);
      expect(text.take()).toBe('');
    }),
  );
});

it('can be used again, and forgets what is cleared', () => {
  const text = new HeldText();
  text.add('a'.repeat(100_000));
  text.clear();
  text.add('b');
  expect(text.take()).toBe('b');
});

it('is all of what is more than one piece of memory takes', () => {
  const text = new HeldText();
  const pieces = Array.from({ length: 70 }, (_, i) => String.fromCodePoint(97 + (i % 26)).repeat(1024 * 1024));
  for (const piece of [...pieces, '語', 'end']) text.add(piece);
  expect(text.take() === `${pieces.join('')}語end`).toBe(true);
});
