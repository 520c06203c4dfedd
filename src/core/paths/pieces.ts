/** Characters of a piece: small enough to live among V8's young objects, so that millions of them never pile up. */
export const PIECE = 8192;

/** A text in pieces, none of which ends within a surrogate pair. It can be walked through again and again. */
export type Pieces = Iterable<string>;

/** Pieces that stay in memory, or that are made again for each walk. */
export function toPieces(make: () => Pieces, isKept: boolean): Pieces {
  return isKept ? [...make()] : { [Symbol.iterator]: () => make()[Symbol.iterator]() };
}

export function* cutIntoPieces(text: string): Generator<string, void> {
  for (let start = 0; start < text.length;) {
    let end = Math.min(start + PIECE, text.length);
    if (end < text.length && isSurrogate(text, end - 1, 0xd800) && isSurrogate(text, end, 0xdc00)) end += 1;
    yield text.slice(start, end);
    start = end;
  }
}

function isSurrogate(text: string, at: number, half: 0xd800 | 0xdc00): boolean {
  return (text.charCodeAt(at) & 0xfc00) === half;
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
