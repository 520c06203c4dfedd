import type { Decision } from '../core/decision.ts';
import { askedFlows } from '../core/flow/flow-question.ts';
import { distrustIdentity } from '../core/registry/distrust.ts';

/**
 * What a person is asked by a decision, as text that no other question has: under which policy, by which of its rules, about which definition.
 * Undefined where that depends on what else happens in the session: then what was answered before is no answer.
 */
export function questionIdentity(decision: Decision): string | undefined {
  const { action, reason, rule, distrust, policyHash } = decision;
  if (action !== 'prompt' || askedFlows(decision).length > 0) return undefined;
  return JSON.stringify([
    policyHash,
    reason,
    rule?.source ?? null,
    rule?.index ?? null,
    distrust === undefined ? null : distrustIdentity(distrust),
  ]);
}
