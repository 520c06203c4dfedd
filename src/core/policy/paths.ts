import type { Call } from '../call.ts';
import type { Selection } from './args.ts';
import type { CompiledArg, CompiledConditions, CompiledPolicy } from './compiled-policy.ts';
import { createMatchContext, type MatchContext } from './match-context.ts';
import type { PathContext } from './path-context.ts';
import { isPlainName, MAX_REAL_PATH } from './path-forms.ts';

export type { PathContext } from './path-context.ts';

const NONE: ReadonlySet<string> = new Set();
const NOTHING_REAL: ReadonlyMap<string, string> = new Map();

/**
 * The absolute paths whose real paths a decision of this call depends on: what its arguments name in any reading, and the folders
 * that patterns start with.
 * Empty unless a rule that the call may match has a path-like matcher, and for remote servers, whose disk is not ours.
 */
export function pathsToResolve(policy: CompiledPolicy, call: Call, paths: PathContext): ReadonlySet<string> {
  if (paths.remote) return NONE;
  let wanted: Set<string> | undefined;
  let context: MatchContext | undefined;
  for (const rule of policy.candidates(call)) {
    // A candidate with nothing left to look at decides; no rule below it is ever asked.
    if (rule.isSettled) break;
    if (!rule.readsPaths) continue;
    wanted ??= new Set();
    context ??= createMatchContext(call.args, paths, NOTHING_REAL);
    addPaths(rule, { call, context, wanted });
    if (rule.unless !== undefined) addPaths(rule.unless, { call, context, wanted });
  }
  return wanted ?? NONE;
}

interface Wanted {
  readonly call: Call;
  readonly context: MatchContext;
  readonly wanted: Set<string>;
}

function addPaths({ resource, args }: CompiledConditions, to: Wanted): void {
  if (resource !== undefined && to.call.resource !== undefined) {
    addSelected(resource, { values: [to.call.resource], keys: [] }, to);
  }
  for (const arg of args) if (arg.pathGlobs.length > 0) addSelected(arg, to.context.select(arg.path), to);
}

function addSelected(
  { pathGlobs }: Pick<CompiledArg, 'pathGlobs'>,
  { values, keys }: Pick<Selection, 'values' | 'keys'>,
  { context, wanted }: Wanted,
): void {
  let isAsked = false;
  for (const text of [...values, ...keys.filter((key) => !isPlainName(key))]) {
    if (typeof text !== 'string' || text.length > MAX_REAL_PATH) continue;
    const { absolute, hasNul } = context.forms(text);
    if (hasNul) continue;
    for (const path of absolute) if (path.length <= MAX_REAL_PATH) wanted.add(path);
    isAsked = true;
  }
  if (!isAsked) return;
  for (const globs of pathGlobs) {
    for (const { base } of globs.patterns(context.paths)) if (base !== undefined) wanted.add(base);
  }
}
