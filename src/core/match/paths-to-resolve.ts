import { argsOf, type Call } from '../call.ts';
import type { Selection } from './args.ts';
import type { CompiledArg, CompiledConditions, CompiledPolicy, CompiledRule } from './compiled-policy.ts';
import { createMatchContext, type MatchContext, type Place } from './match-context.ts';
import { commandsIn, proseIn } from './match.ts';
import type { Reading } from './reading.ts';
import { MAX_REAL_PATH } from '../paths/shorten-path.ts';
import { oddKeys } from '../paths/path-forms.ts';

export type { PathContext } from '../paths/absolute-path.ts';

const NONE: ReadonlySet<string> = new Set();
const NOTHING_REAL: ReadonlyMap<string, string> = new Map();

/**
 * Paths and texts read as paths that one call may have. Each costs some microseconds in which nothing else happens here; a call
 * that has more is denied, since looking at a part of them would be a way around a rule.
 */
export const MOST_PATHS = 4096;

/**
 * The absolute paths whose real paths a decision of this call depends on: what it and all that it amounts to name in any reading, and the
 * folders that patterns start with. Empty unless a rule that the call may match has a path-like matcher, and for remote servers, whose
 * disk is not ours. Undefined when there are more than `MOST_PATHS`, of paths or of texts to read as such; found out without
 * looking at them all.
 *
 * @param runsCommands says what kind of tool is called, if that is known
 */
export function pathsToResolve(
  policy: CompiledPolicy,
  call: Call,
  reading: Reading,
  runsCommands?: Place['runsCommands'],
): ReadonlySet<string> | undefined {
  let wanted: Set<string> | undefined;
  const texts = new Set<string>();
  for (let about: Call | undefined = call; about !== undefined; about = about.like) {
    let context: MatchContext | undefined;
    for (const rule of readersOf(policy, about)) {
      wanted ??= new Set();
      const own = about === call ? { runsCommands } : {};
      context ??= createMatchContext(argsOf(about), { reading, realPaths: NOTHING_REAL, ...own });
      addPaths(rule, { call: about, context, wanted, texts });
      if (rule.unless !== undefined) addPaths(rule.unless, { call: about, context, wanted, texts });
      if (texts.size > MOST_PATHS || wanted.size > MOST_PATHS) return undefined;
    }
  }
  return wanted === undefined || reading.paths.remote ? NONE : wanted;
}

/** The rules of both policies that read paths and may be asked about this call. */
function readersOf(policy: CompiledPolicy, call: Call): readonly CompiledRule[] {
  const readers: CompiledRule[] = [];
  for (const asked of policy.project === undefined ? [policy] : [policy, policy.project]) {
    for (const rule of asked.candidates(call)) {
      // A candidate with nothing left to look at decides; no rule below it is ever asked.
      if (rule.isSettled) break;
      if (rule.readsPaths) readers.push(rule);
    }
  }
  return readers;
}

interface Wanted {
  readonly call: Call;
  readonly context: MatchContext;
  readonly wanted: Set<string>;
  readonly texts: Set<string>;
}

function addPaths({ mode, resource, args }: CompiledConditions, to: Wanted): void {
  if (resource !== undefined && to.call.resource !== undefined) {
    addSelected(resource, { values: [to.call.resource], embedded: [], keys: [] }, to);
  }
  for (const arg of args) {
    if (arg.pathGlobs.length === 0) continue;
    const selection = to.context.select(arg.path);
    // A `not` looks at all texts.
    const prose = mode === 'possible' && !arg.hasNot ? proseIn(selection, to.context) : undefined;
    addSelected(arg, selection, to, prose);
    const lines = mode === 'possible' || arg.hasNot ? commandsIn(selection, to.context)?.values() : undefined;
    for (const line of lines ?? []) addSelected(arg, { values: to.context.commandPaths(line), embedded: [], keys: [] }, to);
  }
}

function addSelected(
  { pathGlobs }: Pick<CompiledArg, 'pathGlobs'>,
  { values, embedded, keys }: Pick<Selection, 'values' | 'embedded' | 'keys'>,
  { context, wanted, texts }: Wanted,
  prose?: ReadonlySet<string>,
): void {
  let isAsked = false;
  for (const text of [...values, ...embedded, ...oddKeys(keys)]) {
    if (typeof text !== 'string' || prose?.has(text) === true) continue;
    texts.add(text);
    if (texts.size > MOST_PATHS || wanted.size > MOST_PATHS) return;
    const { absolute, climbing, hasNul } = context.forms(text);
    if (hasNul) continue;
    for (const path of absolute) if (path.length <= MAX_REAL_PATH) wanted.add(path);
    for (const path of climbing) if (path.length <= MAX_REAL_PATH) wanted.add(path);
    isAsked ||= absolute.length > 0;
  }
  if (!isAsked) return;
  for (const globs of pathGlobs) {
    for (const { base } of globs.patterns(context.paths)) if (base !== undefined) wanted.add(base);
  }
}
