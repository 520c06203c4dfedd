import { CALL_METHODS, type Call } from './call.ts';
import type { Decision } from './decision.ts';
import { decideByRules } from './policy/decide-by-rules.ts';
import type { Snapshot } from './snapshot.ts';

/** One stage of a decision: its own, or undefined to leave it to the next. */
type Stage = (call: Call, snapshot: Snapshot) => Decision | undefined;

/** In the order they are asked; the first decision stands. */
const STAGES: readonly Stage[] = [decideByRules];

/**
 * Decides a call. Pure: everything it depends on is in the snapshot, and the same call and snapshot give the same decision.
 * Where no stage decides, the policy's defaults do.
 */
export function decide(call: Call, snapshot: Snapshot): Decision {
  for (const stage of STAGES) {
    const decision = stage(call, snapshot);
    if (decision !== undefined) return decision;
  }
  return call.like === undefined ? decideByDefault(call, snapshot) : decide(call.like, snapshot);
}

function decideByDefault(call: Call, { policy }: Snapshot): Decision {
  const { action, unknownMethods } = policy.policy.defaults;
  const rest = { findings: [], policyHash: policy.hash };
  if (CALL_METHODS.has(call.method)) return { action, reason: 'default', ...rest };
  if (call.isUnknownMethod === true && unknownMethods === 'deny') return { action: 'deny', reason: 'unknown_method', ...rest };
  return { action: 'allow', reason: 'default', ...rest };
}
