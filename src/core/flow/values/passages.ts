import { PASSAGE, type RollingHash } from './rolling-hash.ts';

/** Of this many passages in a row at least one is remembered: a text of 24 + 8 - 1 letters and digits that is the same is found. */
const WINDOW = 8;

export interface PassageVisitor {
  /** A passage that is remembered. */
  passage(mark: number): void;
  /** @param end mark of the last passage or piece of the line, whichever fits into it */
  line(mark: number, end: number): void;
}

/**
 * Chooses passages by the smallest hash of each window, the winnowing of Schleimer et al. ("Winnowing: local algorithms for document
 * fingerprinting", 2003), so that the choice in a text does not depend on what is around it.
 *
 * @param text in lower case
 * @param hash goes on from what it was given before, so that a table's cells follow each other
 */
export function visitPassages(text: string, hash: RollingHash, visitor: PassageVisitor): void {
  for (let index = hash.read(text, 0); ; index = hash.read(text, index)) {
    for (const { mark, last, letters } of hash.lines)
      visitor.line(mark, letters >= PASSAGE ? hash.passage(last) : hash.piece(last));
    // Windows start anew with each block: there are a few more passages then, and none less.
    choose(hash, visitor);
    if (index > text.length) return;
  }
}

function choose(hash: RollingHash, visitor: PassageVisitor): void {
  const start = Math.max(hash.from - WINDOW + 1, PASSAGE - 1);
  let leastAt = -1;
  let least = 0;
  for (let at = start; at < hash.to; at += 1) {
    const next = hash.passageLow(at);
    if (leastAt === -1 || next <= least) {
      least = next;
      leastAt = at;
      visitor.passage(hash.passage(at));
    } else if (at - leastAt >= WINDOW) {
      // The least has left the window, and the next one after it counts.
      leastAt = at;
      least = next;
      for (let other = at - 1; other > at - WINDOW; other -= 1) {
        const low = hash.passageLow(other);
        if (low >= least) continue;
        leastAt = other;
        least = low;
      }
      visitor.passage(hash.passage(leastAt));
    }
  }
}
