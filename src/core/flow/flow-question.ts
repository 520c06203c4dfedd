import type { Decision } from '../decision.ts';
import type { FlowFinding } from './finding.ts';

/** What is found in a call that a person is asked about for it; the one that decides first. */
export function askedFlows({ action, flow }: Pick<Decision, 'action' | 'flow'>): readonly FlowFinding[] {
  if (action !== 'prompt' || flow === undefined) return [];
  return flow.filter((finding) => finding.action === 'prompt');
}

/**
 * What a yes to a flow is to, as text: the rules, the servers that what flows comes from, and whether a value of theirs is in the call.
 * Which of their calls it was, and when, is another each time and changes nothing. Undefined where no flow is asked about.
 */
export function flowIdentity(decision: Pick<Decision, 'action' | 'flow'>): string | undefined {
  const asked = askedFlows(decision);
  if (asked.length === 0) return undefined;
  return JSON.stringify(
    asked.map(({ rule, related, evidence, reason }) => [rule, originsOf(rule, { related, reason }), evidence !== undefined]),
  );
}

/** Who had a name first is told in words only; they are the same each time. */
function originsOf(rule: FlowFinding['rule'], { related, reason }: Pick<FlowFinding, 'related' | 'reason'>): readonly string[] {
  return rule === 'shadow_tool' ? [reason] : [...new Set(related.map(({ server }) => server))].sort();
}
