import { toSlashes } from './absolute-path.ts';
import { PieceFolder } from './fold-path.ts';
import type { GlobRun } from './glob-automaton.ts';
import type { Glob } from './glob.ts';
import type { PathContext } from './path-context.ts';
import { walkRounds } from './percent-rounds.ts';
import { type UrlPlan, UrlTidier } from './long-url.ts';
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
    const all = [...new Set(globs)];
    if (this.#known.platform === 'posix' && all.some((glob) => glob.matches(this.#text))) return true;
    return this.#walk(this.#readings(all).filter(({ runs }) => runs.length > 0));
  }

  #readings(globs: readonly Glob[]): Reading[] {
    const { surveys, urls, platform } = this.#known;
    const isFolding = platform !== 'posix';
    const open = (round: number, survey: Survey, stages: readonly Stage[]): Reading => {
      // Where file names are folded, so would the beginning and the end have to be.
      const likely = isFolding ? globs : globs.filter((glob) => fits(glob, survey, stages.includes(SLASHES)));
      return {
        round,
        stage: chainStages(isFolding ? [...stages, new PieceFolder(platform)] : stages),
        runs: likely.map((glob) => glob.open()),
      };
    };
    const readings = urls.map(({ round, plan, survey }) => open(round, survey, [new UrlTidier(plan)]));
    for (const [round, survey] of surveys.entries()) {
      // The text as it is needs no pieces.
      if (round > 0 || isFolding) readings.push(open(round, survey, []));
      if (survey.hasBackslash) readings.push(open(round, survey, [SLASHES]));
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

/** Can the glob match by how the text begins and ends? */
function fits({ literalPrefix, literalSuffix }: Glob, { head, tail }: Survey, isSlashed: boolean): boolean {
  const [first, last] = isSlashed ? [toSlashes(head), toSlashes(tail)] : [head, tail];
  return (
    (literalPrefix.length > MOST_SEEN || first.startsWith(literalPrefix)) &&
    (literalSuffix.length > MOST_SEEN || last.endsWith(literalSuffix))
  );
}
