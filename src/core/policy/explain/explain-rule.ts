import type { CompiledConditions, CompiledRule } from '../compiled-policy.ts';
import { evaluateRule, type Evaluated, matchesNames, type Outcome } from '../evaluate.ts';
import { elsewhereOf } from './elsewhere-of.ts';
import { explainConditions } from './explain-conditions.ts';
import type { RuleAccount, UnlessAccount } from './explanation.ts';

/**
 * What became of a rule whose names are a call's, and each condition by itself.
 *
 * @param outcome as it was when the rule was asked; undefined for one that was not, and then it is asked now
 */
export function explainRule(rule: CompiledRule, of: Evaluated, outcome: Outcome | undefined): RuleAccount {
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

/** A rule that is about other calls. @param nearName the name that it has, where all but that matches */
export function explainElsewhere(rule: CompiledRule, { call }: Evaluated, nearName: string | undefined): RuleAccount {
  const elsewhere = elsewhereOf(rule, call);
  return { ...headOf(rule), isUnasked: true, elsewhere, outcome: 'miss', conditions: [], unless: undefined, nearName };
}

function headOf({
  rule: { index, action, id, description },
}: CompiledRule): Pick<RuleAccount, 'index' | 'action' | 'id' | 'description'> {
  return { index, action, id, description };
}

function explainUnless(rule: CompiledRule, unless: CompiledConditions, of: Evaluated): UnlessAccount {
  return { outcome: outcomeOf(rule, unless, of), conditions: explainConditions(unless, of) };
}

/** An exception is evaluated as a rule of these conditions would be. */
function outcomeOf(rule: CompiledRule, unless: CompiledConditions, of: Evaluated): Outcome {
  return matchesNames(unless, of.call) ? evaluateRule({ ...rule, ...unless, unless: undefined }, of) : 'miss';
}
