import { describe, expect, it } from 'vitest';
import { visitPassages } from '../../../../src/core/flow/values/pieces.ts';
import { RollingHash } from '../../../../src/core/flow/values/rolling-hash.ts';
import { hasher } from './memory.ts';
import { randomBytes } from './random-bytes.ts';

function passagesOf(...texts: readonly string[]): { readonly passages: ReadonlySet<number>; readonly lines: readonly number[] } {
  const passages = new Set<number>();
  const lines: number[] = [];
  const hash = new RollingHash(hasher);
  for (const text of texts)
    visitPassages(text, hash, { passage: (mark) => passages.add(mark), line: (mark) => lines.push(mark) });
  return { passages, lines };
}

describe('visitPassages', () => {
  it('chooses at least one passage of each 31 letters and digits, in texts of any length', () => {
    const text = randomBytes(9000).toString('hex');
    const { passages } = passagesOf(text);
    expect(passages.size).toBeLessThan(text.length / 3.5);
    for (let start = 0; start + 31 <= text.length; start += 37) {
      const inPart = new Set<number>();
      const hash = new RollingHash(hasher);
      hash.read(text.slice(start, start + 31), 0);
      for (let at = 23; at < hash.to; at += 1) inPart.add(hash.passage(at));
      expect([...inPart].some((mark) => passages.has(mark))).toBe(true);
    }
  });

  it('goes on from one text to the next', () => {
    expect(passagesOf('grandma hides her', 'ring in the blue tin').passages).toEqual(
      passagesOf('grandma hides her ring in the blue tin').passages,
    );
  });

  it('gives the lines that are long enough', () => {
    const { lines } = passagesOf('grandma hides her ring\nshort\n  - Grandma hides HER ring!'.toLowerCase());
    expect(lines).toHaveLength(2);
    expect(lines[0]).toBe(lines[1]);
  });
});
