import type { Call } from '../../call.ts';
import { decide } from '../../decide.ts';
import type { Snapshot } from '../../snapshot.ts';
import { askFlowRules } from '../decide-by-flow.ts';
import { createReading } from '../match-context.ts';
import { explainRules } from './explain-rules.ts';
import { explainStages } from './explain-stages.ts';
import type { Explanation, RulesAccount } from './explanation.ts';

export interface ExplainOptions {
  /** Tell of every rule, also of those that were not asked or are about other calls. */
  readonly isAll?: boolean;
}

/**
 * Tells why a call is decided as it is. The decision is that of `decide`, and what is told of its parts is what the functions say that it
 * asks; nothing is decided here. Pure.
 */
export function explain(call: Call, taken: Snapshot, { isAll = false }: ExplainOptions = {}): Explanation {
  const snapshot: Snapshot = taken.reading === undefined ? { ...taken, reading: createReading(call.args) } : taken;
  const decision = decide(call, snapshot);
  const flows = snapshot.session === undefined ? { findings: [], snapshot } : askFlowRules(call, snapshot);
  return {
    call,
    decision,
    stages: explainStages({ call, snapshot: flows.snapshot, flow: flows.findings, decision }),
    rules: explainPolicies(call, flows.snapshot, isAll),
  };
}

function explainPolicies(call: Call, snapshot: Snapshot, isAll: boolean): readonly RulesAccount[] {
  const { project } = snapshot.policy;
  const own = explainChain(call, snapshot, { source: 'user', isAll });
  return project === undefined
    ? own
    : [...own, ...explainChain(call, { ...snapshot, policy: project }, { source: 'project', isAll })];
}

/** Where no rule is about a call itself, those are asked that are about what it amounts to. */
function explainChain(
  call: Call,
  snapshot: Snapshot,
  options: Pick<RulesAccount, 'source'> & { readonly isAll: boolean },
): readonly RulesAccount[] {
  const accounts: RulesAccount[] = [];
  let asked: Call | undefined = call;
  while (asked !== undefined) {
    const account: RulesAccount = explainRules(asked, snapshot, { ...options, isLike: asked !== call });
    accounts.push(account);
    asked = account.decision === undefined ? asked.like : undefined;
  }
  return accounts;
}
