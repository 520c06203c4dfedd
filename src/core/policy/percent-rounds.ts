import { MOST_ROUNDS, PercentDecoder } from './percent.ts';
import { cutIntoPieces } from './pieces.ts';

const ENCODED = /%[0-9A-F]{2}/i;

/**
 * Walks through the rounds of `decodeRounds` side by side, in pieces, without ever having one as a whole. No piece ends within a
 * surrogate pair or is empty.
 *
 * @param visit is given each piece and which round it is of, the text itself being round 0; returns true to end the walk
 * @param most the last round that is wanted
 * @returns the number of the last round there is. One that says the same as the one before it may be walked through, and does not count.
 */
export function walkRounds(text: string, visit: (piece: string, round: number) => boolean, most: number = MOST_ROUNDS): number {
  const decoders = text.includes('%') && ENCODED.test(text) ? Array.from({ length: most }, () => new PercentDecoder()) : [];
  let isOver = false;
  const pass = (piece: string, round: number): void => {
    if (piece === '' || isOver) return;
    isOver = visit(piece, round);
    const decoder = decoders[round];
    if (decoder !== undefined) pass(decoder.push(piece), round + 1);
  };
  for (const piece of cutIntoPieces(text)) {
    pass(piece, 0);
    if (isOver) break;
  }
  for (const [round, decoder] of decoders.entries()) pass(decoder.end(), round + 1);
  const last = decoders.findIndex(({ hasDecoded }) => !hasDecoded);
  return last === -1 ? decoders.length : last;
}
