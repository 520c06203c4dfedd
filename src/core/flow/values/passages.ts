import { letterKind, NOTHING } from './letters.ts';
import { PASSAGE, PIECE, type RollingHash } from './rolling-hash.ts';

/** Of this many passages in a row at least one is remembered: a text of 24 + 8 - 1 letters and digits that is the same is found. */
const WINDOW = 8;

/** Letters and digits of a short line that is remembered as a whole. */
export const SHORTEST_LINE = 16;
const NEW_LINE = 0x0a;

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
  const order = new Int32Array(WINDOW);
  let filled = 0;
  let least = 0;
  let leastAt = 0;
  const onLine = (mark: number): void => visitor.line(mark, hash.lineCount >= PASSAGE ? hash.passage(0) : hash.piece());
  visitLines(text, hash, onLine, () => {
    if (hash.count < PASSAGE) return;
    const next = hash.passageOrder();
    order[filled % WINDOW] = next;
    if (filled === 0 || next <= least) {
      least = next;
      leastAt = filled;
      visitor.passage(hash.passage(0));
    } else if (filled - leastAt >= WINDOW) {
      // The least has left the window, and the next one after it counts.
      leastAt = filled - WINDOW + 1;
      for (let at = leastAt + 1; at <= filled; at += 1) if ((order[at % WINDOW] ?? 0) <= (order[leastAt % WINDOW] ?? 0)) leastAt = at;
      least = order[leastAt % WINDOW] ?? 0;
      visitor.passage(hash.passage(filled - leastAt));
    }
    filled += 1;
  });
}

/**
 * Pushes each letter and digit of a text.
 *
 * @param onLine called with the mark of each line that has enough of them, with the place where its first one stands, and the place after its last
 * @param onPiece called with its place after each that ends a piece
 */
export function visitLines(
  text: string,
  hash: RollingHash,
  onLine: (mark: number, start: number, end: number) => void,
  onPiece: (place: number) => void,
): void {
  hash.startLine();
  let start = 0;
  let end = 0;
  for (let index = 0; index <= text.length; index += 1) {
    const code = index < text.length ? text.charCodeAt(index) : NEW_LINE;
    if (code === NEW_LINE) {
      if (hash.lineCount >= SHORTEST_LINE) onLine(hash.line(), start, end);
      hash.startLine();
      continue;
    }
    if (letterKind(code) === NOTHING) continue;
    if (hash.lineCount === 0) start = index;
    end = index + 1;
    hash.push(code, index);
    if (hash.count >= PIECE) onPiece(index);
  }
}
