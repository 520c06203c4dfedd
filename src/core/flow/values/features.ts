import { NUMBER, visitNumbers } from './numbers.ts';
import { PASSAGE, PIECE, RollingHash } from './rolling-hash.ts';
import type { ValueHasher } from './value-hasher.ts';

export type FeatureKind = 'number' | 'piece' | 'passage' | 'line';

/** Receives the values in a text that may have been remembered. */
export interface FeatureVisitor {
  /** Tells whether a mark with these first bits may matter: a quick check at each letter of a text. */
  mayMatter(low: number): boolean;
  /** @param mark of the value @param start position in the text */
  visit(kind: FeatureKind, mark: number, start: number, end: number): void;
}

const hashes = new WeakMap<ValueHasher, RollingHash>();

/** Visits every run of nine digits, of twelve and of twenty-four letters and digits, and every line of a text. @param text in lower case */
export function visitFeatures(text: string, hasher: ValueHasher, visitor: FeatureVisitor): void {
  visitNumbers(text, (value, start, end) => visitor.visit('number', hasher.numberMark(value), start, end), NUMBER);
  const hash = takeHash(hasher);
  try {
    hash.reset();
    for (let index = hash.read(text, 0); ; index = hash.read(text, index)) {
      for (const { mark, start, end } of hash.lines) visitor.visit('line', mark, start, end);
      for (let at = Math.max(hash.from, PIECE - 1); at < hash.to; at += 1) {
        if (visitor.mayMatter(hash.pieceLow(at))) {
          visitor.visit('piece', hash.piece(at), hash.placeOf(at - PIECE + 1), hash.placeOf(at) + 1);
        }
        if (at >= PASSAGE - 1 && visitor.mayMatter(hash.passageLow(at))) {
          visitor.visit('passage', hash.passage(at), hash.placeOf(at - PASSAGE + 1), hash.placeOf(at) + 1);
        }
      }
      if (index > text.length) return;
    }
  } finally {
    hashes.set(hasher, hash);
  }
}

/** Takes the cached hash, whose arrays are worth keeping. A visitor may read another text meanwhile, and then gets one of its own. */
function takeHash(hasher: ValueHasher): RollingHash {
  const found = hashes.get(hasher);
  hashes.delete(hasher);
  return found ?? new RollingHash(hasher);
}
