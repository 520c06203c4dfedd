import { argsOf, type Call } from '../call.ts';
import type { JsonValue } from '../json.ts';
import type { CompiledArg, CompiledConditions, CompiledRule } from './compiled-policy.ts';
import { createMatchContext, type MatchContext, type Place } from './match-context.ts';
import { type MatchOptions, matchesSelection, proseIn } from './match.ts';
import { matchesName } from './compile-matcher.ts';
import type { PathContext } from '../paths/absolute-path.ts';
import type { Selection } from './args.ts';
import { Reading } from './reading.ts';
import { createSubject, matchesSubject, runsCommands, type Subject } from './subject.ts';

/** `nul`: a value that the rule reads as a path contains a NUL byte. */
export type Outcome = 'match' | 'miss' | 'nul';

/** The condition of a rule on an argument, or on a URI, which has no path. */
export type Asked = Pick<CompiledArg, 'matcher'> & Partial<Pick<CompiledArg, 'path'>>;

/** Tells whether the values that a path selected match. */
export type MatchArg = (asked: Asked, selection: Selection, options: MatchOptions) => boolean;

type Known = Parameters<typeof createSubject>[1] &
  Pick<Place, 'realPaths'> & { readonly paths: PathContext; readonly reading?: Reading };

/** A call with what its evaluation needs. */
export interface Evaluated {
  readonly call: Call;
  readonly subject: Subject;
  readonly context: MatchContext;
  /** Tells whether an argument matches; absent if all arguments are known, and then their values tell. */
  readonly matches?: MatchArg | undefined;
}

/** Prepares a call for evaluation with the facts of a snapshot. */
export function createEvaluated(call: Call, known: Known): Evaluated {
  const subject = createSubject(call, known);
  const { reading = new Reading(known.paths), realPaths } = known;
  const context = createMatchContext(argsOf(call), { reading, realPaths, runsCommands: runsCommands(subject) });
  return { call, subject, context };
}

const matchesKnown: MatchArg = ({ matcher }, selection, options) => matchesSelection(matcher, selection, options);

/** Evaluates what the index left open of a candidate rule: URI, arguments, category, fingerprint and `unless`. */
export function evaluateRule(rule: CompiledRule, of: Evaluated): Outcome {
  const outcome = evaluateValues(rule, of);
  if (outcome !== 'match' || rule.unless === undefined) return outcome;
  const { unless } = rule;
  if (!matchesNames(unless, of.call)) return 'match';
  const excepted = evaluateValues(unless, of);
  if (excepted === 'nul') return 'nul';
  return excepted === 'match' ? 'miss' : 'match';
}

/** Tells whether method, server, tool and prompt match, if they are given. */
export function matchesNames(conditions: CompiledConditions, call: Call): boolean {
  return (
    matchesField(conditions.method, call.method) &&
    matchesField(conditions.server, call.server) &&
    matchesField(conditions.tool, call.tool) &&
    matchesField(conditions.prompt, call.prompt)
  );
}

/** Tells whether one name matches; true if the rule does not ask for it. */
export function matchesField(matcher: CompiledConditions['tool'], name: string | undefined): boolean {
  return matcher === undefined || (name !== undefined && matchesName(matcher, name));
}

function evaluateValues(conditions: CompiledConditions, { call, subject, context, matches = matchesKnown }: Evaluated): Outcome {
  const { resource, args, mode } = conditions;
  let isMissed = false;
  if (resource !== undefined) {
    if (call.resource === undefined) return 'miss';
    const uri = selectOne(call.resource);
    if (hasNul(resource, uri, { mode, context })) return 'nul';
    isMissed = !matches(resource, uri, { mode, context });
  }
  for (const arg of args) {
    // Past the first miss only a NUL byte can still change the outcome, and only path-like arguments have one.
    if (isMissed && arg.pathGlobs.length === 0) break;
    const selection = context.select(arg.path);
    if (hasNul(arg, selection, { mode, context })) return 'nul';
    isMissed ||= !matches(arg, selection, { mode, context });
  }
  // The subject comes last, since it may read the definition.
  return !isMissed && matchesSubject(conditions, subject) ? 'match' : 'miss';
}

/** A selection of one value. */
export function selectOne(value: JsonValue): Selection {
  return { values: [value], embedded: [], keys: [], prose: undefined, commands: undefined, incomplete: false, tooDeep: false };
}

/** Tells whether a value that is read as a path has a NUL byte in it. */
export function hasNul(
  { pathGlobs }: Pick<CompiledArg, 'pathGlobs'>,
  selection: Selection,
  { mode, context }: MatchOptions,
): boolean {
  if (pathGlobs.length === 0) return false;
  const { values, embedded, keys } = selection;
  const prose = mode === 'possible' ? proseIn(selection, context) : undefined;
  const isBad = (value: JsonValue): boolean =>
    typeof value === 'string' && prose?.has(value) !== true && context.forms(value).hasNul;
  return values.some(isBad) || embedded.some(isBad) || keys.some((key) => key.includes('\0'));
}
