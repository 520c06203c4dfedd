import type { Glob } from '../patterns/glob.ts';
import { foldPieces, type PathContext } from './absolute-path.ts';
import { type LongReading, matchesLong } from './long-match.ts';
import { withoutWrapping } from './path-readings.ts';
import { decodePieces, MOST_ROUNDS } from './percent.ts';
import { cutIntoPieces } from '../json.ts';
import { PIECE, type Pieces, toPieces } from './pieces.ts';
import { MAX_REAL_PATH, shortenPath, type Survey, surveyPieces } from './shorten-path.ts';

export { MAX_REAL_PATH } from './shorten-path.ts';

/** The readings of a text that is too long for a path, and may yet be a spelling of one. */
export interface LongReadings {
  /** The spellings without what normalising removes, if that left something that can be a path or a URL. */
  readonly short: readonly string[];
  /** True if every way of reading the text gave a short spelling. */
  readonly isPath: boolean;
  readonly hasNul: boolean;
  /**
   * Tells whether any of the globs matches the text, or one of the about as long texts that servers make of it: decoded, with `/` for `\`,
   * tidied as a URL; folded as file names are. Costs a walk through the text.
   */
  matches(globs: Iterable<Glob>): boolean;
}

/**
 * Reads a long text. Most are contents and not paths, so they get a few readings instead of dozens. Linear in time.
 *
 * A text may have tens of megabytes, of which every copy counts. Of one with more than `mostKept` characters none is kept: what servers
 * make of it is made again in pieces for each look. Only a URL is tidied as a whole. That takes up to three bytes more for each byte that
 * the text has in UTF-8, and up to ten where all of it has to be encoded; they are given back before the next look.
 *
 * @param mostKept characters of a text whose readings are kept while it is decided on
 */
export function readLongText(text: string, { platform }: PathContext, mostKept: number = MOST_KEPT): LongReadings {
  const isKept = text.length <= mostKept;
  const short = new Set<string>();
  const long: LongReading[] = [];
  let isPath = true;
  const addPath = (path: string | undefined): void => {
    if (path === undefined) isPath = false;
    else short.add(path);
  };
  const addLong = (pieces: Pieces, isSlashed: boolean): void => {
    const folded = platform === 'posix' ? pieces : toPieces(() => foldPieces(pieces, platform), isKept);
    long.push({ pieces: folded, isSlashed });
  };
  const inside = withoutWrapping(text);
  if (inside.length <= MAX_REAL_PATH) short.add(inside);
  const rounds = readRounds(text, isKept);
  for (const { pieces, survey } of rounds) {
    for (const path of survey.paths) addPath(path);
    addLong(pieces, survey.hasBackslash);
    if (!SPECIAL_URL.test(survey.lead)) continue;
    const url = toPieces(() => tidyUrlPieces(pieces), isKept);
    const whole = joinShort(url);
    if (whole === '') continue;
    addPath(whole ?? shortenPath(url));
    if (whole === undefined) addLong(url, false);
  }
  return {
    short: [...short],
    isPath,
    hasNul: rounds.some(({ survey }) => survey.hasNul),
    matches: (globs) => matchesLong(long, globs),
  };
}

/**
 * Longest text whose readings are kept. They take some 100 MiB at most, and only for a text made for it: a URL that is encoded four times
 * and has no ASCII.
 */
const MOST_KEPT = 2 * 1024 * 1024;

/** URLs that parsers tidy (WHATWG URL §4.2); of a letter that begins with "Note:" they would make nothing that a server opens. */
const SPECIAL_URL = /^(?:https?|wss?|ftp|file):/i;

interface Round {
  readonly pieces: Pieces;
  readonly survey: Survey;
}

/** The rounds of `decodeRounds`, in pieces. */
function readRounds(text: string, isKept: boolean): readonly Round[] {
  const rounds: Round[] = [];
  let pieces = toPieces(() => cutIntoPieces(text, PIECE), isKept);
  for (;;) {
    const survey = surveyPieces(pieces);
    rounds.push({ pieces, survey });
    if (!survey.hasEncoded || rounds.length > MOST_ROUNDS) return rounds;
    const before = pieces;
    pieces = toPieces(() => decodePieces(before), isKept);
  }
}

/** Yields the URL as parsers print it; nothing if they refuse it. */
function* tidyUrlPieces(pieces: Pieces): Generator<string, void> {
  const url = URL.parse([...pieces].join(''))?.href;
  if (url !== undefined) yield* cutIntoPieces(url, PIECE);
}

/** The text, if it is no longer than a path can be. */
function joinShort(pieces: Pieces): string | undefined {
  let text = '';
  for (const piece of pieces) {
    text += piece;
    if (text.length > MAX_REAL_PATH) return undefined;
  }
  return text;
}
