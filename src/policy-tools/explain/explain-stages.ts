import { type Call, CLIENT_CALLS } from '../../core/call.ts';
import { decideByPolicies, GUARDS, type Stage, STAGES } from '../../core/decide/decide.ts';
import { decideBySelf } from '../../core/decide/decide-by-self.ts';
import { limitsOf, refill } from '../../core/decide/rate-limits.ts';
import type { Decision, ReasonCode } from '../../core/decision.ts';
import type { FlowFinding } from '../../core/finding.ts';
import { findDistrust } from '../../core/registry/trust.ts';
import type { Snapshot } from '../../core/decide/snapshot.ts';
import { decideByDetection, decideByFlow, decideByPinning, decideByRate, decideByServer } from '../../core/decide/stages.ts';
import type { Known, Silence, StageAccount, StageName } from './explanation.ts';

/** A stage of `decide` that has no name here is a bug, which a test finds. */
const NAMES: ReadonlyMap<Stage, StageName> = new Map<Stage, StageName>([
  [decideBySelf, 'self'],
  [decideByServer, 'server_policy'],
  [decideByPolicies, 'rules'],
  [decideByPinning, 'pinning'],
  [decideByRate, 'rate_limits'],
  [decideByDetection, 'detection'],
]);

/** The stage whose reason a decision has. The others are the gate's, and no decision of `decide` has them. */
const DECIDED_BY: Readonly<Partial<Record<ReasonCode, StageName>>> = {
  rule: 'rules',
  default: 'rules',
  unknown_method: 'rules',
  nul_byte: 'rules',
  policy_gone: 'rules',
  too_many_paths: 'self',
  self: 'self',
  server_policy: 'server_policy',
  unmapped_tool: 'server_policy',
  pinning: 'pinning',
  flow: 'flow',
  rate_limit: 'rate_limits',
  detection: 'detection',
  internal_error: 'detection',
};

/** The stage that has made a decision of `decide`. */
export function stageOf({ reason }: Decision): StageName | undefined {
  return DECIDED_BY[reason];
}

export interface StagesAbout {
  readonly call: Call;
  readonly snapshot: Snapshot;
  /** What the rules on flow say. */
  readonly flow: readonly FlowFinding[];
  readonly decision: Decision;
  /** What the rules say, which may have taken long to find out. */
  readonly byRules: Decision;
}

/** What each stage says by itself, in the order in which they are asked. */
export function explainStages(about: StagesAbout): readonly StageAccount[] {
  const { call, snapshot, flow, decision, byRules } = about;
  const said: readonly (readonly [StageName, Decision | undefined])[] = [
    ...GUARDS.map((stage) => [nameOf(stage), stage(call, snapshot)] as const),
    ['flow', decideByFlow(flow, snapshot)],
    ...STAGES.map((stage) => [nameOf(stage), stage === decideByPolicies ? byRules : stage(call, snapshot)] as const),
  ];
  const end = said.findIndex(([, says]) => says?.action === 'deny');
  return said.map(([stage, says], at) => ({
    stage,
    says,
    silence: says === undefined ? silenceOf(stage, about) : undefined,
    isSkipped: end !== -1 && at > end,
    hasDecided: stageOf(decision) === stage,
    known: knownOf(stage, about),
  }));
}

function nameOf(stage: Stage): StageName {
  const name = NAMES.get(stage);
  if (name === undefined) throw new Error('a stage of decide has no name');
  return name;
}

function silenceOf(stage: StageName, { call, snapshot, flow }: StagesAbout): Silence {
  const { policy, registry, session, detection, rates } = snapshot;
  const { defaults, pinning, detection: detecting, flow: flows, rateLimits } = policy.policy;
  const isNative = call.origin === 'native';
  const isCounted = CLIENT_CALLS.has(call.method) && !isNative;
  switch (stage) {
    case 'server_policy':
      if (isNative) return 'unconcerned';
      return policy.deniesServer === undefined && defaults.unknownServer === 'allow' ? 'off' : 'clear';
    case 'flow':
      if (!flows.enabled) return 'off';
      if (!isCounted) return 'unconcerned';
      if (session === undefined) return 'unknown';
      return flow.length > 0 ? 'alert' : 'clear';
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

function knownOf(stage: StageName, { call, snapshot, flow }: StagesAbout): Known {
  const { policy, registry, rates } = snapshot;
  if (stage === 'flow') return flow.length === 0 ? {} : { flow };
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
