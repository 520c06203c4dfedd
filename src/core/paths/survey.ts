import { toSlashes } from './absolute-path.ts';
import { endOf } from '../patterns/glob.ts';
import { isInPiece, type Pieces, type Search } from './pieces.ts';
import { shortenPath } from './shorten-path.ts';

/** Facts about a long text that comes in pieces, gathered without keeping it. */
export interface Survey {
  readonly hasNul: boolean;
  readonly hasBackslash: boolean;
  /** True if something in it is percent-encoded. */
  readonly hasEncoded: boolean;
  /** Its first characters after white space and control characters, which URL parsers drop. */
  readonly lead: string;
  /** The text shortened as a path, as it is and with `/` for `\` if it has any; undefined for what is too long. */
  readonly paths: readonly (string | undefined)[];
}

/** Number of characters that show a URL's scheme. */
const SCHEME = 8;

const ENCODED: Search = { pattern: /%[\da-f]{2}/i, longest: 3 };

/** Walks through the pieces twice, or three times where they have backslashes. */
export function surveyPieces(pieces: Pieces): Survey {
  let [hasNul, hasBackslash, hasEncoded] = [false, false, false];
  let lead = '';
  let end = '';
  for (const piece of pieces) {
    hasNul ||= piece.includes('\0');
    hasBackslash ||= piece.includes('\\');
    hasEncoded ||= isInPiece(ENCODED, end, piece);
    end = endOf(end, piece, 2);
    // oxlint-disable-next-line no-control-regex
    if (lead.length < SCHEME) lead = (lead + piece).replace(/^[\0-\x20]+/, '').slice(0, SCHEME);
  }
  const paths = [shortenPath(pieces)];
  if (hasBackslash) paths.push(shortenPath(slashPieces(pieces)));
  return { hasNul, hasBackslash, hasEncoded, lead, paths };
}

export function* slashPieces(pieces: Pieces): Generator<string, void> {
  for (const piece of pieces) yield toSlashes(piece);
}
