import { toSlashes } from './absolute-path.ts';
import { foldPath, PieceFolder } from './fold-path.ts';
import type { GlobRun } from './glob-automaton.ts';
import type { Glob } from './glob.ts';
import type { PathContext } from './path-context.ts';
import { walkRounds } from './percent-rounds.ts';
import type { Stage } from './pieces.ts';
import { MOST_SEEN, type Survey } from './survey.ts';

export interface Surveyed {
  /** What is known of each round of decoding. */
  readonly surveys: readonly Survey[];
  /** What URL parsers make of them. */
  readonly urls: readonly string[];
  readonly platform: PathContext['platform'];
}

/** One reading of the text on its way through globs that may yet match it. */
interface Reading {
  readonly isSlashed: boolean;
  readonly folder: Stage | undefined;
  runs: GlobRun[];
}

/** Matches everything that a long text is read as, in pieces. */
export class LongMatch {
  readonly #text: string;
  readonly #known: Surveyed;

  constructor(text: string, known: Surveyed) {
    this.#text = text;
    this.#known = known;
  }

  matches(globs: Iterable<Glob>): boolean {
    const { surveys, urls, platform } = this.#known;
    const all = [...new Set(globs)];
    for (const url of urls) {
      const folded = foldPath(url, platform);
      if (all.some((glob) => glob.matches(folded))) return true;
    }
    const isFolding = platform !== 'posix';
    if (!isFolding && all.some((glob) => glob.matches(this.#text))) return true;
    const readings = surveys.map((survey, round): Reading[] => {
      const open = (isSlashed: boolean): Reading => {
        const likely = isFolding ? all : all.filter((glob) => fits(glob, survey, isSlashed));
        return { isSlashed, folder: isFolding ? new PieceFolder(platform) : undefined, runs: likely.map((glob) => glob.open()) };
      };
      const asIs = round > 0 || isFolding ? [open(false)] : [];
      return (survey.hasBackslash ? [...asIs, open(true)] : asIs).filter(({ runs }) => runs.length > 0);
    });
    return this.#walk(readings);
  }

  #walk(readings: readonly Reading[][]): boolean {
    if (readings.every(({ length }) => length === 0)) return false;
    let isFound = false;
    walkRounds(this.#text, (piece, round) => {
      for (const reading of readings[round] ?? []) isFound ||= feed(reading, piece);
      return isFound;
    });
    if (isFound) return true;
    return readings.flat().some(({ folder, runs }) => {
      const rest = folder?.end() ?? '';
      return runs.some((run) => (rest === '' ? undefined : run.feed(rest)) ?? run.end());
    });
  }
}

/** @returns whether a glob matches, whatever comes */
function feed(reading: Reading, piece: string): boolean {
  if (reading.runs.length === 0) return false;
  const slashed = reading.isSlashed ? toSlashes(piece) : piece;
  const text = reading.folder === undefined ? slashed : reading.folder.push(slashed);
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
