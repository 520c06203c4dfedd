import type { Action } from '../../../core/decision.ts';
import type { CompiledPolicy } from '../../../core/match/compile.ts';
import type { PathContext } from '../../../core/match/paths-to-resolve.ts';

/** The action of a decision, and its decider. */
export interface Side {
  readonly action: Action;
  /** The decider: a rule's name, else the guard, such as `flow:burst` or `pinning`, else `default`. */
  readonly by: string;
}

/** Reasons why the outcome of a call can't be told. */
export const DOUBTS = {
  args: 'its arguments are redacted or cut where a rule looks',
  name: 'its name is redacted or cut',
  server: 'whether its name was that of a known server is not on record',
  definition: 'whether its definition was trusted then is not on record',
  fingerprint: 'its fingerprint is not on record',
  category: 'what kind of tool it is was not recorded',
  detection: 'whether what was found in it had been approved is not on record',
  value: 'whether its arguments have a value of an earlier result in them is not on record',
  other: 'it came to another decision then by the same policy: paths, links or definitions were others',
  failure: 'it was denied since clawai failed, which says nothing about a policy',
} as const;
export type Doubt = keyof typeof DOUBTS;

/** Reasons of denials that no policy has decided. */
export const FAILURES: ReadonlySet<string> = new Set(['internal_error', 'audit_unavailable']);

/** The outcome of a call on record. `unknown`: facts that are not on record may make a difference. */
export type Verdict =
  | { readonly kind: 'same'; readonly to: Side }
  | { readonly kind: 'flip'; readonly from: Side; readonly to: Side }
  | { readonly kind: 'unknown'; readonly why: Doubt; readonly from: Side };

interface Assuming {
  readonly policies: readonly CompiledPolicy[];
  readonly paths: PathContext;
  /** True if a registry tells what was listed and trusted. */
  readonly hasRegistry: boolean;
  /** True if only the newest calls are replayed. */
  readonly isLimited: boolean;
  /** True if a project's policy decided some of the calls. */
  readonly hasProject: boolean;
}

/** Lists what a replay assumes about facts that are not on record, a sentence each, if the policies ask for them. */
export function whatIsAssumed({ policies, paths, hasRegistry, isLimited, hasProject }: Assuming): readonly string[] {
  const isSome = (asks: (policy: CompiledPolicy) => boolean): boolean => policies.some(asks);
  const notes: string[] = [];
  if (isSome(({ rules }) => rules.some(({ readsPaths }) => readsPaths)))
    notes.push(`paths are read for the home ${paths.home} and the working directory ${paths.cwd}, and links are not followed`);
  if (isSome(pins)) {
    const where = hasRegistry ? 'neither the registry nor the record says' : 'the record does not say';
    notes.push(`definitions count as trusted where ${where} otherwise`);
  }
  if (isSome(acts))
    notes.push(
      'flows between servers are found by kinds of tools, times and turns; who is asked is taken to say yes unless a no is on record',
    );
  if (isSome(limits)) notes.push('rate limits begin with full buckets, and calls come as they came');
  if ((isSome(acts) || isSome(limits)) && isLimited)
    notes.push('calls before the newest ones count for nothing in flows and rates');
  if (isSome(detects)) notes.push('what detection found then is what it finds now: texts are not on record');
  if (hasProject)
    notes.push("a project's policy counts only for what it has decided: what it says of other calls is not on record");
  return notes;
}

function pins({ policy: { pinning, defaults } }: CompiledPolicy): boolean {
  return (pinning.enabled && pinning.onChange !== 'alert') || defaults.unknownServer === 'deny';
}

function acts({ policy: { flow } }: CompiledPolicy): boolean {
  return (
    flow.enabled &&
    [flow.readThenSend, flow.crossServerFlow, flow.steeredCall, flow.burst].some(
      ({ enabled, action }) => enabled && action !== 'alert',
    )
  );
}

function limits({ policy: { rateLimits } }: CompiledPolicy): boolean {
  return rateLimits.enabled;
}

function detects({ policy: { detection } }: CompiledPolicy): boolean {
  return detection.enabled && (detection.onDefinition !== 'alert' || detection.requireApproval);
}
