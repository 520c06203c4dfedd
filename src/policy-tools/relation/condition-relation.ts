import { CATEGORIES, SUBJECT_METHODS } from '../../core/call.ts';
import type { ArgStep, Conditions, Matcher } from '../../core/policy/types.ts';
import { areArgsDisjoint, argImplies, isWild, leadsToSameTexts, type Modes, reachesAll, readsPaths } from './arg-relation.ts';
import { ANY_NAME, areNamesDisjoint, includesName } from './name-relation.ts';
import type { Links } from './path-glob-relation.ts';
import { areValuesDisjoint, valueImplies } from './value-relation.ts';

export interface ConditionRelation {
  readonly modes: Modes;
  readonly links: Links;
}

/** Tells whether the `outer` conditions hold for every call that the `inner` ones hold for. False if that cannot be told. */
export function conditionsImply(inner: Conditions, outer: Conditions, relation: ConditionRelation): boolean {
  return namesImply(inner, outer) && subjectImplies(inner, outer, relation.modes) && valuesImply(inner, outer, relation);
}

export function namesImply(inner: Conditions, outer: Conditions): boolean {
  if (outer.method !== undefined && !includesName([outer.method], inner.method ?? ANY_NAME)) return false;
  if (outer.server !== undefined && !includesName([outer.server], inner.server ?? ANY_NAME)) return false;
  return nameImplies('tool', inner, outer) && nameImplies('prompt', inner, outer);
}

function nameImplies(field: 'tool' | 'prompt', inner: Conditions, outer: Conditions): boolean {
  const asked = outer[field];
  if (asked === undefined) return true;
  // Only calls of the field's own method always have such a name.
  const name = inner[field] ?? (isOnlyAbout(inner.method, SUBJECT_METHODS[field]) ? ANY_NAME : undefined);
  return name !== undefined && includesName([asked], name);
}

function isOnlyAbout(method: Matcher | undefined, name: string): boolean {
  return method !== undefined && includesName([{ op: 'equals', value: name }], method);
}

function subjectImplies(inner: Conditions, outer: Conditions, modes: Modes): boolean {
  const isWeaker = modes.inner === 'possible' && modes.outer === 'certain';
  return (
    listImplies(inner.category, outer.category, { all: CATEGORIES, isWeaker }) &&
    listImplies(inner.fingerprint, outer.fingerprint, { isWeaker })
  );
}

/** Tells whether the `outer` list has every item of the `inner` one, or every item there is. */
function listImplies(
  inner: readonly string[] | undefined,
  outer: readonly string[] | undefined,
  { all, isWeaker }: { readonly all?: readonly string[]; readonly isWeaker: boolean },
): boolean {
  if (outer === undefined || all?.every((item) => outer.includes(item)) === true) return true;
  return !isWeaker && inner !== undefined && inner.every((item) => outer.includes(item));
}

function valuesImply(inner: Conditions, outer: Conditions, { modes, links }: ConditionRelation): boolean {
  if (outer.resource !== undefined) {
    const uri = inner.resource ?? (isOnlyAbout(inner.method, SUBJECT_METHODS.resource) ? ANY_NAME : undefined);
    const kind = { isText: true, links };
    if (uri === undefined) return false;
    if (!valueImplies({ matcher: uri, mode: modes.inner }, { matcher: outer.resource, mode: modes.outer }, kind)) return false;
  }
  return outer.args.every((arg) => inner.args.some((other) => argImplies(other, arg, { modes, links })));
}

const POSSIBLE: Modes = { inner: 'possible', outer: 'possible' };

/**
 * Tells whether the `outer` conditions find every NUL byte that the `inner` ones find in a path, given that they hold for the same names.
 */
export function findsSameNul(inner: Conditions, outer: Conditions, modes: Modes = POSSIBLE): boolean {
  const looks = (other: readonly ArgStep[], path: readonly ArgStep[]): boolean => {
    if (!reachesAll(other, path)) return false;
    if (modes.outer === 'certain' || !isWild(other)) return true;
    return leadsToSameTexts(path, other) && (modes.inner === 'possible' || !isWild(path));
  };
  const paths = outer.args.filter(({ matcher }) => readsPaths(matcher));
  const isUriRead = inner.resource !== undefined && readsPaths(inner.resource);
  if (isUriRead && (outer.resource === undefined || !readsPaths(outer.resource))) return false;
  return inner.args.every(({ path, matcher }) => !readsPaths(matcher) || paths.some((other) => looks(other.path, path)));
}

/** Tells whether no call meets both sets of conditions. False if that cannot be told. */
export function areConditionsDisjoint(a: Conditions, b: Conditions, modes: Modes): boolean {
  const fields = ['method', 'server', 'tool', 'prompt'] as const;
  const isApart = (x: Matcher | undefined, y: Matcher | undefined): boolean =>
    x !== undefined && y !== undefined && areNamesDisjoint(x, y);
  if (fields.some((field) => isApart(a[field], b[field]))) return true;
  const [subjectOfA, subjectOfB] = [subjectOf(a), subjectOf(b)];
  if (subjectOfA !== undefined && subjectOfB !== undefined && subjectOfA !== subjectOfB) return true;
  if (a.resource !== undefined && b.resource !== undefined) {
    const kind = { isText: true, links: 'any' } as const;
    if (areValuesDisjoint({ matcher: a.resource, mode: modes.inner }, { matcher: b.resource, mode: modes.outer }, kind))
      return true;
  }
  if (areListsDisjoint(a, b, modes)) return true;
  return a.args.some((arg) => b.args.some((other) => areArgsDisjoint(arg, other, modes)));
}

/** Tells whether no tool can be in both lists. One side must name all of its categories, the other one of them; it has one fingerprint. */
function areListsDisjoint(a: Conditions, b: Conditions, { inner, outer }: Modes): boolean {
  if (inner === 'possible' && outer === 'possible') return false;
  const isApart = (x: readonly string[] | undefined, y: readonly string[] | undefined): boolean =>
    x !== undefined && y !== undefined && !x.some((item) => y.includes(item));
  return isApart(a.category, b.category) || isApart(a.fingerprint, b.fingerprint);
}

/** A call has one subject at most. */
function subjectOf({ tool, resource, prompt }: Conditions): 'tool' | 'resource' | 'prompt' | undefined {
  if (tool !== undefined) return 'tool';
  if (resource !== undefined) return 'resource';
  return prompt === undefined ? undefined : 'prompt';
}
