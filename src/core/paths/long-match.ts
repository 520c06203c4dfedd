import type { GlobRun } from '../patterns/glob-automaton.ts';
import type { Glob } from '../patterns/glob.ts';
import { type PathContext, toSlashes } from './absolute-path.ts';
import { PieceFolder } from './fold-path.ts';
import { type UrlPlan, UrlTidier } from './long-url.ts';
import { walkRounds } from './percent.ts';
import { chainStages, type Stage } from './pieces.ts';
import { MOST_SEEN, type Survey } from './survey.ts';

/** A long URL, as parsers tidy what a round of decoding gives. */
export interface LongUrl {
  readonly round: number;
  readonly plan: UrlPlan;
  /** What is known of the tidied URL. */
  readonly survey: Survey;
}

export interface Surveyed {
  /** What is known of each round of decoding. */
  readonly surveys: readonly Survey[];
  /** What the rounds give, where it is there as a whole. */
  readonly wholes: readonly (string | undefined)[];
  /** What URL parsers make of them, where that is long too. */
  readonly urls: readonly LongUrl[];
  readonly platform: PathContext['platform'];
}

/** One reading of the text on its way through globs that may yet match it. */
interface Reading {
  readonly round: number;
  /** Makes the reading of what decoding gives. */
  readonly stage: Stage;
  runs: GlobRun[];
}

const SLASHES: Stage = { push: toSlashes, end: () => '' };

/** Matches everything that a long text is read as, in pieces. */
export class LongMatch {
  readonly #text: string;
  readonly #known: Surveyed;

  constructor(text: string, known: Surveyed) {
    this.#text = text;
    this.#known = known;
  }

  matches(globs: Iterable<Glob>): boolean {
    const { surveys, wholes, platform } = this.#known;
    const all = [...new Set(globs)];
    // Where file names are folded, so would the texts have to be.
    const likely = surveys.map((survey, round) => (platform === 'posix' ? likelyIn(wholes[round], survey, all) : all));
    if (platform === 'posix' && likely[0]?.some((glob) => glob.matches(this.#text)) === true) return true;
    return this.#walk(this.#readings(all, likely).filter(({ runs }) => runs.length > 0));
  }

  /** @param likely of the globs, those that may match what each round gives */
  #readings(globs: readonly Glob[], likely: readonly (readonly Glob[])[]): Reading[] {
    const { surveys, urls, platform } = this.#known;
    const isFolding = platform !== 'posix';
    const open = (round: number, stages: readonly Stage[], wanted: readonly Glob[]): Reading => ({
      round,
      stage: chainStages(isFolding ? [...stages, new PieceFolder(platform)] : stages),
      runs: wanted.map((glob) => glob.open()),
    });
    const readings = urls.map(({ round, plan, survey }) =>
      open(round, [new UrlTidier(plan)], isFolding ? globs : globs.filter(createFits(survey))),
    );
    for (const [round, survey] of surveys.entries()) {
      const wanted = likely[round] ?? globs;
      // The text as it is needs no pieces.
      if (round > 0 || isFolding) readings.push(open(round, [], wanted));
      if (survey.hasBackslash) readings.push(open(round, [SLASHES], wanted));
    }
    return readings;
  }

  #walk(readings: readonly Reading[]): boolean {
    if (readings.length === 0) return false;
    let isFound = false;
    const visit = (piece: string, round: number): boolean => {
      for (const reading of readings) if (reading.round === round) isFound ||= feed(reading, piece);
      return isFound;
    };
    walkRounds(this.#text, visit, Math.max(...readings.map(({ round }) => round)));
    if (isFound) return true;
    return readings.some(({ stage, runs }) => {
      const rest = stage.end();
      return runs.some((run) => (rest === '' ? undefined : run.feed(rest)) ?? run.end());
    });
  }
}

/** @returns whether a glob matches, whatever comes */
function feed(reading: Reading, piece: string): boolean {
  if (reading.runs.length === 0) return false;
  const text = reading.stage.push(piece);
  if (text === '') return false;
  const undecided: GlobRun[] = [];
  for (const run of reading.runs) {
    const answer = run.feed(text);
    if (answer === true) return true;
    if (answer === undefined) undecided.push(run);
  }
  reading.runs = undecided;
  return false;
}

/**
 * The globs that may match a text, or what it is with `/` for `\`: by how it begins and ends and, of those that leave both open, which most are, by
 * whether any of their texts is in it. One look for all of them takes as long as one look for one.
 *
 * @param whole undefined where it is not there
 */
function likelyIn(whole: string | undefined, survey: Survey, globs: readonly Glob[]): readonly Glob[] {
  const fitting = globs.filter(createFits(survey));
  const texts = fitting.flatMap((glob) => (isOpen(glob) ? [toPattern(glob.longestText)] : []));
  if (whole === undefined || texts.length === 0 || new RegExp(texts.join('|')).test(whole)) return fitting;
  return fitting.filter((glob) => !isOpen(glob));
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
function createFits({ head, tail }: Survey): (glob: Glob) => boolean {
  const [heads, tails] = [head, tail].map((end) => [end, toSlashes(end)]) as [string[], string[]];
  return ({ literalPrefix, literalSuffix }) =>
    (literalPrefix.length > MOST_SEEN || heads.some((first) => first.startsWith(literalPrefix))) &&
    (literalSuffix.length > MOST_SEEN || tails.some((last) => last.endsWith(literalSuffix)));
}
