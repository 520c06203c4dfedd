import { type Call, CLIENT_CALLS } from '../call.ts';
import { MOST_CALLS } from '../facts.ts';
import { FLOW_ACTIONS, type FlowFinding, type PastCall } from '../finding.ts';
import { formatDuration } from '../quantity.ts';
import { findSources, type FlowRule, isWithin, MOST_RELATED, type Suspect } from './find-sources.ts';
import { KINDS_OF_VALUES } from './steering/find-steering.ts';
import { agoOf, describeEvidence, nameOf, nameOfPast, quoteName } from './words.ts';

/**
 * Matches a call of a tool whose name another server of the session had first: the caller may mean that one. The first owner keeps the
 * name.
 */
const shadowTool: FlowRule = ({ call, session, flow }) => {
  const { enabled, action } = flow.shadowTool;
  const { shadowed } = session;
  if (!enabled || shadowed === undefined || call.tool === undefined) return undefined;
  const reason = `it would use ${nameOf(call)} of the server ${quoteName(call.server)}, but the server ${quoteName(shadowed)} listed that name first`;
  return { rule: 'shadow_tool', severity: 'critical', action, reason, related: [], evidence: undefined };
};

/** Matches a call that sends, after another server's call that read: the read data may leave. */
const readThenSend: FlowRule = (suspect) => {
  const { enabled, action, window, evidence: asked } = suspect.flow.readThenSend;
  if (!enabled || !suspect.categories().includes('send')) return undefined;
  const found = findSources(suspect, { window, evidence: asked, isSameTurn: false });
  if (found === undefined) return undefined;
  const { named, related, evidence } = found;
  const sends = `it would send with ${nameOf(suspect.call)}`;
  const from = nameOfPast(named);
  const ago = agoOf(named, suspect.session.now);
  const reason =
    evidence === undefined
      ? `${sends} after ${from} read data ${ago}`
      : `${sends} a value that ${from} gave ${ago}: ${describeEvidence(evidence)}`;
  return { rule: 'read_then_send', severity: 'critical', action, reason, related, evidence };
};

/** Matches a call that writes or sends, in the same turn as another server's call that read, or soon after it. */
const crossServerFlow: FlowRule = (suspect) => {
  const { enabled, action, window, sameTurnOnly, evidence: asked } = suspect.flow.crossServerFlow;
  if (!enabled) return undefined;
  const categories = suspect.categories();
  const isSending = categories.includes('send');
  if (!isSending && !categories.includes('write')) return undefined;
  const found = findSources(suspect, { window, evidence: asked, isSameTurn: sameTurnOnly });
  if (found === undefined) return undefined;
  const { named, related, evidence } = found;
  const passes = `it would ${isSending ? 'send' : 'write'} with ${nameOf(suspect.call)}`;
  const from = nameOfPast(named);
  const ago = agoOf(named, suspect.session.now);
  const reason =
    evidence === undefined
      ? `${passes} after ${from} read data ${ago}${sameTurnOnly ? ', in the same turn' : ''}`
      : `${passes} a value that ${from} gave ${ago}: ${describeEvidence(evidence)}`;
  return { rule: 'cross_server_flow', severity: 'high', action, reason, related, evidence };
};

/**
 * Matches a call that acts by a value which only a result told: neither the user nor the agent had said it before. Whoever wrote that result
 * may steer the call. The result may be one of the same server.
 */
const steeredCall: FlowRule = (suspect) => {
  const { enabled, action, window } = suspect.flow.steeredCall;
  const { call, session } = suspect;
  if (!enabled || call.tool === undefined) return undefined;
  const steering = session.steering?.(suspect.categories());
  if (steering === undefined) return undefined;
  const { source, parameter: place, kind, signs, beginning, isUserKnown } = steering;
  const told = session.calls.findLast((past) => past.id === source && past.isForwarded && isWithin(past, window, session.now));
  if (told === undefined) return undefined;
  const description = KINDS_OF_VALUES[kind];
  const from = `${nameOfPast(told)} ${agoOf(told, session.now)}`;
  const reason = `it would act on ${description} in ${quoteName(place)} that came only from a result of ${from}`;
  const shown = beginning === undefined ? '' : ` (${quoteName(beginning)})`;
  const unsaid = isUserKnown ? 'you never said' : 'nobody had said before';
  const question = `${quoteName(place)}: ${description}${shown} that came from a result of ${from}, and that ${unsaid}`;
  const evidence = { source, encoding: 'plain', description, place, signs };
  return { rule: 'steered_call', severity: 'high', action, reason, question, related: [told], evidence };
};

/** Matches a call beyond a server's maximum in a window. Data of a server that is alone in its session flows nowhere. */
const burst: FlowRule = ({ call, session, flow }) => {
  const { enabled, action, maxCalls, window } = flow.burst;
  const { calls, now, servers } = session;
  // There are too few calls in all.
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
  const within = `within ${formatDuration(window)}, and the limit is ${maxCalls}`;
  const place = `${calls.length < MOST_CALLS ? '' : 'at least '}call ${count + 1}`;
  const reason = `it would be ${place} of the server ${quoteName(call.server)} ${within}`;
  return { rule: 'burst', severity: 'high', action, reason, related: related.toReversed(), evidence: undefined };
};

/** All rules; the most telling ones come first, which decides between equally strict and severe findings. */
const RULES: readonly FlowRule[] = [shadowTool, readThenSend, steeredCall, crossServerFlow, burst];

const SEVERITIES: readonly FlowFinding['severity'][] = ['high', 'critical'];

const NOTHING: readonly FlowFinding[] = [];

/**
 * Finds the flows between servers that a call makes with others of its session; none for an agent's own tools. Pure.
 *
 * @param about facts: the `categories` of the called tool, at least one, and the policy's `[flow]`
 * @returns at most one finding of each rule: the strictest action first, then the highest severity; the first one decides
 */
export function findFlows(call: Call, about: Omit<Suspect, 'call'>): readonly FlowFinding[] {
  if (!about.flow.enabled || !CLIENT_CALLS.has(call.method) || call.origin === 'native') return NOTHING;
  const suspect: Suspect = { call, ...about };
  let found: FlowFinding[] | undefined;
  for (const rule of RULES) {
    const finding = rule(suspect);
    if (finding !== undefined) (found ??= []).push(finding);
  }
  return found?.sort(byStrictness) ?? NOTHING;
}

function byStrictness(a: FlowFinding, b: FlowFinding): number {
  return rankOf(b) - rankOf(a);
}

function rankOf({ action, severity }: FlowFinding): number {
  return FLOW_ACTIONS.indexOf(action) * SEVERITIES.length + SEVERITIES.indexOf(severity);
}
