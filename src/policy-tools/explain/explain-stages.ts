import { type Call, CLIENT_CALLS } from '../../core/call.ts';
import { GUARDS, type StageName, STAGES } from '../../core/decide/decide.ts';
import { limitsOf, refill } from '../../core/decide/rate-limits.ts';
import type { Decision } from '../../core/decision.ts';
import type { FlowFinding } from '../../core/finding.ts';
import { findDistrust } from '../../core/registry/trust.ts';
import type { Snapshot } from '../../core/decide/snapshot.ts';
import { decideByFlow } from '../../core/decide/stages.ts';
import type { Known, Silence, StageAccount } from './explanation.ts';

/** The stage that has made a decision of `decide`. */
export function stageOf({ reason }: Decision): StageName | undefined {
  if (reason === 'flow') return 'flow';
  return [...GUARDS, ...STAGES].find(({ reasons }) => reasons.includes(reason))?.name;
}

export interface StagesAbout {
  readonly call: Call;
  readonly snapshot: Snapshot;
  /** The findings of the flow rules. */
  readonly flow: readonly FlowFinding[];
  readonly decision: Decision;
  /** The decision of the rules, which may have taken long to find. */
  readonly byRules: Decision;
}

/** Explains each stage by itself, in the order in which they are asked. */
export function explainStages(about: StagesAbout): readonly StageAccount[] {
  const { call, snapshot, flow, decision, byRules } = about;
  const said: readonly (readonly [StageName, Decision | undefined])[] = [
    ...GUARDS.map(({ name, decide }) => [name, decide(call, snapshot)] as const),
    ['flow', decideByFlow(flow, snapshot)],
    ...STAGES.map(({ name, decide }) => [name, name === 'rules' ? byRules : decide(call, snapshot)] as const),
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
