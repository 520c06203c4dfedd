import type { Call } from './call.ts';
import type { Decision } from './decision.ts';
import { decideByRules } from './policy/decide-by-rules.ts';
import type { Snapshot } from './snapshot.ts';

/** One stage of a decision: its own, or undefined to leave it to the next. */
type Stage = (call: Call, snapshot: Snapshot) => Decision | undefined;

/** In the order they are asked; the first decision stands. */
const STAGES: readonly Stage[] = [decideByRules];

/** The methods whose calls clawai always reviews. Any other is only decided on when a rule is about it. */
const REVIEWED: ReadonlySet<string> = new Set(['tools/call', 'resources/read', 'prompts/get']);

/**
 * Decides a call. Pure: everything it depends on is in the snapshot, and the same call and snapshot give the same decision.
 * Where no stage decides, the policy's defaults do.
 */
export function decide(call: Call, snapshot: Snapshot): Decision {
  for (const stage of STAGES) {
    const decision = stage(call, snapshot);
    if (decision !== undefined) return decision;
  }
  const { hash, policy } = snapshot.policy;
  const action = REVIEWED.has(call.method) ? policy.defaults.action : policy.defaults.unknownMethods;
  return { action, reason: 'default', findings: [], policyHash: hash };
}
