import { type Call, NATIVE_SERVER } from '../call.ts';
import type { Action } from '../decision.ts';
import { isSettled } from '../match/compile.ts';
import type { CompiledPolicy, CompiledRule } from '../match/compiled-policy.ts';
import { matchesNames } from '../match/evaluate.ts';

/** The facts about a model's tool call before its arguments are known. */
export interface NamedCall extends Pick<Call, 'method' | 'server' | 'origin'> {
  readonly tool: string;
}

/** `needs_args`: the name alone does not decide. */
export type NameOutcome = 'allow' | 'deny' | 'needs_args';

/**
 * The outcome of rules, `[defaults]` and `[server_policy]` for a call, if all arguments, categories and definitions of the tool lead to the
 * same. A person is asked about arguments, so `prompt` always needs them. Other stages (self, pinning, flow, rate limits) may still deny an
 * `allow`.
 */
export function nameOutcome(policy: CompiledPolicy, call: NamedCall): NameOutcome {
  if (isDeniedServer(policy, call)) return 'deny';
  const outcome = settledOutcome(possibleActions(policy, call, defaultAction(policy, call)));
  if (policy.project === undefined || outcome === 'deny') return outcome;
  // The stricter of the two wins, and a project has no defaults: calls that none of its rules match are left to the user's policy.
  const other = settledOutcome(possibleActions(policy.project, call, 'allow'));
  return other === 'allow' ? outcome : other;
}

/** The actions of all rules that may be the first to match, with `otherwise` if possibly none does. */
function possibleActions(policy: CompiledPolicy, call: NamedCall, otherwise: Action): ReadonlySet<Action> {
  const actions = new Set<Action>();
  for (const rule of policy.candidates(call)) {
    if (call.origin === 'native' && !rule.coversNative) continue;
    const chance = chanceOf(rule, call);
    if (chance !== 'none') actions.add(rule.decision.action);
    if (chance === 'certain') return actions;
    // Any rule that would have to read a path with a NUL byte denies it, even one with an exception for the call.
    if (rule.readsPaths) actions.add('deny');
  }
  return actions.add(otherwise);
}

/** The chance that a rule matches whose method, server and names do. */
function chanceOf(rule: CompiledRule, call: NamedCall): 'certain' | 'possible' | 'none' {
  const { unless } = rule;
  if (rule.isSettled) return 'certain';
  if (unless === undefined || !matchesNames(unless, call)) return isSettled(rule) ? 'certain' : 'possible';
  // An exception for a resource does not apply to a tool, and one without further conditions always holds.
  return isSettled(unless) ? 'none' : 'possible';
}

function settledOutcome(actions: ReadonlySet<Action>): NameOutcome {
  const [only = 'prompt', ...others] = actions;
  return others.length > 0 || only === 'prompt' ? 'needs_args' : only;
}

/** Applies `server_policy`, which precedes all rules, as `decideByServer` does. */
function isDeniedServer({ deniesServer, policy }: CompiledPolicy, { server, origin }: NamedCall): boolean {
  if (origin === 'native') return false;
  if (server === NATIVE_SERVER || deniesServer?.(server) === true) return true;
  return origin === 'unmapped' && policy.defaults.unmappedTool === 'deny';
}

function defaultAction({ policy, isGone }: CompiledPolicy, { origin }: NamedCall): Action {
  if (isGone) return 'deny';
  if (origin === undefined) return policy.defaults.action;
  return origin === 'native' ? policy.defaults.native : 'allow';
}
