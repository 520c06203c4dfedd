import type { FlowRule } from '../suspect.ts';
import { nameOf, quoteName } from '../words.ts';

/** A call to a tool whose name another server of the session had first: who calls it may mean that one. The first keeps the name. */
export const shadowTool: FlowRule = ({ call, session, flow }) => {
  const { enabled, action } = flow.shadowTool;
  const { shadowed } = session;
  if (!enabled || shadowed === undefined || call.tool === undefined) return undefined;
  const reason = `it would use ${nameOf(call)} of the server ${quoteName(call.server)}, a name that the server ${quoteName(shadowed)} had first`;
  return { rule: 'shadow_tool', severity: 'critical', action, reason, related: [], evidence: undefined };
};
