import type { Glob } from '../patterns/glob.ts';
import { LongMatch, type LongUrl } from './long-match.ts';
import { type UrlPlan, UrlPlanner, UrlTidier } from './long-url.ts';
import type { PathContext } from './absolute-path.ts';
import { withoutWrapping } from './path-readings.ts';
import { walkRounds } from './percent.ts';
import { Survey } from './survey.ts';
import { MAX_REAL_PATH } from './shorten-path.ts';

export { MAX_REAL_PATH } from './shorten-path.ts';

/** What a text is read as that is too long for a path, and may yet be a spelling of one. */
export interface LongReadings {
  /** The spellings without what normalising removes, where that left something that can be a path or a URL. */
  readonly short: readonly string[];
  /** Every way of reading the text gave a short spelling. */
  readonly isPath: boolean;
  readonly hasNul: boolean;
  /**
   * Does any of the globs match the text, or one of the about as long texts that servers make of it: decoded, with `/` for `\`, tidied
   * as a URL; folded as file names are? Costs a walk through the text.
   */
  matches(globs: Iterable<Glob>): boolean;
}

/**
 * Reads a long text. Most are contents and not paths, so they get a few readings instead of dozens: they may be tens of megabytes, of which
 * every copy counts. So none is made: what servers make of the text is made again in pieces whenever it is looked at. Linear.
 */
export function readLongText(text: string, context: PathContext): LongReadings {
  const surveys: Survey[] = [];
  const wholes: string[] = [text];
  const rounds = walkRounds(text, (piece, round) => {
    (surveys[round] ??= new Survey()).push(piece);
    if (round > 0 && text.length <= MOST_KEPT) wholes[round] = (wholes[round] ?? '') + piece;
    return false;
  });
  surveys.length = rounds + 1;
  const short = new Set<string>();
  const urls: LongUrl[] = [];
  const inside = withoutWrapping(text);
  if (inside.length <= MAX_REAL_PATH) short.add(inside);
  let isPath = true;
  const addPath = (path: string | undefined): void => {
    if (path === undefined) isPath = false;
    else short.add(path);
  };
  for (const [round, survey] of surveys.entries()) {
    for (const path of survey.paths()) addPath(path);
    if (!SPECIAL_URL.test(survey.lead)) continue;
    const plan = planUrl(text, round, survey);
    if (plan === undefined) continue;
    const url = surveyUrl(text, round, plan);
    if (url.whole === undefined) {
      urls.push({ round, plan, survey: url.survey });
      addPath(url.survey.paths()[0]);
    } else short.add(url.whole);
  }
  return {
    short: [...short],
    isPath,
    hasNul: surveys.some(({ hasNul }) => hasNul),
    matches: (globs) => new LongMatch(text, { surveys, urls, platform: context.platform, wholes }).matches(globs),
  };
}

/** Characters of a text of which what decoding gives is kept while it is decided on, so that it can be looked through at once. */
const MOST_KEPT = 2 * 1024 * 1024;

/** Those that URL parsers tidy (WHATWG URL §4.2); of a letter that begins with "Note:" they would make nothing that a server opens. */
const SPECIAL_URL = /^(?:https?|wss?|ftp|file):/i;

function planUrl(text: string, wanted: number, { solidLength }: Survey): UrlPlan | undefined {
  const planner = new UrlPlanner(solidLength);
  walkRound(text, wanted, (piece) => planner.push(piece));
  return planner.plan();
}

/** What there is to know about the tidied URL, and itself where it is no longer than a path can be. */
function surveyUrl(text: string, wanted: number, plan: UrlPlan): { readonly survey: Survey; readonly whole: string | undefined } {
  const survey = new Survey();
  let whole = '';
  const add = (piece: string): void => {
    survey.push(piece);
    if (whole.length <= MAX_REAL_PATH) whole += piece;
  };
  const tidier = new UrlTidier(plan);
  walkRound(text, wanted, (piece) => add(tidier.push(piece)));
  add(tidier.end());
  return { survey, whole: whole.length <= MAX_REAL_PATH ? whole : undefined };
}

function walkRound(text: string, wanted: number, visit: (piece: string) => void): void {
  const visitWanted = (piece: string, round: number): boolean => {
    if (round === wanted) visit(piece);
    return false;
  };
  walkRounds(text, visitWanted, wanted);
}
