import type { Decision } from '../../core/decision.ts';
import { askedFlows } from '../../core/flow/words.ts';
import { distrustIdentity } from '../../core/registry/trust.ts';

/**
 * Identifies a question to a person as text: policy, rule and definition. Undefined if the question depends on the rest of the session: an
 * earlier answer does not count then.
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

/** Tells whether the same rule asks, or about the same definition. In an edited policy, a rule may stand elsewhere. */
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

/** A finding that is new was not part of the question. */
function isSameFound(a: Decision, b: Decision): boolean {
  return b.findings.every((now) => a.findings.some(({ rule, field }) => rule === now.rule && field === now.field));
}

/**
 * Reads that others made meanwhile cannot be in the call, and flows that only alert ask nobody. But a value that is found only now was not
 * part of the question.
 */
function isSameFlow(a: Decision, b: Decision): boolean {
  const before = askedFlows(a);
  return askedFlows(b).every((now) =>
    before.some(({ rule, evidence }) => rule === now.rule && (now.evidence === undefined || evidence !== undefined)),
  );
}
