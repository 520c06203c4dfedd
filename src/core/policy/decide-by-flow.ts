import type { Call } from '../call.ts';
import type { Decision } from '../decision.ts';
import type { FlowFinding } from '../flow/finding.ts';
import { findFlows } from '../flow/find-flows.ts';
import type { Snapshot } from '../snapshot.ts';
import { createSubject } from './subject.ts';

const NOTHING: readonly FlowFinding[] = [];

/** What the rules on flow say of a call, and the snapshot for later stages, with the categories in it if they had to be worked out. */
export interface Flows {
  /** The deciding one first. */
  readonly findings: readonly FlowFinding[];
  readonly snapshot: Snapshot;
}

/** Asks the rules on flow. Where flow is disabled, or nothing is known of the session, they say nothing. */
export function askFlowRules(call: Call, snapshot: Snapshot): Flows {
  const { session, policy } = snapshot;
  const { flow } = policy.policy;
  if (snapshot.flows !== undefined) return { findings: flow.enabled ? snapshot.flows : NOTHING, snapshot };
  if (session === undefined || !flow.enabled) return { findings: NOTHING, snapshot };
  let { categories } = snapshot;
  const findings = findFlows(call, {
    categories: () => (categories ??= createSubject(call, snapshot).categories()),
    session,
    flow,
  });
  if (categories === undefined || categories === snapshot.categories) return { findings, snapshot };
  return { findings, snapshot: { ...snapshot, categories } };
}

/**
 * Denies a call, or has it asked about, as the first of what `askFlowRules` found says. Undefined where nothing was found or all of it
 * only alerts; that is told of with whatever decides.
 */
export function decideByFlow(flow: readonly FlowFinding[], { policy }: Snapshot): Decision | undefined {
  const [first] = flow;
  if (first === undefined || first.action === 'alert') return undefined;
  return { action: first.action, reason: 'flow', flow, findings: [], policyHash: policy.hash };
}
