import { type Call, CALL_METHODS, NATIVE_SERVER } from '../call.ts';
import { limitsOf, take } from './rate-limits.ts';
import type { Decision } from '../decision.ts';
import type { FlowFinding, RateExcess } from '../finding.ts';
import { findFlows } from '../flow/find-flows.ts';
import { createEvaluated, type Evaluated, evaluateRule } from '../match/evaluate.ts';
import { createSubject } from '../match/subject.ts';
import { findSchemaFaults } from '../schema/arguments-schema.ts';
import { canRedact, onArgumentsOf, secretsOfCall } from '../outgoing/secrets-of-call.ts';
import { findDistrust } from '../registry/trust.ts';
import type { Snapshot } from './snapshot.ts';

const NOTHING: readonly FlowFinding[] = [];

/** The findings of flow rules in a call, and the snapshot for later stages, with the categories if they were computed. */
interface Flows {
  /** The deciding one first. */
  readonly findings: readonly FlowFinding[];
  readonly snapshot: Snapshot;
}

/**
 * Denies calls to and from a forbidden server. If the policy says so, it also denies tools that their server never listed, and tools whose
 * name belongs to no known server. A server with the name of the agent's own tools would get their rules, so it is forbidden. Undefined for
 * all others, and for messages that are no calls: the client must be able to connect, or it would never receive the denials.
 */
export function decideByServer(call: Call, { policy, registry }: Snapshot): Decision | undefined {
  if (call.origin === 'native') return undefined;
  if (isReviewed(call) && (call.server === NATIVE_SERVER || policy.deniesServer?.(call.server) === true)) {
    return { action: 'deny', reason: 'server_policy', findings: [], policyHash: policy.hash };
  }
  if (call.origin === 'unmapped' && policy.policy.defaults.unmappedTool === 'deny') {
    return { action: 'deny', reason: 'unmapped_tool', findings: [], policyHash: policy.hash };
  }
  if (policy.policy.defaults.unknownServer === 'allow' || call.tool === undefined || registry?.status !== 'unlisted') {
    return undefined;
  }
  return { action: 'deny', reason: 'server_policy', distrust: { what: 'unlisted' }, findings: [], policyHash: policy.hash };
}

function isReviewed({ method, like, isUnknownMethod }: Call): boolean {
  return CALL_METHODS.has(method) || like !== undefined || isUnknownMethod === true;
}

/**
 * Decides by the first rule that matches, in file order; undefined if none does. Calls of the agent's own tools match only rules that name
 * `native`.
 */
export function decideByRules(call: Call, snapshot: Snapshot): Decision | undefined {
  const { policy, matches } = snapshot;
  let evaluated: Evaluated | undefined;
  for (const rule of policy.candidates(call)) {
    if (call.origin === 'native' && !rule.coversNative) continue;
    if (rule.isSettled) return rule.decision;
    evaluated ??= { ...createEvaluated(call, snapshot), matches };
    const outcome = evaluateRule(rule, evaluated);
    if (outcome === 'match') return rule.decision;
    if (outcome === 'nul') return { action: 'deny', reason: 'nul_byte', rule: rule.ref, findings: [], policyHash: policy.hash };
  }
  return undefined;
}

/** Applies the flow rules. No findings if flow is off, or if the snapshot has no session. */
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

/** Denies or prompts by the first finding of `askFlowRules`. Undefined without findings, or if all of them only alert. */
export function decideByFlow(flow: readonly FlowFinding[], { policy }: Snapshot): Decision | undefined {
  const [first] = flow;
  if (first === undefined || first.action === 'alert') return undefined;
  return { action: first.action, reason: 'flow', flow, findings: [], policyHash: policy.hash };
}

/** Denies or prompts where the arguments do not fit the tool's schema. Undefined if they fit, or if that only alerts. */
export function decideBySchema(call: Call, { policy, registry }: Snapshot): Decision | undefined {
  const { schema: settings } = policy.policy;
  if (settings.onMismatch === 'alert') return undefined;
  const schema = findSchemaFaults(call, registry, settings);
  return schema.length === 0
    ? undefined
    : { action: settings.onMismatch, reason: 'schema', schema, findings: [], policyHash: policy.hash };
}

/**
 * Denies or prompts if the arguments contain secrets; denies too if they are to be taken out and that is impossible. Undefined without
 * secrets, or if they only alert.
 */
export function decideByDlp(call: Call, snapshot: Snapshot): Decision | undefined {
  const { policy } = snapshot;
  const onArguments = onArgumentsOf(policy.policy, call.server);
  if (onArguments === 'alert') return undefined;
  const dlp = secretsOfCall(call, snapshot);
  if (dlp.length === 0 || (onArguments === 'redact' && canRedact(call, dlp))) return undefined;
  const action = onArguments === 'prompt' ? 'prompt' : 'deny';
  return { action, reason: 'dlp', dlp, findings: [], policyHash: policy.hash };
}

/** Denies or prompts if a call's definition, or its server, is not the trusted one. Undefined for all others. */
export function decideByPinning(_call: Call, { policy, registry }: Snapshot): Decision | undefined {
  if (registry === undefined) return undefined;
  const { enabled, trustFirstUse, onChange } = policy.policy.pinning;
  if (!enabled || onChange === 'alert') return undefined;
  const distrust = findDistrust(registry, trustFirstUse);
  if (distrust === undefined) return undefined;
  const action = onChange === 'prompt' ? 'prompt' : 'deny';
  return { action, reason: 'pinning', distrust, findings: [], policyHash: policy.hash };
}

/** Denies or prompts if detection found something in a call's definition that no person has approved. Undefined for all others. */
export function decideByDetection(_call: Call, { policy, detection }: Snapshot): Decision | undefined {
  const { enabled, onDefinition, requireApproval } = policy.policy.detection;
  if (!enabled || detection === undefined) return undefined;
  const { findings, ofServer, isApproved } = detection;
  const rest = { reason: 'detection', policyHash: policy.hash } as const;
  if (!isApproved && findings.length > 0) {
    const foundIn = 'definition';
    if (onDefinition !== 'alert') return { action: 'deny', foundIn, findings, ...rest };
    const isCritical = findings.some(({ severity }) => severity === 'critical');
    if (requireApproval && isCritical) return { action: 'prompt', foundIn, findings, ...rest };
  }
  if (detection.hasFailed === true && (onDefinition !== 'alert' || requireApproval))
    return { action: 'deny', reason: 'internal_error', findings: [], policyHash: policy.hash };
  // With "hide", the model never gets these instructions.
  if (onDefinition === 'deny' && ofServer.length > 0)
    return { action: 'deny', foundIn: 'instructions', findings: ofServer, ...rest };
  return undefined;
}

/**
 * Denies a call if a bucket has no token, and reports the longest wait. It takes no token: `Rates.spend` does when the call goes on.
 * Undefined for all others, and if nothing is limited.
 */
export function decideByRate(call: Call, { policy, rates }: Snapshot): Decision | undefined {
  if (rates === undefined) return undefined;
  let excess: RateExcess | undefined;
  for (const limit of limitsOf(policy.policy.rateLimits, call)) {
    const taking = take(rates.buckets.get(limit.key), limit, rates.now);
    if (taking.isTaken || taking.retryAfter <= (excess?.retryAfter ?? 0)) continue;
    excess = { limit, retryAfter: taking.retryAfter };
  }
  if (excess === undefined) return undefined;
  return { action: 'deny', reason: 'rate_limit', excess, findings: [], policyHash: policy.hash };
}
