import { type Call, CALL_METHODS } from '../call.ts';
import type { Action, Decision, ReasonCode } from '../decision.ts';
import { Reading } from '../match/reading.ts';
import {
  askFlowRules,
  decideByDetection,
  decideByDlp,
  decideByFlow,
  decideByPinning,
  decideByRate,
  decideByRules,
  decideBySchema,
  decideByServer,
} from './stages.ts';
import type { Snapshot } from './snapshot.ts';
import { type PathContext, toSlashes } from '../paths/absolute-path.ts';
import { foldPath, spellings } from '../paths/path-forms.ts';
import { MOST_PATHS } from '../match/paths-to-resolve.ts';
import { findSchemaFaults } from '../schema/arguments-schema.ts';
import { onArgumentsOf, secretsOfCall } from '../outgoing/secrets-of-call.ts';
import { findReach, type Reach } from '../self/find-reach.ts';
import { holdsOwn, isOwn, NO_OWN_PATHS, type OwnPaths } from '../self/own-paths.ts';

/** Names of stages, as in a policy. */
export type StageName = 'self' | 'server_policy' | 'flow' | 'rules' | 'schema' | 'dlp' | 'pinning' | 'rate_limits' | 'detection';

/** One stage of a decision. */
export interface Stage {
  readonly name: StageName;
  /** The reasons of its decisions. */
  readonly reasons: readonly ReasonCode[];
  /** Its own decision, or undefined if it has no objection. */
  readonly decide: (call: Call, snapshot: Snapshot) => Decision | undefined;
}

/** The stages that precede any rule, in order. They only deny, and no policy can let a call past `self`. */
export const GUARDS: readonly Stage[] = [
  { name: 'self', reasons: ['self', 'too_many_paths'], decide: decideBySelf },
  { name: 'server_policy', reasons: ['server_policy', 'unmapped_tool'], decide: decideByServer },
];

/** The stages after the flow rules, in order. `rules` always has a decision; the others have one only to prompt or deny. */
export const STAGES: readonly Stage[] = [
  { name: 'rules', reasons: ['rule', 'default', 'unknown_method', 'nul_byte', 'policy_gone'], decide: decideByPolicies },
  { name: 'schema', reasons: ['schema'], decide: decideBySchema },
  { name: 'dlp', reasons: ['dlp'], decide: decideByDlp },
  { name: 'pinning', reasons: ['pinning'], decide: decideByPinning },
  { name: 'rate_limits', reasons: ['rate_limit'], decide: decideByRate },
  { name: 'detection', reasons: ['detection', 'internal_error'], decide: decideByDetection },
];

const NOTHING_FOUND = { findings: [], ofServer: [] } as const;

const STRICTNESS: Readonly<Record<Action, number>> = { allow: 0, prompt: 1, deny: 2 };

/**
 * Decides a call: `GUARDS`, then flow rules, then `STAGES`; the first denial ends it. Pure: the same call and snapshot give the same
 * decision. Findings of detection, and of flow rules if no guard denies, are kept with the decision, whichever stage makes it.
 */
export function decide(call: Call, taken: Snapshot): Decision {
  if (call.isAnswer === true) return decideAnswer(call, taken);
  const snapshot: Snapshot = taken.reading === undefined ? { ...taken, reading: new Reading(taken.paths) } : taken;
  const decision = withSecrets(withFaults(decideWithFlow(call, snapshot), call, snapshot), call, snapshot);
  const { findings, ofServer } = snapshot.detection ?? NOTHING_FOUND;
  const lacksFindings = decision.findings.length === 0 && findings.length + ofServer.length > 0;
  return lacksFindings && snapshot.policy.policy.detection.enabled
    ? { ...decision, findings: [...findings, ...ofServer] }
    : decision;
}

/** Decides an answer: its request was decided already. */
function decideAnswer(call: Call, snapshot: Snapshot): Decision {
  const passed: Decision = { action: 'allow', reason: 'default', findings: [], policyHash: snapshot.policy.hash };
  return withSecrets(decideByDlp(call, snapshot) ?? passed, call, snapshot);
}

/** Adds the faults of arguments, also if they only alert. */
function withFaults(decision: Decision, call: Call, { policy, registry }: Snapshot): Decision {
  if (decision.schema !== undefined) return decision;
  const faults = findSchemaFaults(call, registry, policy.policy.schema);
  return faults.length === 0 ? decision : { ...decision, schema: faults };
}

/** Adds the secrets in arguments, also if they only alert, and whether they are taken out. */
function withSecrets(decision: Decision, call: Call, snapshot: Snapshot): Decision {
  const { policy } = snapshot;
  const dlp = decision.dlp ?? secretsOfCall(call, snapshot);
  if (dlp.length === 0) return decision;
  const isRedacted = decision.action !== 'deny' && onArgumentsOf(policy.policy, call.server) === 'redact';
  return { ...decision, dlp, ...(isRedacted && { isRedacted }) };
}

function decideWithFlow(call: Call, snapshot: Snapshot): Decision {
  for (const guard of GUARDS) {
    const denial = guard.decide(call, snapshot);
    if (denial !== undefined) return denial;
  }
  if (snapshot.session === undefined && snapshot.flows === undefined) return decideFurther(call, snapshot, undefined);
  const flows = askFlowRules(call, snapshot);
  const decision = decideFurther(call, flows.snapshot, decideByFlow(flows.findings, snapshot));
  return flows.findings.length === 0 ? decision : { ...decision, flow: flows.findings };
}

/**
 * Runs `STAGES`. The strictest decision wins. Of two prompts, that of a later stage wins: it names a changed definition, where a rule asks
 * about every call. A flow's prompt wins over a rule's for the same reason.
 */
function decideFurther(call: Call, snapshot: Snapshot, byFlow: Decision | undefined): Decision {
  if (byFlow?.action === 'deny') return byFlow;
  let decision = byFlow;
  for (const stage of STAGES) {
    const other = stage.decide(call, snapshot);
    if (other === undefined) continue;
    if (other.action === 'deny') return other;
    const isStricter = decision === undefined || STRICTNESS[other.action] > STRICTNESS[decision.action];
    if (isStricter || (stage.name !== 'rules' && other.action === decision?.action)) decision = other;
  }
  return decision ?? decideByDefault(call, snapshot);
}

/** Applies the rules of the user's policy and those of the project; the stricter decision wins. */
export function decideByPolicies(call: Call, snapshot: Snapshot): Decision {
  const decision = decideByPolicy(call, snapshot);
  const { project } = snapshot.policy;
  if (project === undefined || decision.action === 'deny') return decision;
  const other = decideByProject(call, { ...snapshot, policy: project });
  return other !== undefined && rankOf(other) > rankOf(decision) ? other : decision;
}

/** Ranks a decision: a prompt that demands a person is stricter than another. */
function rankOf({ action, rule }: Decision): number {
  return STRICTNESS[action] + (rule?.requirePerson === true ? 0.5 : 0);
}

function decideByPolicy(call: Call, snapshot: Snapshot): Decision {
  const decision = decideByRules(call, snapshot);
  if (call.like === undefined) return decision ?? decideByDefault(call, snapshot);
  return withLike(decision, decideByPolicy(call.like, snapshot));
}

/** Applies a project's rules. A project has no defaults, so it decides nothing about calls that no rule matches. */
function decideByProject(call: Call, snapshot: Snapshot): Decision | undefined {
  const decision = decideByRules(call, snapshot);
  return call.like === undefined ? decision : withLike(decision, decideByProject(call.like, snapshot));
}

/**
 * Combines the decisions on a call and its equivalent. A rule that denies or prompts on the equivalent applies to the call too, unless a
 * rule above it matches the call itself: without permission to read a resource, a subscription or a completion must not show it either. An
 * allowance of the equivalent counts only if no rule matches the call.
 */
function withLike<Like extends Decision | undefined>(own: Decision | undefined, like: Like): Decision | Like {
  if (own === undefined) return like;
  if (own.rule === undefined || like?.rule === undefined || like.action === 'allow') return own;
  return like.rule.index < own.rule.index ? like : own;
}

function decideByDefault(call: Call, { policy }: Snapshot): Decision {
  const { action, unknownMethods, native } = policy.policy.defaults;
  const rest = { findings: [], policyHash: policy.hash };
  const isCall = CALL_METHODS.has(call.method);
  if (policy.isGone && (isCall || call.isUnknownMethod === true)) return { action: 'deny', reason: 'policy_gone', ...rest };
  if (call.origin === 'native') return { action: native, reason: 'default', ...rest };
  // `decideByServer` has denied these already if the policy wants that.
  if (call.origin === 'unmapped') return { action: 'allow', reason: 'default', ...rest };
  if (isCall) return { action, reason: 'default', ...rest };
  if (call.isUnknownMethod === true && unknownMethods === 'deny') return { action: 'deny', reason: 'unknown_method', ...rest };
  return { action: 'allow', reason: 'default', ...rest };
}

const NONE: ReadonlySet<string> = new Set();

/**
 * Denies a call that reaches for clawai's own files or for what they depend on, or that runs a clawai command that changes anything.
 * Undefined for all other calls.
 */
function decideBySelf(
  call: Call,
  { policy, paths, own = NO_OWN_PATHS, reading = new Reading(paths), reach = findReach(call, reading, own), realPaths }: Snapshot,
): Decision | undefined {
  const rest = { findings: [], policyHash: policy.hash };
  if (isTooMuch(reach)) return { action: 'deny', reason: 'too_many_paths', ...rest };
  if (!reach.isOurs && !leadsToOwn(reach.toResolve, { paths, own, realPaths })) return undefined;
  return { action: 'deny', reason: 'self', ...rest };
}

/** The absolute paths whose real paths `decideBySelf` depends on; undefined if there are more than `MOST_PATHS`. */
export function ownPathsToResolve(reach: Reach, { remote }: PathContext, own: OwnPaths): ReadonlySet<string> | undefined {
  if (isTooMuch(reach)) return undefined;
  // Without own files, nothing can lead to them.
  if (reach.isOurs || remote || own.roots.length === 0 || reach.toResolve.size === 0) return NONE;
  return new Set(reach.toResolve.keys());
}

/** Tells whether a call names more paths than can be checked. One that surely reaches our files needs no further check. */
function isTooMuch({ isOurs, toResolve, texts }: Reach): boolean {
  return !isOurs && (toResolve.size > MOST_PATHS || texts > MOST_PATHS);
}

/** The facts about this machine's files. */
type Disk = Required<Pick<Snapshot, 'paths' | 'own' | 'realPaths'>>;

/** Tells whether the real path of one of these is ours. `toResolve`: by absolute path, true if the call removes it, and so all in it. */
function leadsToOwn(toResolve: ReadonlyMap<string, boolean>, { paths, own, realPaths }: Disk): boolean {
  for (const [path, isRemoved] of toResolve) {
    const real = realPaths.get(path);
    // A path that is its own real path was compared already.
    if (real === undefined || real === path) continue;
    for (const spelling of spellings(paths.platform === 'windows' ? toSlashes(real) : real)) {
      const folded = foldPath(spelling, paths.platform);
      if (isOwn(folded, own) || (isRemoved && holdsOwn(folded, own))) return true;
    }
  }
  return false;
}
