import type { Call } from '../call.ts';
import type { Decision } from '../decision.ts';
import type { Snapshot } from '../snapshot.ts';

/**
 * Denies a call, or has it asked about, in whose definition something was found that should not reach a model, until a person has approved
 * that. Undefined for all others.
 */
export function decideByDetection(_call: Call, { policy, detection }: Snapshot): Decision | undefined {
  const { enabled, onDefinition, requireApproval } = policy.policy.detection;
  if (!enabled || detection === undefined) return undefined;
  const { findings, ofServer, isApproved } = detection;
  const rest = { reason: 'detection', policyHash: policy.hash } as const;
  if (!isApproved && findings.length > 0) {
    const foundIn = 'definition';
    if (onDefinition !== 'alert') return { action: 'deny', foundIn, findings, ...rest };
    const isCritical = findings.some(({ severity }) => severity === 'critical');
    if (requireApproval && isCritical) return { action: 'prompt', foundIn, findings, ...rest };
  }
  if (detection.hasFailed === true && (onDefinition !== 'alert' || requireApproval))
    return { action: 'deny', reason: 'internal_error', findings: [], policyHash: policy.hash };
  // What is hidden from the model does no harm.
  if (onDefinition === 'deny' && ofServer.length > 0)
    return { action: 'deny', foundIn: 'instructions', findings: ofServer, ...rest };
  return undefined;
}
