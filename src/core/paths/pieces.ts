/** Characters of a piece: small enough to live among V8's young objects, so that millions of them never pile up. */
export const PIECE = 8192;

/** A text in pieces, none of which ends within a surrogate pair. It can be walked through again and again. */
export type Pieces = Iterable<string>;

/** Pieces that stay in memory, or that are made again for each walk. */
export function toPieces(make: () => Pieces, isKept: boolean): Pieces {
  return isKept ? [...make()] : { [Symbol.iterator]: () => make()[Symbol.iterator]() };
}

/** Tells whether the pattern is in a piece, or across the border to what came before. Joined, both would have to be copied. */
export function isInPiece({ pattern, longest }: Search, before: string, piece: string): boolean {
  const most = longest - 1;
  return pattern.test(piece) || (most > 0 && pattern.test(before.slice(-most) + piece.slice(0, most)));
}

export interface Search {
  readonly pattern: RegExp;
  /** Characters that it matches at most. */
  readonly longest: number;
}
