import { formatDuration } from '../../duration.ts';
import { MOST_RELATED, type FlowRule } from '../suspect.ts';
import { MOST_CALLS, type PastCall } from '../window.ts';
import { quoteName } from '../words.ts';

/** More calls of one server in a window than it may have, this one counted. Of a server that is alone in its session nothing flows on. */
export const burst: FlowRule = ({ call, session, flow }) => {
  const { enabled, action, maxCalls, window } = flow.burst;
  const { calls, now, servers } = session;
  // That many can't be of this server.
  if (!enabled || servers < 2 || calls.length < maxCalls) return undefined;
  const related: PastCall[] = [];
  let count = 0;
  for (let i = calls.length - 1; i >= 0; i--) {
    const past = calls[i];
    if (past === undefined || past.server !== call.server || !past.isForwarded) continue;
    if (now - (past.made ?? past.time) > window) continue;
    count++;
    if (related.length < MOST_RELATED) related.push(past);
  }
  if (count < maxCalls) return undefined;
  const within = `within ${formatDuration(window)}, where ${maxCalls} may be`;
  const place = `${calls.length < MOST_CALLS ? '' : 'at least '}call ${count + 1}`;
  const reason = `it would be ${place} of the server ${quoteName(call.server)} ${within}`;
  return { rule: 'burst', severity: 'high', action, reason, related: related.toReversed(), evidence: undefined };
};
