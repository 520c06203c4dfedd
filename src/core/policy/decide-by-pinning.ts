import type { Call } from '../call.ts';
import type { Decision } from '../decision.ts';
import { findDistrust } from '../registry/distrust.ts';
import type { Snapshot } from '../snapshot.ts';

/** Denies a call, or has it asked about, whose definition or server is not as it was approved. Undefined for all others. */
export function decideByPinning(_call: Call, { policy, registry }: Snapshot): Decision | undefined {
  if (registry === undefined) return undefined;
  const { enabled, trustFirstUse, onChange } = policy.policy.pinning;
  if (!enabled || onChange === 'alert') return undefined;
  const distrust = findDistrust(registry, trustFirstUse);
  if (distrust === undefined) return undefined;
  const action = onChange === 'prompt' ? 'prompt' : 'deny';
  return { action, reason: 'pinning', distrust, findings: [], policyHash: policy.hash };
}
