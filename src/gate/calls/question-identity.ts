import type { Decision } from '../../core/decision.ts';
import { askedFlows } from '../../core/flow/words.ts';
import { distrustIdentity } from '../../core/registry/trust.ts';

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

/** Is it the same rule that asks, or the same definition that is asked about? In a policy that was edited, a rule may stand elsewhere. */
export function isSameQuestion(a: Decision, b: Decision): boolean {
  if (a.reason !== b.reason || !isSameFlow(a, b)) return false;
  const [was, is] = [a, b].map(({ distrust }) => distrust && distrustIdentity(distrust));
  if (was !== is) return false;
  if (a.reason === 'detection' && !isSameFound(a, b)) return false;
  if (a.rule === undefined || b.rule === undefined) return a.rule === b.rule;
  if (a.rule.source !== b.rule.source) return false;
  if (a.policyHash === b.policyHash) return a.rule.index === b.rule.index;
  return a.rule.id === b.rule.id && a.rule.description === b.rule.description;
}

/** What is found only now is not what the person was told. */
function isSameFound(a: Decision, b: Decision): boolean {
  return b.findings.every((now) => a.findings.some(({ rule, field }) => rule === now.rule && field === now.field));
}

/**
 * What others have read meanwhile can't be in the call, and what only alerts asks nobody. But a value that is found only now is not what
 * the person was told.
 */
function isSameFlow(a: Decision, b: Decision): boolean {
  const before = askedFlows(a);
  return askedFlows(b).every((now) =>
    before.some(({ rule, evidence }) => rule === now.rule && (now.evidence === undefined || evidence !== undefined)),
  );
}
