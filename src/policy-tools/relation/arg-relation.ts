import { flip, type Mode } from '../../core/match/match-context.ts';
import { isPathLike } from '../../core/paths/path-forms.ts';
import type { ArgMatch, ArgStep, Matcher } from '../../core/policy/types.ts';
import { isTextByItsForm, isTextual, kindOfArgument } from '../../core/match/text-argument.ts';
import type { Links } from './path-glob-relation.ts';
import { areValuesDisjoint, canBeObject, valueImplies } from './value-relation.ts';

/** Modes of the two sides of a relation. */
export interface Modes {
  readonly inner: Mode;
  readonly outer: Mode;
}

/** Tells whether `outer` holds for all arguments that `inner` holds for. False if that cannot be told. */
export function argImplies(
  inner: ArgMatch,
  outer: ArgMatch,
  { modes, links }: { readonly modes: Modes; readonly links: Links },
): boolean {
  const isSamePath = toPathKey(inner.path) === toPathKey(outer.path);
  const isWeaker = modes.inner === 'possible' && modes.outer === 'certain';
  if (isWeaker) return false;
  if (isAbsence(inner.matcher)) return isSamePath && isAbsence(outer.matcher);
  if (isAbsence(outer.matcher)) return false;
  const asked = { matcher: inner.matcher, mode: modes.inner };
  if (!isSamePath && (modes.outer === 'certain' || !reachesAll(outer.path, inner.path) || canBeObject(asked))) return false;
  if (!readsSameTexts(inner, outer, modes)) return false;
  // Keys are looked at only by what asks for something.
  const readsKeys = modes.inner === 'possible' && inner.path.at(-1)?.kind === 'deep' && asksForSomething(inner.matcher);
  if (readsKeys && !asksForSomething(outer.matcher)) return false;
  return valueImplies(asked, { matcher: outer.matcher, mode: modes.outer }, { isText: false, links });
}

/**
 * Tells whether `outer` takes no text for prose that `inner` may match as a path. Decided by the names on the way, and by whether a
 * wildcard led to them.
 */
function readsSameTexts(inner: ArgMatch, outer: ArgMatch, modes: Modes): boolean {
  if (modes.outer === 'certain' || !readsPaths(outer.matcher) || !isWild(outer.path)) return true;
  if (!leadsToSameTexts(inner.path, outer.path)) return false;
  return !isWild(inner.path) || (modes.inner === 'possible' && asksOnlyForPaths(inner.matcher));
}

/** Tells whether the same texts behind `inner` are prose for `outer`, which leads there too. */
export function leadsToSameTexts(inner: readonly ArgStep[], outer: readonly ArgStep[]): boolean {
  if (toPathKey(inner) === toPathKey(outer)) return true;
  const wild = inner.findIndex(isWildStep);
  return inner.every((step, index) => ('name' in step ? (wild === -1 || index < wild) && !isRead(step.name) : true));
}

function isRead(name: string): boolean {
  const kind = kindOfArgument(name);
  return isTextual(kind) || kind === 'patch' || isTextByItsForm(name);
}

export function isWild(path: readonly ArgStep[]): boolean {
  return path.some(isWildStep);
}

function isWildStep({ kind }: ArgStep): boolean {
  return kind === 'any' || kind === 'deep';
}

/** Tells whether only a path can match. Prose is none. */
function asksOnlyForPaths(matcher: Matcher): boolean {
  if (matcher.op === 'globs') return matcher.patterns.every(isPathLike);
  if (matcher.op === 'all') return matcher.of.some(asksOnlyForPaths);
  return matcher.op === 'any' && matcher.of.every(asksOnlyForPaths);
}

/** Tells whether no arguments match both. False if that cannot be told, and for two matchers for which one element is enough. */
export function areArgsDisjoint(a: ArgMatch, b: ArgMatch, modes: Modes): boolean {
  if (toPathKey(a.path) !== toPathKey(b.path)) return false;
  if (modes.inner === 'possible' && modes.outer === 'possible') return false;
  if (isAbsence(a.matcher) || isAbsence(b.matcher)) {
    const other = isAbsence(a.matcher) ? modes.outer : modes.inner;
    return isAbsence(a.matcher) !== isAbsence(b.matcher) && other === 'certain';
  }
  const [mode, matcher] = modes.inner === 'possible' ? [modes.inner, a.matcher] : [modes.outer, b.matcher];
  if (mode === 'possible' && a.path.at(-1)?.kind === 'deep' && asksForSomething(matcher)) return false;
  const kind = { isText: false, links: 'any' } as const;
  return areValuesDisjoint({ matcher: a.matcher, mode: modes.inner }, { matcher: b.matcher, mode: modes.outer }, kind);
}

/** Tells whether `outer` leads to all values and keys that `inner` leads to. Only `**` in front reaches further. */
export function reachesAll(outer: readonly ArgStep[], inner: readonly ArgStep[]): boolean {
  if (toPathKey(outer) === toPathKey(inner)) return true;
  const [first, ...rest] = outer;
  if (first?.kind !== 'deep' || inner.length < rest.length || inner.length === 0) return false;
  const end = inner.slice(inner.length - rest.length);
  return rest.every((step, index) => {
    const other = end[index];
    if (other === undefined || (step.kind !== 'name' && step.kind !== other.kind)) return false;
    return !('name' in step) || ('name' in other && step.name === other.name);
  });
}

/** Tells whether a matcher reads values as paths, so that a NUL byte in one is refused. */
export function readsPaths(matcher: Matcher): boolean {
  if (matcher.op === 'globs') return matcher.patterns.some(isPathLike);
  if (matcher.op === 'not') return readsPaths(matcher.inner);
  return (matcher.op === 'all' || matcher.op === 'any') && matcher.of.some(readsPaths);
}

export function flipped({ inner, outer }: Modes): Modes {
  return { inner: flip(inner), outer: flip(outer) };
}

const pathKeys = new WeakMap<readonly ArgStep[], string>();

function toPathKey(path: readonly ArgStep[]): string {
  let key = pathKeys.get(path);
  if (key === undefined) pathKeys.set(path, (key = JSON.stringify(path)));
  return key;
}

function isAbsence(matcher: Matcher): boolean {
  return matcher.op === 'exists' && !matcher.present;
}

function asksForSomething(matcher: Matcher): boolean {
  if (matcher.op === 'not' || matcher.op === 'exists') return false;
  return matcher.op === 'all' || matcher.op === 'any' ? matcher.of.some(asksForSomething) : true;
}
