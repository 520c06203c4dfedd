import type { Call } from '../../core/call.ts';
import type { Snapshot } from '../../core/decide/snapshot.ts';
import type { Decision } from '../../core/decision.ts';
import type { CompiledConditions, CompiledRule } from '../../core/match/compiled-policy.ts';
import {
  createEvaluated,
  type Evaluated,
  evaluateRule,
  matchesField,
  matchesNames,
  type Outcome,
} from '../../core/match/evaluate.ts';
import { countMisses, elsewhereOf, explainConditions, NAME_FIELDS } from './explain-conditions.ts';
import type { NameField, RuleAccount, RulesAccount, UnlessAccount } from './explanation.ts';
import { suggestName } from '../../suggest.ts';
import type { CompiledMatcher } from '../../core/match/compile-matcher.ts';

/** Rules to report; nobody reads more than a screen of them. */
const MOST_TOLD = 12;

/** Rules to search for telling ones; a rule far above is rarely the one that somebody misses. */
const MOST_TRIED = 200;

interface RulesOptions {
  readonly source: RulesAccount['source'];
  /** True if the call is the equivalent of another one. */
  readonly isLike: boolean;
  /** True to report every rule, also those that were not asked or are about other calls. */
  readonly isAll: boolean;
  /** True if the rules are not asked. */
  readonly isSkipped: boolean;
  /** The decision of `decideByRules` about the call. */
  readonly decision: Decision | undefined;
}

/** Explains how the rules of the snapshot's policy treat a call. Which of them decides is known. */
export function explainRules(
  call: Call,
  snapshot: Snapshot,
  { source, isLike, isAll, isSkipped, decision }: RulesOptions,
): RulesAccount {
  const { policy } = snapshot;
  const evaluated = createEvaluated(call, snapshot);
  const last = decision?.rule?.index ?? Number.POSITIVE_INFINITY;
  const candidates = policy.candidates(call).filter((rule) => call.origin !== 'native' || rule.coversNative);
  const asked = candidates.filter(({ rule }) => rule.index <= last);
  const unasked = candidates.filter(({ rule }) => rule.index > last);
  const shown = isAll ? asked : chooseTelling(asked, evaluated);
  const others = otherRules(policy.rules, candidates);
  const near = findNearNames(
    others.filter(({ rule }) => rule.index < last),
    evaluated,
  );
  const accounts: RuleAccount[] = [
    ...shown.map((rule) => explainRule(rule, evaluated, outcomeOf(rule, decision))),
    ...(isAll ? unasked : []).map((rule) => explainRule(rule, evaluated, undefined)),
    ...(isAll ? others : others.filter((rule) => near.has(rule))).map((rule) =>
      explainElsewhere(rule, evaluated, near.get(rule)),
    ),
  ];
  const rules = accounts.toSorted((a, b) => a.index - b.index);
  return {
    source,
    call,
    isLike,
    isSkipped,
    total: policy.rules.length,
    rules,
    missed: asked.length - shown.length,
    unasked: isAll ? 0 : unasked.length,
    elsewhere: isAll ? {} : countElsewhere(others, { call, isShown: (rule) => near.has(rule) }),
    decision,
  };
}

/** The outcome of a rule that was asked: all before the one that decides have missed. */
function outcomeOf({ rule }: CompiledRule, decision: Decision | undefined): Outcome {
  if (rule.index !== decision?.rule?.index) return 'miss';
  return decision.reason === 'nul_byte' ? 'nul' : 'match';
}

function otherRules(rules: readonly CompiledRule[], candidates: readonly CompiledRule[]): readonly CompiledRule[] {
  const known = new Set(candidates);
  return rules.filter((rule) => !known.has(rule));
}

function countElsewhere(
  rules: readonly CompiledRule[],
  { call, isShown }: { readonly call: Call; readonly isShown: (rule: CompiledRule) => boolean },
): RulesAccount['elsewhere'] {
  const counts: Partial<Record<NameField, number>> = {};
  for (const rule of rules) {
    if (isShown(rule)) continue;
    const field = elsewhereOf(rule, call);
    counts[field] = (counts[field] ?? 0) + 1;
  }
  return counts;
}

/**
 * Chooses the rules that tell the most, in file order, if many were asked: the last one, which decides if any does, and those that miss
 * by one condition, the last first.
 */
function chooseTelling(asked: readonly CompiledRule[], of: Evaluated): readonly CompiledRule[] {
  if (asked.length <= MOST_TOLD) return asked;
  const last = asked.slice(-1);
  const near: CompiledRule[] = [];
  const far: CompiledRule[] = [];
  for (const rule of asked.slice(0, -1).slice(-MOST_TRIED).toReversed()) {
    if (near.length + last.length >= MOST_TOLD) break;
    const isNear = countMisses(rule, of, 2) < 2;
    if (isNear) near.push(rule);
    else far.push(rule);
  }
  const chosen = new Set([...last, ...near, ...far].slice(0, MOST_TOLD));
  return asked.filter((rule) => chosen.has(rule));
}

/**
 * Explains a rule whose names match the call: its outcome, and each condition by itself.
 *
 * @param outcome its outcome when it was asked; undefined if it was not, and then it is asked now
 */
function explainRule(rule: CompiledRule, of: Evaluated, outcome: Outcome | undefined): RuleAccount {
  return {
    ...headOf(rule),
    isUnasked: outcome === undefined,
    elsewhere: undefined,
    outcome: outcome ?? evaluateRule(rule, of),
    conditions: explainConditions(rule, of),
    unless: rule.unless === undefined ? undefined : explainUnless(rule, rule.unless, of),
    nearName: undefined,
  };
}

/** Explains a rule that is about other calls. @param nearName the name that it has, if all but that matches */
function explainElsewhere(rule: CompiledRule, { call }: Evaluated, nearName: string | undefined): RuleAccount {
  const elsewhere = elsewhereOf(rule, call);
  return { ...headOf(rule), isUnasked: true, elsewhere, outcome: 'miss', conditions: [], unless: undefined, nearName };
}

function headOf({
  rule: { index, action, id, description },
}: CompiledRule): Pick<RuleAccount, 'index' | 'action' | 'id' | 'description'> {
  return { index, action, id, description };
}

function explainUnless(rule: CompiledRule, unless: CompiledConditions, of: Evaluated): UnlessAccount {
  return { outcome: outcomeOfException(rule, unless, of), conditions: explainConditions(unless, of) };
}

/** An exception is evaluated as a rule of these conditions would be. */
function outcomeOfException(rule: CompiledRule, unless: CompiledConditions, of: Evaluated): Outcome {
  return matchesNames(unless, of.call) ? evaluateRule({ ...rule, ...unless, unless: undefined }, of) : 'miss';
}

/** Shorter names are near to anything. */
const SHORTEST = 4;
/** Rules to evaluate. */
const MOST_NAMES_TRIED = 20;

/**
 * Finds rules that are no candidates but would match if one name were not slightly different, as by a misspelling. Maps each rule to its
 * own name.
 */
function findNearNames(rules: readonly CompiledRule[], of: Evaluated): ReadonlyMap<CompiledRule, string> {
  const found = new Map<CompiledRule, string>();
  let tried = 0;
  for (const rule of rules) {
    const name = nearNameOf(rule, of);
    if (name === undefined) continue;
    tried += 1;
    if (tried > MOST_NAMES_TRIED) break;
    if (evaluateRule(rule, of) === 'match') found.set(rule, name);
  }
  return found;
}

function nearNameOf(rule: CompiledRule, { call }: Evaluated): string | undefined {
  const field = elsewhereOf(rule, call);
  if (field === 'native' || field === 'method') return undefined;
  const name = call[field];
  const matcher = rule[field];
  if (name === undefined || matcher === undefined || name.length < SHORTEST) return undefined;
  const isOnlyOne = NAME_FIELDS.every((each) => each === field || matchesField(rule[each], call[each]));
  return isOnlyOne ? suggestName(name, literalsOf(matcher)) : undefined;
}

function literalsOf(matcher: CompiledMatcher): readonly string[] {
  if (matcher.op === 'equals') return typeof matcher.value === 'string' ? [matcher.value] : [];
  if (matcher.op !== 'globs') return [];
  return matcher.plain.filter(({ isLiteral }) => isLiteral).map(({ literalPrefix }) => literalPrefix);
}
