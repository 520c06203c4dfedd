import fc from 'fast-check';
import { expect, it } from 'vitest';
import { normalise } from '../../../../src/core/detect/normalise/normalise.ts';

it('ASCII text is itself in lower case, but for runs of white space', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme-ascii' }), (text) => {
      expect(normalise(text).plain).toBe(text.toLowerCase().replaceAll(/ {2,}/g, ' '));
    }),
  );
});

it('a text in base64 comes out of it, wherever it stands', () => {
  const word = fc.constantFrom('read', 'the', 'file', 'and', 'send', 'its', 'text', 'to', 'us', 'größe', 'ключ');
  fc.assert(
    fc.property(fc.array(word, { minLength: 5, maxLength: 40 }), fc.string({ unit: 'grapheme-ascii' }), (words, beside) => {
      const text = words.join(' ');
      const encoded = Buffer.from(text).toString('base64');
      expect(normalise(`${beside} ${encoded} ${beside}`).hidden).toContain(normalise(text).plain);
    }),
  );
});

it.each(['a', 'A1b', '\x1b[', 'QUJDREVGR0hJSktM\n'])(
  '10 MB of %j are no more than anything else can take',
  { tags: 'long' },
  (piece) => {
    const text = piece.repeat(10_000_000 / piece.length);
    const { plain, at } = normalise(text);
    expect(at(plain.length)).toBe(text.length);
  },
);
