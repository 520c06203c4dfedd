import { CALL_METHODS, type Call } from '../call.ts';
import type { Decision } from '../decision.ts';
import type { Snapshot } from '../snapshot.ts';

/**
 * Denies what comes from or goes to a server that there may not be, in either direction, and, where the policy wants that, calls to tools that their server never listed: nobody knows
 * whose they are. Undefined for all others, and for what is no call, so that a connection can be made and a denial be heard.
 */
export function decideByServer(call: Call, { policy, registry }: Snapshot): Decision | undefined {
  const { deniesServer } = policy;
  if (deniesServer !== undefined && isReviewed(call) && deniesServer(call.server)) {
    return { action: 'deny', reason: 'server_policy', findings: [], policyHash: policy.hash };
  }
  if (registry?.status !== 'unlisted' || call.tool === undefined || policy.policy.defaults.unknownServer === 'allow') {
    return undefined;
  }
  return { action: 'deny', reason: 'server_policy', distrust: { what: 'unlisted' }, findings: [], policyHash: policy.hash };
}

function isReviewed({ method, like, isUnknownMethod }: Call): boolean {
  return CALL_METHODS.has(method) || like !== undefined || isUnknownMethod === true;
}
