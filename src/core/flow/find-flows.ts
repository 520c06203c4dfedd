import { type Call, CLIENT_CALLS } from '../call.ts';
import { FLOW_ACTIONS, type FlowFinding } from './finding.ts';
import { burst } from './rules/burst.ts';
import { crossServerFlow } from './rules/cross-server-flow.ts';
import { readThenSend } from './rules/read-then-send.ts';
import { shadowTool } from './rules/shadow-tool.ts';
import type { FlowRule, Suspect } from './suspect.ts';

/** All rules, those first that say most where two are as strict and as severe. */
const RULES: readonly FlowRule[] = [shadowTool, readThenSend, crossServerFlow, burst];

const SEVERITIES: readonly FlowFinding['severity'][] = ['high', 'critical'];

const NOTHING: readonly FlowFinding[] = [];

/**
 * Finds what a call makes together with others of its session, between servers: nothing for an agent's own tools. Pure.
 *
 * @param about what is known: `categories` of what is called, at least one, and what the policy's `[flow]` says
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
