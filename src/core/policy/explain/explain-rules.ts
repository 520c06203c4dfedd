import type { Call } from '../../call.ts';
import type { Decision } from '../../decision.ts';
import type { Snapshot } from '../../snapshot.ts';
import type { CompiledRule } from '../compiled-policy.ts';
import { createEvaluated, type Outcome } from '../evaluate.ts';
import { chooseTelling } from './choose-telling.ts';
import { elsewhereOf } from './elsewhere-of.ts';
import { explainElsewhere, explainRule } from './explain-rule.ts';
import type { NameField, RuleAccount, RulesAccount } from './explanation.ts';
import { findNearNames } from './near-name.ts';

export interface RulesOptions {
  readonly source: RulesAccount['source'];
  /** The call is what another one amounts to. */
  readonly isLike: boolean;
  /** Tell of every rule, also of those that were not asked or are about other calls. */
  readonly isAll: boolean;
  /** Nobody asks them. */
  readonly isSkipped: boolean;
  /** What `decideByRules` says of the call. */
  readonly decision: Decision | undefined;
}

/** What the rules of the snapshot's policy make of a call. Which of them decides is known. */
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
  const told = isAll ? asked : chooseTelling(asked, evaluated);
  const others = otherRules(policy.rules, candidates);
  const near = findNearNames(
    others.filter(({ rule }) => rule.index < last),
    evaluated,
  );
  const accounts: RuleAccount[] = [
    ...told.map((rule) => explainRule(rule, evaluated, outcomeOf(rule, decision))),
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
    missed: asked.length - told.length,
    unasked: isAll ? 0 : unasked.length,
    elsewhere: isAll ? {} : countElsewhere(others, { call, isTold: (rule) => near.has(rule) }),
    decision,
  };
}

/** Of a rule that was asked: all before the one that decides have missed. */
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
  { call, isTold }: { readonly call: Call; readonly isTold: (rule: CompiledRule) => boolean },
): RulesAccount['elsewhere'] {
  const counts: Partial<Record<NameField, number>> = {};
  for (const rule of rules) {
    if (isTold(rule)) continue;
    const field = elsewhereOf(rule, call);
    counts[field] = (counts[field] ?? 0) + 1;
  }
  return counts;
}
