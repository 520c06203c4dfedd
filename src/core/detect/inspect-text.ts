import { SEVERITIES, type Severity } from '../finding.ts';
import { type Hit, matchRules, RuleIndex } from './engine/match-rules.ts';
import { readClauses, type ReadText, type ToolNames } from './engine/read-clauses.ts';
import type { Rule } from './engine/rule.ts';
import { type Scored, scoreHits } from './engine/score-hits.ts';
import { Vocabulary } from './engine/vocabulary.ts';
import { matchAt } from './match-at.ts';
import type { Normalised } from './normalise/normalise.ts';
import { RULES } from './rules/rules.ts';
import type { Detection, DetectionMatch } from './types.ts';
import { ENGLISH } from './words/english.ts';
import { FURTHER_LANGUAGES } from './words/further-languages.ts';
import { WRITTEN_WITH_SPACES, WRITTEN_WITHOUT_SPACES } from './words/languages.ts';

let vocabulary: Vocabulary | undefined;

/** The context of an inspected text. */
export interface TextSettings {
  readonly field: string;
  readonly isName: boolean;
  /** True if it stands where no order should. */
  readonly isOdd: boolean;
  /** The weights to use: those for definitions, or those for incoming texts. */
  readonly as: 'definition' | 'text';
  readonly names: ToolNames;
  readonly rules: WordRules;
  /** Called for each clause with a hit. A known one is skipped, as the same sentence was found elsewhere. */
  readonly isKnown: (clause: string) => boolean;
}

/** The rules on words that are on. */
export interface WordRules {
  readonly ofTexts: RuleIndex;
  readonly ofNames: RuleIndex;
  readonly vocabulary: Vocabulary;
}

/** Factor for text that was hidden, or stands where it does not belong. */
const ODD = 1.5;
const MOST_MATCHES = 3;
const MOST_TEXT = 200;
const MOST_CONTEXT = 50;

/** @param isOn takes a rule, and the index of one of its ways */
export function selectRules(isOn: (rule: Rule, way: number) => boolean): WordRules {
  const on = RULES.map((rule) => ({ ...rule, ways: rule.ways.filter((_, way) => isOn(rule, way)) })).filter(
    ({ ways }) => ways.length > 0,
  );
  return {
    ofTexts: new RuleIndex(on.filter(({ isOfNames }) => !isOfNames)),
    ofNames: new RuleIndex(on.filter(({ isOfNames }) => isOfNames)),
    vocabulary: knownWords(),
  };
}

/** Applies the word rules to one text, visible or hidden: one detection for each rule. */
export function inspectWords(text: string, { plain, at, hidden, origins }: Normalised, settings: TextSettings): Detection[] {
  const found = detectionsIn(plain, settings, (start, end) => matchAt(text, at(start), at(end)));
  if (hidden.length === 0) return found;
  const decoded = hidden.flatMap((inner, index) => {
    const { position = 0, hiding = 'encoding' } = origins[index] ?? {};
    // Identifiers in programs are joined words as well, and nothing odd.
    return detectionsIn(inner, hiding === 'joined' ? settings : { ...settings, isOdd: true }, (start, end) => ({
      text: inner.slice(start, Math.min(end, start + MOST_TEXT)),
      position,
      context: inner.slice(Math.max(0, start - MOST_CONTEXT), Math.min(end, start + MOST_TEXT) + MOST_CONTEXT),
      decoded: hiding,
    }));
  });
  return found.concat(decoded);
}

function detectionsIn(
  plain: string,
  settings: TextSettings,
  toMatch: (start: number, end: number) => DetectionMatch,
): Detection[] {
  const { isName, isOdd, as, names, rules, isKnown, field } = settings;
  const read = readClauses(plain, rules.vocabulary, names);
  const hits = matchRules(read, isName ? rules.ofNames : rules.ofTexts);
  if (hits.length === 0) return [];
  const pointsOf = ({ rule, share }: Hit): number =>
    (as === 'definition' ? rule.definition : rule.text) * share * (isOdd ? ODD : 1);
  const scored = scoreHits(
    hits.filter(({ clause }) => !isKnown(textOf(plain, read, clause))),
    pointsOf,
  );
  return [...Map.groupBy(scored, ({ hit }) => hit.rule)].map(([rule, all]) => ({
    rule: rule.id,
    family: rule.family,
    severity: mostSevere(all),
    description: rule.says,
    field,
    matches: all
      .slice(0, MOST_MATCHES)
      .map(({ hit }) => toMatch(read.tokens.starts[hit.first] ?? 0, read.tokens.ends[hit.last] ?? 0)),
  }));
}

function textOf(plain: string, { clauses, tokens }: ReadText, index: number): string {
  const clause = clauses[index];
  return clause === undefined ? '' : plain.slice(tokens.starts[clause.from], tokens.ends[clause.to - 1]);
}

function mostSevere(scored: readonly Scored[]): Severity {
  return scored.reduce<Severity>(
    (most, { severity }) => (SEVERITIES.indexOf(severity) > SEVERITIES.indexOf(most) ? severity : most),
    'low',
  );
}

/** The vocabulary of all rules. Created on first use, as it takes some milliseconds. */
export function knownWords(): Vocabulary {
  vocabulary ??= new Vocabulary(ENGLISH, [WRITTEN_WITH_SPACES, FURTHER_LANGUAGES], WRITTEN_WITHOUT_SPACES);
  return vocabulary;
}
