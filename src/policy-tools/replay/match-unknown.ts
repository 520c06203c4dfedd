import type { JsonObject } from '../../core/json.ts';
import { selectArgs, type Selection } from '../../core/match/args.ts';
import type { CompiledMatcher } from '../../core/match/compile-matcher.ts';
import type { Asked, MatchArg } from '../../core/match/evaluate.ts';
import { matchesSelection, type MatchOptions } from '../../core/match/match.ts';
import type { PathContext } from '../../core/paths/absolute-path.ts';
import type { ArgStep } from '../../core/policy/types.ts';
import type { Choose } from './explore.ts';
import type { UnknownValues } from './unknown-values.ts';

/** What a supposition about arguments begins with. */
export const ARGS_DOUBT = 'args';

/** What is the same however things may have been: what is known settles it, or it has to be supposed under this name. */
type Answer = boolean | { readonly supposed: string };

/**
 * Matches arguments of which some are not known: by what is known where that settles it, else by supposition. Two rules that ask the same
 * of the same argument get the same answer, also in two policies. Made once for a call, since it is matched in many ways that it may have been.
 */
export function createMatchUnknown(args: JsonObject | undefined, unknown: UnknownValues): (choose: Choose) => MatchArg {
  const leads = new Map<readonly ArgStep[], boolean>();
  const answers = new Map<Asked, Answer>();
  const leadsThrough = (path: readonly ArgStep[]): boolean => {
    let known = leads.get(path);
    if (known === undefined) leads.set(path, (known = isThroughUnknown(args, path, unknown)));
    return known;
  };
  const answer: (...of: Parameters<MatchArg>) => Answer = (asked, selection, options) => {
    const isAtEnd = unknown.isOpen || [...selection.values, ...selection.embedded].some((value) => unknown.isUnknown(value));
    const isBefore = unknown.isOpen || (asked.path !== undefined && leadsThrough(asked.path));
    if (!isAtEnd && !isBefore) return matchesSelection(asked.matcher, selection, options);
    return bySettled(asked.matcher, withoutUnknown(selection, unknown), options) ?? { supposed: nameOf(asked, options) };
  };
  return (choose) => (asked, selection, options) => {
    // What a call amounts to has its arguments, and may have another URI.
    let known = asked.path === undefined ? undefined : answers.get(asked);
    if (known === undefined) answers.set(asked, (known = answer(asked, selection, options)));
    return typeof known === 'boolean' ? known : choose(known.supposed, EITHER);
  };
}

const EITHER = [false, true] as const;

/**
 * What the known values alone settle: one that matches is enough to deny, one that does not to allow nothing. A mark does not show that there was
 * anything: it stands for an empty list, too.
 */
function bySettled(matcher: CompiledMatcher, known: Selection, options: MatchOptions): boolean | undefined {
  const { values, embedded, keys } = known;
  const isPossible = options.mode === 'possible';
  if (matcher.op === 'exists') return values.length > 0 && matcher.present === isPossible ? isPossible : undefined;
  if (isPossible) {
    if (values.length + embedded.length + keys.length === 0) return undefined;
    return matchesSelection(matcher, known, options) ? true : undefined;
  }
  if (values.length === 0) return undefined;
  return matchesSelection(matcher, { ...known, incomplete: false }, options) ? undefined : false;
}

function withoutUnknown(selection: Selection, { isUnknown }: UnknownValues): Selection {
  return {
    ...selection,
    values: selection.values.filter((value) => !isUnknown(value)),
    embedded: selection.embedded.filter((value) => !isUnknown(value)),
    keys: selection.keys.filter((key) => !isUnknown(key)),
  };
}

/** A mark may stand for an object, or for a text that is one: then what the path leads to may have been in there. */
function isThroughUnknown(args: JsonObject | undefined, path: readonly ArgStep[], { isUnknown }: UnknownValues): boolean {
  for (let length = 1; length < path.length; length += 1) {
    const { values } = selectArgs(args, path.slice(0, length));
    if (values.some((value) => typeof value === 'string' && isUnknown(value))) return true;
  }
  return false;
}

/** What is asked stays the same in all calls, and is long. */
const names = new WeakMap<Asked, { readonly paths: PathContext; readonly name: string }>();

/** The same for all rules that ask the same. */
function nameOf(asked: Asked, { mode, context: { paths } }: MatchOptions): string {
  let known = names.get(asked);
  if (known?.paths !== paths) {
    const name = `${ARGS_DOUBT} ${mode} ${JSON.stringify([asked.path ?? null, toPlain(asked.matcher, paths)])}`;
    names.set(asked, (known = { paths, name }));
  }
  return known.name;
}

function toPlain(matcher: CompiledMatcher, paths: PathContext): unknown {
  switch (matcher.op) {
    case 'globs':
      return [
        'globs',
        matcher.plain.map(({ pattern }) => pattern),
        matcher.paths?.patterns(paths).map(({ written }) => written.pattern),
      ];
    case 'regex':
      return ['regex', matcher.regex.source];
    case 'not':
      return ['not', toPlain(matcher.inner, paths)];
    case 'all':
    case 'any':
      return [matcher.op, matcher.of.map((part) => toPlain(part, paths))];
    default:
      return JSON.stringify(matcher, (_key, value: unknown) => (value instanceof Map ? [...value] : value));
  }
}
