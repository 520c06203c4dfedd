import { matchAt } from './match-at.ts';
import { normalise } from './normalise/normalise.ts';
import type { Detection, Family, Severity } from './types.ts';
import { toConceptSet } from './engine/concepts.ts';
import { matchRules, type Hit } from './engine/match-rules.ts';
import { readClauses, type ToolNames } from './engine/read-clauses.ts';
import type { Rule } from './engine/rule.ts';
import { scoreHits } from './engine/score-hits.ts';
import { Vocabulary } from './engine/vocabulary.ts';
import { RULES } from './rules/rules.ts';
import { ENGLISH } from './words/english.ts';
import { WRITTEN_WITH_SPACES, WRITTEN_WITHOUT_SPACES } from './words/languages.ts';

/** What a text is looked at as. */
export interface TextSettings {
  readonly field: string;
  readonly isName: boolean;
  /** It stands where no order should. */
  readonly isOdd: boolean;
  /** How the rules count: as in definitions, or as in texts that come in. */
  readonly as: 'definition' | 'text';
  readonly names: ToolNames;
  readonly isOn: (rule: { readonly id: string; readonly family: Family }) => boolean;
  /** A clause that is left out, by its words: one that many definitions share. */
  readonly isKnown: (clause: string) => boolean;
}

const VOICES = { guard: toConceptSet(['guard']), example: toConceptSet(['example']) };
const WORD_RULES = RULES.filter(({ isOfNames }) => !isOfNames);
const NAME_RULES = RULES.filter(({ isOfNames }) => isOfNames);

let vocabulary: Vocabulary | undefined;

/** All that the rules on words find in one text, in plain sight or hidden. */
export function inspectWords(text: string, settings: TextSettings): readonly Detection[] {
  const { plain, at, origins, hidden } = normalise(text);
  const found = detectionsIn(plain, settings, ({ start, end }) => matchAt(text, at(start), at(end)));
  const decoded = hidden.flatMap((inner, index) => {
    const origin = origins[index];
    return detectionsIn(inner, { ...settings, isOdd: true }, ({ start, end }) => ({
      text: inner.slice(start, Math.min(end, start + 200)),
      position: origin?.position ?? 0,
      context: inner.slice(Math.max(0, start - 50), end + 50).slice(0, 300),
      decoded: origin?.hiding ?? 'encoded',
    }));
  });
  return [...found, ...decoded];
}

interface Range {
  readonly start: number;
  readonly end: number;
}

function detectionsIn(
  plain: string,
  settings: TextSettings,
  toMatch: (range: Range) => Detection['matches'][number],
): readonly Detection[] {
  vocabulary ??= new Vocabulary(ENGLISH, WRITTEN_WITH_SPACES, WRITTEN_WITHOUT_SPACES);
  const { field, isName, isOdd, as, names, isOn, isKnown } = settings;
  const read = readClauses(plain, vocabulary, names);
  const rules = (isName ? NAME_RULES : WORD_RULES).filter(isOn);
  const hits = matchRules(read, rules, VOICES).filter((hit) => {
    const clause = read.clauses[hit.clause];
    if (clause === undefined) return false;
    return !isKnown(plain.slice(read.tokens.starts[clause.from], read.tokens.ends[clause.to - 1]));
  });
  const pointsOf = ({ rule, share }: Hit): number =>
    (as === 'definition' ? rule.definition : rule.text) * share * (isOdd ? ODD : 1);
  const byRule = new Map<string, { rule: Rule; severity: Severity; hits: Hit[] }>();
  for (const { hit, severity } of scoreHits(hits, pointsOf)) {
    const known = byRule.get(hit.rule.id);
    if (known === undefined) byRule.set(hit.rule.id, { rule: hit.rule, severity, hits: [hit] });
    else {
      known.hits.push(hit);
      if (rank(severity) > rank(known.severity)) known.severity = severity;
    }
  }
  return [...byRule.values()].map(({ rule, severity, hits: all }) => ({
    rule: rule.id,
    family: rule.family,
    severity,
    description: rule.says,
    field,
    matches: all
      .slice(0, MOST_MATCHES)
      .map(({ first, last }) => toMatch({ start: read.tokens.starts[first] ?? 0, end: read.tokens.ends[last] ?? 0 })),
  }));
}

const MOST_MATCHES = 3;

/** What is said where it should not be, or hidden, says more. */
const ODD = 1.5;

function rank(severity: Severity): number {
  return ['low', 'medium', 'high', 'critical'].indexOf(severity);
}
