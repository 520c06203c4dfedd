import { suggestName } from '../../suggest.ts';
import type { CompiledMatcher } from '../../core/match/compile-matcher.ts';
import type { CompiledRule } from '../../core/match/compiled-policy.ts';
import { type Evaluated, evaluateRule, matchesField } from '../../core/match/evaluate.ts';
import { elsewhereOf, NAME_FIELDS } from './explain-conditions.ts';

/** Shorter names are near to anything. */
const SHORTEST = 4;
/** Rules to evaluate. */
const MOST_TRIED = 20;

/**
 * Finds rules that are no candidates but would match if one name were not slightly different, as by a misspelling. Maps each rule to its
 * own name.
 */
export function findNearNames(rules: readonly CompiledRule[], of: Evaluated): ReadonlyMap<CompiledRule, string> {
  const found = new Map<CompiledRule, string>();
  let tried = 0;
  for (const rule of rules) {
    const name = nearNameOf(rule, of);
    if (name === undefined) continue;
    tried += 1;
    if (tried > MOST_TRIED) break;
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
