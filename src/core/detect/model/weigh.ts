import type { Severity } from '../../finding.ts';
import { matchAt } from '../match-at.ts';
import type { Normalised } from '../normalise/normalise.ts';
import type { Detection, DetectionMatch } from '../types.ts';
import { findTelling, type Passage, tellingWords } from './find-telling.ts';
import type { GradedModel } from './models.ts';

/** The surroundings of a text that is weighed. */
export interface Weighing {
  readonly field: string;
  readonly model: GradedModel;
  /** Rules whose high findings need the model to bear them out. */
  readonly doubted: ReadonlySet<string>;
  /** True if what the model finds is reported, and not only what rules find. */
  readonly isReported: boolean;
  /** Called for each passage. A known one is skipped, as the same sentence was found elsewhere. */
  readonly isKnown: (passage: string) => boolean;
  /** Finds what rules on words find in this text, including what is known. */
  readonly allByRules: () => readonly Detection[];
}

/** A passage with the text that it is in. */
interface Found {
  readonly passage: Passage;
  readonly text: string;
  readonly match: DetectionMatch;
}

/** The id of what the model finds. */
export const LIKE_AN_ATTACK = 'hidden_instructions.like_an_attack';

const MOST_MATCHES = 3;
const MOST_TEXT = 200;

/**
 * Joins what rules on words found in a text with what the model says of it. Some rules flag honest texts too often, so a high finding of
 * theirs counts as such only if the model bears it out.
 *
 * @param byRules findings of rules on words in this text, but for known ones
 */
export function weigh(
  text: string,
  normalised: Normalised,
  byRules: readonly Detection[],
  { field, model, doubted, isReported, isKnown, allByRules }: Weighing,
): readonly Detection[] {
  const found = passagesIn(text, normalised, model);
  const borneOut = found.length > 0 ? byRules : byRules.map((each) => (doubted.has(each.rule) ? lowered(each) : each));
  const high = isReported ? found.filter(({ passage }) => passage.score >= model.high) : [];
  if (high.length === 0) return borneOut;
  const covering = allByRules();
  const news = high
    .filter((each) => !covering.some((rule) => covers(rule, each, model)))
    .filter((each) => !isKnown(each.text.slice(each.passage.start, each.passage.end)));
  const [first] = news;
  if (first === undefined) return borneOut;
  const { passage } = first;
  const words = tellingWords(first.text.slice(passage.start, passage.end), model).map((word) => `"${word}"`);
  return [
    ...borneOut,
    {
      rule: LIKE_AN_ATTACK,
      family: 'hidden_instructions',
      severity: severityOf(passage.score, model),
      description: `Reads like the attacks that a model was trained on, mostly by ${words.join(', ')}`,
      field,
      matches: news.slice(0, MOST_MATCHES).map(({ match }) => match),
    },
  ];
}

/** Tells whether a rule found something as severe in the same place: one finding of it is enough, and the rule's is the narrower one. */
function covers({ severity, matches }: Detection, { passage, match }: Found, model: GradedModel): boolean {
  if (severity !== 'critical' && severity !== severityOf(passage.score, model)) return false;
  const end = match.position + match.text.length;
  return matches.some(({ position, text }) => position < end && match.position < position + text.length);
}

function lowered(detection: Detection): Detection {
  return detection.severity === 'high' ? { ...detection, severity: 'medium' } : detection;
}

function severityOf(score: number, { critical }: GradedModel): Severity {
  return score >= critical ? 'critical' : 'high';
}

/** Passages of a text and of what was hidden in it, the highest first. Identifiers in programs are joined words, and hide nothing. */
function passagesIn(text: string, { plain, at, hidden, origins }: Normalised, model: GradedModel): readonly Found[] {
  const found = findTelling(plain, model, model.medium).map((passage): Found => ({
    passage,
    text: plain,
    match: matchAt(text, at(passage.start), at(passage.end)),
  }));
  for (const [index, inner] of hidden.entries()) {
    const { position = 0, hiding = 'joined' } = origins[index] ?? {};
    if (hiding === 'joined') continue;
    for (const passage of findTelling(inner, model, model.medium)) {
      const shown = inner.slice(passage.start, Math.min(passage.end, passage.start + MOST_TEXT));
      found.push({ passage, text: inner, match: { text: shown, position, context: shown, decoded: hiding } });
    }
  }
  return found.sort((one, other) => other.passage.score - one.passage.score);
}
