import { CALL_METHODS, type Call, NATIVE_SERVER } from '../call.ts';
import type { Decision } from '../decision.ts';
import type { Snapshot } from '../snapshot.ts';

/**
 * Denies what comes from or goes to a server that there may not be, in either direction, and, where the policy wants that, calls to tools that their server never listed: nobody knows
 * whose they are; likewise a call whose name belongs to no known server. A server that is called like the agent's own tools would get
 * what the policy says of those, so there may be none. Undefined for all others, and for what is no call, so that a connection can be made and a denial be heard.
 */
export function decideByServer(call: Call, { policy, registry }: Snapshot): Decision | undefined {
  if (call.origin === 'native') return undefined;
  if (isReviewed(call) && (call.server === NATIVE_SERVER || policy.deniesServer?.(call.server) === true)) {
    return { action: 'deny', reason: 'server_policy', findings: [], policyHash: policy.hash };
  }
  if (call.origin === 'unmapped' && policy.policy.defaults.unmappedTool === 'deny') {
    return { action: 'deny', reason: 'unmapped_tool', findings: [], policyHash: policy.hash };
  }
  if (policy.policy.defaults.unknownServer === 'allow' || call.tool === undefined || registry?.status !== 'unlisted') {
    return undefined;
  }
  return { action: 'deny', reason: 'server_policy', distrust: { what: 'unlisted' }, findings: [], policyHash: policy.hash };
}

function isReviewed({ method, like, isUnknownMethod }: Call): boolean {
  return CALL_METHODS.has(method) || like !== undefined || isUnknownMethod === true;
}
