import { endOf, type Glob } from '../patterns/glob.ts';
import { toSlashes } from './absolute-path.ts';
import { isInPiece, type Pieces, type Search } from './pieces.ts';
import { slashPieces } from './shorten-path.ts';

/** A reading of a long text, folded as file names are. */
export interface LongReading {
  readonly pieces: Pieces;
  /** True if it is read with `/` for `\` as well. */
  readonly isSlashed: boolean;
}

/** Tells whether any of the globs matches any of the readings. Linear in the readings. */
export function matchesLong(readings: readonly LongReading[], globs: Iterable<Glob>): boolean {
  const all = [...new Set(globs)];
  const search = searchFor(all.filter(isOpen));
  return readings.some(({ pieces, isSlashed }) => {
    const likely = likelyIn(pieces, all, search);
    if (likely.length === 0) return false;
    return matchesPieces(pieces, likely) || (isSlashed && matchesPieces(slashPieces(pieces), likely));
  });
}

function matchesPieces(pieces: Pieces, globs: readonly Glob[]): boolean {
  let runs = globs.map((glob) => glob.open());
  for (const piece of pieces) {
    const answers = runs.map((run) => run.feed(piece));
    if (answers.includes(true)) return true;
    if (answers.includes(false)) runs = runs.filter((_, at) => answers[at] === undefined);
    if (runs.length === 0) return false;
  }
  return runs.some((run) => run.end());
}

/** Characters seen of a reading's beginning and of its end. */
const MOST_SEEN = 4096;

/**
 * The globs that may match a reading, or what it is with `/` for `\`: by how it begins and ends and, of those that leave both open, which
 * most are, by whether any of their texts is in it. One look for all of them takes as long as one look for one.
 */
function likelyIn(pieces: Pieces, globs: readonly Glob[], search: Search): readonly Glob[] {
  let head = '';
  let tail = '';
  let isFound = false;
  for (const piece of pieces) {
    if (head.length < MOST_SEEN) head = (head + piece).slice(0, MOST_SEEN);
    isFound ||= isInPiece(search, tail, piece);
    tail = endOf(tail, piece, Math.max(MOST_SEEN, search.longest));
  }
  const fits = createFits(head, tail);
  return globs.filter((glob) => (isFound || !isOpen(glob)) && fits(glob));
}

/** Searches for any of the texts that the globs have in them, with separators of either kind. */
function searchFor(globs: readonly Glob[]): Search {
  const texts = globs.map(({ longestText }) => longestText);
  return { pattern: new RegExp(texts.map(toPattern).join('|')), longest: Math.max(1, ...texts.map(({ length }) => length)) };
}

function isOpen({ literalPrefix, literalSuffix }: Glob): boolean {
  return literalPrefix === '' && literalSuffix === '';
}

const SEPARATOR = '[/\\\\]';

function toPattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]/\\]/g, (character) => (SLASHED.test(character) ? SEPARATOR : `\\${character}`));
}

const SLASHED = new RegExp(SEPARATOR);

/** Says whether a glob can match by how the text begins and ends, with its separators as they are or with `/` for `\`. */
function createFits(head: string, tail: string): (glob: Glob) => boolean {
  const [heads, tails] = [head, tail].map((end) => [end, toSlashes(end)]) as [string[], string[]];
  return ({ literalPrefix, literalSuffix }) =>
    (literalPrefix.length > MOST_SEEN || heads.some((first) => first.startsWith(literalPrefix))) &&
    (literalSuffix.length > MOST_SEEN || tails.some((last) => last.endsWith(literalSuffix)));
}
