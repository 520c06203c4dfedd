import type { Call } from '../call.ts';
import type { Decision } from '../decision.ts';
import type { Snapshot } from '../snapshot.ts';
import { createEvaluated, evaluateRule, type Evaluated } from './evaluate.ts';

/**
 * The first rule in file order that matches decides; undefined when none does. A call of an agent's own tool is matched by no rule that
 * does not name them.
 */
export function decideByRules(call: Call, snapshot: Snapshot): Decision | undefined {
  const { policy, matches } = snapshot;
  let evaluated: Evaluated | undefined;
  for (const rule of policy.candidates(call)) {
    if (call.origin === 'native' && !rule.coversNative) continue;
    if (rule.isSettled) return rule.decision;
    evaluated ??= { ...createEvaluated(call, snapshot), matches };
    const outcome = evaluateRule(rule, evaluated);
    if (outcome === 'match') return rule.decision;
    if (outcome === 'nul') return { action: 'deny', reason: 'nul_byte', rule: rule.ref, findings: [], policyHash: policy.hash };
  }
  return undefined;
}
