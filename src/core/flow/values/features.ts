import { visitNumbers } from './numbers.ts';
import { visitLines } from './passages.ts';
import { PASSAGE, PIECE, RollingHash } from './rolling-hash.ts';
import type { ValueHasher } from './value-hasher.ts';

export type FeatureKind = 'number' | 'piece' | 'passage' | 'line';

/** What is told of each value that may have been remembered: its mark, and where it stands in the text. */
export type FeatureVisitor = (kind: FeatureKind, mark: number, start: number, end: number) => void;

/** Every run of nine digits, of twelve and of twenty-four letters and digits, and every line of a text. @param text in lower case */
export function visitFeatures(text: string, hasher: ValueHasher, visit: FeatureVisitor): void {
  const hash = new RollingHash(hasher);
  visitNumbers(text, (value, start, end) => visit('number', hasher.numberMark(value), start, end));
  visitLines(
    text,
    hash,
    (mark, start, end) => visit('line', mark, start, end),
    (place) => {
      visit('piece', hash.piece(), hash.placeOf(PIECE - 1), place + 1);
      if (hash.count >= PASSAGE) visit('passage', hash.passage(0), hash.placeOf(PASSAGE - 1), place + 1);
    },
  );
}
