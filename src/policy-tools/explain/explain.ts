import type { Call } from '../../core/call.ts';
import { decide, decideByPolicies } from '../../core/decide/decide.ts';
import type { Decision } from '../../core/decision.ts';
import { Reading } from '../../core/match/reading.ts';
import type { Snapshot } from '../../core/decide/snapshot.ts';
import { askFlowRules, decideByRules } from '../../core/decide/stages.ts';
import { explainRules } from './explain-rules.ts';
import { explainStages, stageOf } from './explain-stages.ts';
import type { Explanation, RulesAccount } from './explanation.ts';

export interface ExplainOptions {
  /** True to report every rule, also those that were not asked or are about other calls. */
  readonly isAll?: boolean;
}

/**
 * Tells why a call is decided as it is. The decision is that of `decide`, and what is told of its parts is what the functions say that it
 * asks; nothing is decided here. Pure.
 */
export function explain(call: Call, taken: Snapshot, { isAll = false }: ExplainOptions = {}): Explanation {
  const snapshot: Snapshot = taken.reading === undefined ? { ...taken, reading: new Reading(taken.paths) } : taken;
  const decision = decide(call, snapshot);
  const flows = snapshot.session === undefined ? { findings: [], snapshot } : askFlowRules(call, snapshot);
  // If the rules have decided, their decision is known.
  const byRules = stageOf(decision) === 'rules' ? decision : decideByPolicies(call, flows.snapshot);
  return {
    call,
    decision,
    stages: explainStages({ call, snapshot: flows.snapshot, flow: flows.findings, decision, byRules }),
    rules: explainPolicies(call, flows.snapshot, { isAll, byRules }),
  };
}

interface Policies {
  readonly isAll: boolean;
  /** The decision of all rules together. */
  readonly byRules: Decision;
}

function explainPolicies(call: Call, snapshot: Snapshot, options: Policies): readonly RulesAccount[] {
  const { project } = snapshot.policy;
  const own = explainChain(call, snapshot, { source: 'user', isSkipped: false, ...options });
  if (project === undefined) return own;
  const alone: Snapshot = { ...snapshot, policy: { ...snapshot.policy, project: undefined } };
  const isSkipped = decideByPolicies(call, alone).action === 'deny';
  return [...own, ...explainChain(call, { ...snapshot, policy: project }, { source: 'project', isSkipped, ...options })];
}

/** The rules are asked about a call, and about all that it amounts to. */
function explainChain(
  call: Call,
  snapshot: Snapshot,
  { source, isSkipped, isAll, byRules }: Policies & Pick<RulesAccount, 'source' | 'isSkipped'>,
): readonly RulesAccount[] {
  const accounts: RulesAccount[] = [];
  // If there is one policy and one call to ask about, its decision is known.
  const isAlone = source === 'user' && snapshot.policy.project === undefined && call.like === undefined;
  for (let asked: Call | undefined = call; asked !== undefined; asked = asked.like) {
    const decision = isAlone ? ofRule(byRules) : decideByRules(asked, snapshot);
    accounts.push(explainRules(asked, snapshot, { source, isAll, isSkipped, isLike: asked !== call, decision }));
  }
  return accounts;
}

function ofRule(decision: Decision): Decision | undefined {
  return decision.rule === undefined ? undefined : decision;
}
