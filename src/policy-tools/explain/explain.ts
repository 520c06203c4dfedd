import { type Call, CLIENT_CALLS } from '../../core/call.ts';
import { decide, decideByPolicies, GUARDS, type StageName, STAGES } from '../../core/decide/decide.ts';
import type { Decision } from '../../core/decision.ts';
import { Reading } from '../../core/match/reading.ts';
import type { Snapshot } from '../../core/decide/snapshot.ts';
import { askFlowRules, decideByFlow, decideByRules } from '../../core/decide/stages.ts';
import { explainRules } from './explain-rules.ts';
import type { Explanation, Known, RulesAccount, Silence, StageAccount } from './explanation.ts';
import { limitsOf, refill } from '../../core/decide/rate-limits.ts';
import type { FlowFinding } from '../../core/finding.ts';
import { findDistrust } from '../../core/registry/trust.ts';

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
  const flows = askFlowRules(call, snapshot);
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

/** The stage that has made a decision of `decide`. */
function stageOf({ reason }: Decision): StageName | undefined {
  if (reason === 'flow') return 'flow';
  return [...GUARDS, ...STAGES].find(({ reasons }) => reasons.includes(reason))?.name;
}

interface StagesAbout {
  readonly call: Call;
  readonly snapshot: Snapshot;
  /** The findings of the flow rules. */
  readonly flow: readonly FlowFinding[];
  readonly decision: Decision;
  /** The decision of the rules, which may have taken long to find. */
  readonly byRules: Decision;
}

/** Explains each stage by itself, in the order in which they are asked. */
function explainStages(about: StagesAbout): readonly StageAccount[] {
  const { call, snapshot, flow, decision, byRules } = about;
  const decisions: readonly (readonly [StageName, Decision | undefined])[] = [
    ...GUARDS.map((guard) => [guard.name, guard.decide(call, snapshot)] as const),
    ['flow', decideByFlow(flow, snapshot)],
    ...STAGES.map((stage) => [stage.name, stage.name === 'rules' ? byRules : stage.decide(call, snapshot)] as const),
  ];
  const end = decisions.findIndex(([, says]) => says?.action === 'deny');
  return decisions.map(([stage, says], at) => ({
    stage,
    says,
    silence: says === undefined ? silenceOf(stage, about) : undefined,
    isSkipped: end !== -1 && at > end,
    hasDecided: stageOf(decision) === stage,
    known: knownOf(stage, about),
  }));
}

function silenceOf(stage: StageName, { call, snapshot, flow, decision }: StagesAbout): Silence {
  const { policy, registry, session, flows, detection, rates } = snapshot;
  const { defaults, pinning, schema, detection: detecting, flow: settings, rateLimits } = policy.policy;
  const isNative = call.origin === 'native';
  const isCounted = CLIENT_CALLS.has(call.method) && !isNative;
  switch (stage) {
    case 'server_policy':
      if (isNative) return 'unconcerned';
      return policy.deniesServer === undefined && defaults.unknownServer === 'allow' ? 'off' : 'clear';
    case 'flow':
      if (!settings.enabled) return 'off';
      if (!isCounted) return 'unconcerned';
      if (session === undefined && flows === undefined) return 'unknown';
      return flow.length > 0 ? 'alert' : 'clear';
    case 'schema':
      if (!schema.enabled) return 'off';
      if (call.method !== 'tools/call' || isNative) return 'unconcerned';
      if (registry?.definition() === undefined) return 'unknown';
      return decision.schema === undefined ? 'clear' : 'alert';
    case 'dlp':
      if (!policy.policy.dlp.enabled) return 'off';
      return decision.dlp === undefined ? 'clear' : 'alert';
    case 'pinning':
      if (!pinning.enabled) return 'off';
      if (registry === undefined) return 'unknown';
      return findDistrust(registry, pinning.trustFirstUse) === undefined ? 'clear' : 'alert';
    case 'rate_limits':
      if (!rateLimits.enabled) return 'off';
      if (!isCounted) return 'unconcerned';
      return rates === undefined ? 'unknown' : 'clear';
    case 'detection':
      if (!detecting.enabled) return 'off';
      if (detection === undefined) return 'unknown';
      return detection.findings.length + detection.ofServer.length > 0 ? 'alert' : 'clear';
    // Rules always say something: there are defaults.
    case 'self':
    case 'rules':
      return 'clear';
  }
}

function knownOf(stage: StageName, { call, snapshot, flow, decision }: StagesAbout): Known {
  const { policy, registry, rates } = snapshot;
  if (stage === 'flow') return flow.length === 0 ? {} : { flow };
  if (stage === 'schema') return decision.schema === undefined ? {} : { faults: decision.schema };
  if (stage === 'dlp')
    return decision.dlp === undefined ? {} : { secrets: decision.dlp, isRedacted: decision.isRedacted === true };
  if (stage === 'pinning' && registry !== undefined) {
    return { pin: registry.status, isServerChanged: registry.isServerChanged };
  }
  if (stage !== 'rate_limits' || rates === undefined) return {};
  const limits = limitsOf(policy.policy.rateLimits, call).map((limit) => {
    const { tokens } = refill(rates.buckets.get(limit.key), limit, rates.now);
    return { ...limit, left: Math.floor(tokens) };
  });
  return { limits };
}
