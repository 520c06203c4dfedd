import { CALL_METHODS, type Call } from './call.ts';
import type { Action, Decision } from './decision.ts';
import { decideByRules } from './policy/decide-by-rules.ts';
import { decideBySelf } from './self/decide-by-self.ts';
import type { Snapshot } from './snapshot.ts';

/** One stage of a decision: its own, or undefined to leave it to the next. */
type Stage = (call: Call, snapshot: Snapshot) => Decision | undefined;

/** In the order they are asked; the first decision stands. */
const STAGES: readonly Stage[] = [decideByRules];

const STRICTNESS: Readonly<Record<Action, number>> = { allow: 0, prompt: 1, deny: 2 };

/**
 * Decides a call. Pure: everything it depends on is in the snapshot, and the same call and snapshot give the same decision.
 * What protects clawai itself comes before any policy. Where no stage decides, the policy's defaults do. A project's policy is asked by itself, and decides where it is the stricter.
 */
export function decide(call: Call, snapshot: Snapshot): Decision {
  const forbidden = decideBySelf(call, snapshot);
  if (forbidden !== undefined) return forbidden;
  const decision = decideByPolicy(call, snapshot);
  const { project } = snapshot.policy;
  if (project === undefined || decision.action === 'deny') return decision;
  const other = decideByProject(call, { ...snapshot, policy: project });
  return other !== undefined && STRICTNESS[other.action] > STRICTNESS[decision.action] ? other : decision;
}

function decideByPolicy(call: Call, snapshot: Snapshot): Decision {
  for (const stage of STAGES) {
    const decision = stage(call, snapshot);
    if (decision !== undefined) return decision;
  }
  return call.like === undefined ? decideByDefault(call, snapshot) : decideByPolicy(call.like, snapshot);
}

/** A project has rules and no defaults: what none of them is about is not its business. */
function decideByProject(call: Call, snapshot: Snapshot): Decision | undefined {
  return decideByRules(call, snapshot) ?? (call.like === undefined ? undefined : decideByProject(call.like, snapshot));
}

function decideByDefault(call: Call, { policy }: Snapshot): Decision {
  const { action, unknownMethods } = policy.policy.defaults;
  const rest = { findings: [], policyHash: policy.hash };
  const isCall = CALL_METHODS.has(call.method);
  if (policy.isGone && (isCall || call.isUnknownMethod === true)) return { action: 'deny', reason: 'policy_gone', ...rest };
  if (isCall) return { action, reason: 'default', ...rest };
  if (call.isUnknownMethod === true && unknownMethods === 'deny') return { action: 'deny', reason: 'unknown_method', ...rest };
  return { action: 'allow', reason: 'default', ...rest };
}
