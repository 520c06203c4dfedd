import { type Call, NATIVE_SERVER } from '../call.ts';
import type { Action } from '../decision.ts';
import { isSettled } from '../match/compile.ts';
import type { CompiledPolicy, CompiledRule } from '../match/compiled-policy.ts';
import { matchesNames } from '../match/evaluate.ts';

/** What is known of a model's tool call before its arguments are. */
export interface NamedCall extends Pick<Call, 'method' | 'server' | 'origin'> {
  readonly tool: string;
}

/** `needs_args`: the name does not settle it. */
export type NameOutcome = 'allow' | 'deny' | 'needs_args';

/**
 * What the rules, `[defaults]` and `[server_policy]` make of a call whatever its arguments are, what kind of tool it is and how it is
 * defined. Where it is `allow` or `deny`, they come to the same for any arguments; a person who has to be asked is asked about arguments,
 * so `prompt` is never settled. Other guards (what protects clawai itself, pins, flow, rates) may still deny what is `allow` here.
 */
export function nameOutcome(policy: CompiledPolicy, call: NamedCall): NameOutcome {
  if (isDeniedServer(policy, call)) return 'deny';
  const outcome = settledOutcome(possibleActions(policy, call, defaultAction(policy, call)));
  if (policy.project === undefined || outcome === 'deny') return outcome;
  // The stricter of the two stands, and a project has no defaults: what none of its rules is about is left to the user's policy.
  const other = settledOutcome(possibleActions(policy.project, call, 'allow'));
  return other === 'allow' ? outcome : other;
}

/** The actions of all rules that may be the first to match; `otherwise` where it may be that none does. */
function possibleActions(policy: CompiledPolicy, call: NamedCall, otherwise: Action): ReadonlySet<Action> {
  const actions = new Set<Action>();
  for (const rule of policy.candidates(call)) {
    if (call.origin === 'native' && !rule.coversNative) continue;
    const chance = chanceOf(rule, call);
    if (chance !== 'none') actions.add(rule.decision.action);
    if (chance === 'certain') return actions;
    // A path with a NUL byte is denied by whatever rule would have to read it, also one that an exception takes back.
    if (rule.readsPaths) actions.add('deny');
  }
  return actions.add(otherwise);
}

/** How likely is it that a rule whose method, server and names match does so? */
function chanceOf(rule: CompiledRule, call: NamedCall): 'certain' | 'possible' | 'none' {
  const { unless } = rule;
  if (rule.isSettled) return 'certain';
  if (unless === undefined || !matchesNames(unless, call)) return isSettled(rule) ? 'certain' : 'possible';
  // An exception for a resource is none for a tool, and one that asks for nothing more always holds.
  return isSettled(unless) ? 'none' : 'possible';
}

function settledOutcome(actions: ReadonlySet<Action>): NameOutcome {
  const [only = 'prompt', ...others] = actions;
  return others.length > 0 || only === 'prompt' ? 'needs_args' : only;
}

/** By the guard that stands before all rules. */
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
