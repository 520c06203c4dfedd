import { flip, type Mode } from '../../core/match/match-context.ts';
import { compareNumerals, formatNumeral, type Numeral, readNumeral } from '../../core/numeral.ts';
import { isPathLike } from '../../core/paths/path-forms.ts';
import type { Comparison, Matcher, Scalar } from '../../core/policy/types.ts';
import { areGlobsDisjoint, globOf, includesGlob } from './glob-language.ts';
import { arePathGlobsDisjoint, endingIncludes, includesPathGlob, type Links, pathGlobMatches } from './path-glob-relation.ts';

const keys = new WeakMap<Matcher, string>();

/** A matcher, and how it is evaluated. */
export interface Asked {
  readonly matcher: Matcher;
  readonly mode: Mode;
}

export interface ValueKind {
  /** The value is a URI: always text. */
  readonly isText: boolean;
  readonly links: Links;
}

/** Tells whether `outer` matches every single value that `inner` does. False if that cannot be told. */
export function valueImplies(inner: Asked, outer: Asked, kind: ValueKind): boolean {
  const [b, a] = [inner.matcher, outer.matcher];
  if ((inner.mode === 'certain' || outer.mode === 'possible') && isSameMatcher(a, b)) return true;
  const ofInner = (matcher: Matcher): Asked => ({ matcher, mode: inner.mode });
  const ofOuter = (matcher: Matcher): Asked => ({ matcher, mode: outer.mode });
  if (b.op === 'any') return b.of.every((part) => valueImplies(ofInner(part), outer, kind));
  if (a.op === 'all') return a.of.every((part) => valueImplies(inner, ofOuter(part), kind));
  if (a.op === 'any') return a.of.some((part) => valueImplies(inner, ofOuter(part), kind));
  if (a.op === 'exists') return a.present && !(b.op === 'exists' && !b.present);
  if (a.op === 'not') return impliesNot(inner, { matcher: a.inner, mode: outer.mode }, kind);
  if (b.op === 'all') return b.of.some((part) => valueImplies(ofInner(part), outer, kind));
  if (a.op === 'globs' && a.patterns.includes('**')) return !canBeObject(inner);
  if (b.op === 'globs') return b.patterns.every((pattern) => globImplies(pattern, { inner, outer, kind }));
  if (b.op === 'equals') return equalsImplies(b.value, { inner, outer, kind });
  if (b.op !== 'compare' || a.op !== 'compare') return false;
  return (inner.mode === outer.mode || inner.mode === 'certain') && isWithin(b, a);
}

/** Tells whether `inner` implies `not outer`. The mode of `outer` is that of the `not`. */
function impliesNot(inner: Asked, outer: Asked, kind: ValueKind): boolean {
  if (outer.mode === 'certain' && canBeObject(inner)) return false;
  const excluded: Asked = { matcher: outer.matcher, mode: flip(outer.mode) };
  if (areValuesDisjoint(inner, excluded, kind)) return true;
  if (inner.matcher.op === 'all')
    return inner.matcher.of.some((part) => impliesNot({ matcher: part, mode: inner.mode }, outer, kind));
  if (inner.matcher.op !== 'not') return false;
  return valueImplies(excluded, { matcher: inner.matcher.inner, mode: flip(inner.mode) }, kind);
}

interface Implication {
  readonly inner: Asked;
  readonly outer: Asked;
  readonly kind: ValueKind;
}

function globImplies(pattern: string, { inner, outer, kind }: Implication): boolean {
  const { matcher } = outer;
  const isPath = isPathLike(pattern);
  if (matcher.op === 'globs') {
    return matcher.patterns.some((other) => {
      if (isPath) return isPathLike(other) && !isWeaker(inner, outer) && includesPathGlob(other, pattern, kind.links);
      if (isPathLike(other))
        return (
          outer.mode === 'possible' && (isLiteral(pattern) ? pathGlobMatches(other, pattern) : endingIncludes(other, pattern))
        );
      return (!isWeaker(inner, outer) || kind.isText || isNoNumber(pattern)) && includesGlob(other, pattern);
    });
  }
  return !isPath && isLiteral(pattern) && textImplies(pattern, { inner, outer, kind });
}

function equalsImplies(value: Scalar, { inner, outer, kind }: Implication): boolean {
  const { matcher } = outer;
  if (typeof value === 'string') return textImplies(value, { inner, outer, kind });
  const isSettled = inner.mode === 'certain' || outer.mode === 'possible';
  if (typeof value === 'object') {
    if (matcher.op === 'equals')
      return isSettled && typeof matcher.value === 'object' && compareNumerals(matcher.value, value) === 0;
    if (matcher.op === 'compare') return isSettled && holds(matcher.comparison, compareNumerals(value, matcher.bound));
  }
  if (inner.mode !== 'certain' || matcher.op !== 'globs') return false;
  const text = typeof value === 'object' ? formatNumeral(value) : String(value);
  return matcher.patterns.some((pattern) => !isPathLike(pattern) && globOf(pattern).matches(text));
}

/** Tells whether `outer` matches a value that has this text. */
function textImplies(text: string, { inner, outer, kind }: Implication): boolean {
  const { matcher, mode } = outer;
  // A number has two texts in `possible` mode, canonical and as sent; in `certain` mode one of them is not enough.
  if (isWeaker(inner, outer) && !kind.isText && isNumberLike(text)) return false;
  if (matcher.op === 'globs') {
    return matcher.patterns.some((pattern) =>
      isPathLike(pattern) ? mode === 'possible' && pathGlobMatches(pattern, text) : globOf(pattern).matches(text),
    );
  }
  if (matcher.op === 'regex') return matcher.regex.matches(text);
  if (matcher.op !== 'equals' || matcher.value !== text) return false;
  // A number, boolean or null does not equal its text in `certain` mode.
  return mode === 'possible' || kind.isText || (inner.mode === 'certain' && inner.matcher.op === 'equals') || !isScalarText(text);
}

/** Tells whether no single value matches both. False if that cannot be told. */
export function areValuesDisjoint(x: Asked, y: Asked, kind: ValueKind): boolean {
  return matchesNoValue(x, kind) || matchesNoValue(y, kind) || areApart(x, y, kind) || areApart(y, x, kind);
}

/** Tells whether the matcher matches no single value. False if that cannot be told. */
export function matchesNoValue({ matcher, mode }: Asked, kind: ValueKind): boolean {
  if (matcher.op === 'exists') return !matcher.present;
  if (matcher.op === 'not') {
    const excluded: Asked = { matcher: matcher.inner, mode: flip(mode) };
    return mode === 'certain' && valueImplies({ matcher: { op: 'globs', patterns: ['**'] }, mode }, excluded, kind);
  }
  if (matcher.op === 'any') return matcher.of.every((part) => matchesNoValue({ matcher: part, mode }, kind));
  if (matcher.op !== 'all') return false;
  const parts = matcher.of.map((part): Asked => ({ matcher: part, mode }));
  return parts.some(
    (part, index) => matchesNoValue(part, kind) || parts.slice(index + 1).some((other) => areValuesDisjoint(part, other, kind)),
  );
}

/** Tests one direction; the caller swaps `x` and `y` for the other. */
function areApart(x: Asked, y: Asked, kind: ValueKind): boolean {
  const { matcher, mode } = x;
  const other = y.matcher;
  if (matcher.op === 'any')
    return matcher.of.every((part) => areApart({ matcher: part, mode }, y, kind) || areApart(y, { matcher: part, mode }, kind));
  if (matcher.op === 'all')
    return matcher.of.some((part) => areApart({ matcher: part, mode }, y, kind) || areApart(y, { matcher: part, mode }, kind));
  if (matcher.op === 'not') {
    if (mode === 'possible' && canBeObject(y)) return false;
    return other.op !== 'not' && valueImplies(y, { matcher: matcher.inner, mode: flip(mode) }, kind);
  }
  if (matcher.op === 'globs') return matcher.patterns.every((pattern) => isGlobApart(pattern, mode, { y, kind }));
  if (matcher.op === 'equals') return isScalarApart(matcher.value, y, kind);
  return matcher.op === 'compare' && other.op === 'compare' && areBoundsApart(matcher, other);
}

function isGlobApart(pattern: string, mode: Mode, { y, kind }: { readonly y: Asked; readonly kind: ValueKind }): boolean {
  const { matcher } = y;
  if (matcher.op === 'globs') {
    return matcher.patterns.every((other) => {
      const bothCertain = mode === 'certain' && y.mode === 'certain';
      if (isPathLike(pattern) || isPathLike(other)) {
        return isPathLike(pattern) && isPathLike(other) && bothCertain && arePathGlobsDisjoint(pattern, other);
      }
      return (bothCertain || kind.isText || isNoNumber(pattern) || isNoNumber(other)) && areGlobsDisjoint(pattern, other);
    });
  }
  if (isPathLike(pattern)) return false;
  if (matcher.op === 'compare') return isNoNumeral(pattern);
  return isLiteral(pattern) && isTextApart(pattern, y, kind);
}

function isScalarApart(value: Scalar, y: Asked, kind: ValueKind): boolean {
  const { matcher } = y;
  if (typeof value === 'string') return isTextApart(value, y, kind);
  if (matcher.op === 'compare')
    return typeof value === 'object' && !holds(matcher.comparison, compareNumerals(value, matcher.bound));
  if (matcher.op !== 'equals' || typeof matcher.value !== typeof value) return false;
  if (typeof value === 'object') return typeof matcher.value === 'object' && compareNumerals(value, matcher.value) !== 0;
  return value !== matcher.value;
}

/** Tells whether `y` does not match a value that has this text. */
function isTextApart(text: string, { matcher }: Asked, kind: ValueKind): boolean {
  // A number has two texts, and either may be this one.
  if (matcher.op === 'compare') {
    const numeral = readNumeral(text);
    return numeral === undefined || !holds(matcher.comparison, compareNumerals(numeral, matcher.bound));
  }
  if (!kind.isText && isNumberLike(text)) return false;
  if (matcher.op === 'equals') return typeof matcher.value === 'string' && matcher.value !== text;
  if (matcher.op === 'regex') return !matcher.regex.matches(text) && !matcher.regex.matchesAcrossLines(text);
  return matcher.op === 'globs' && matcher.patterns.every((pattern) => !isPathLike(pattern) && !globOf(pattern).matches(text));
}

/** Tells whether one reading is enough for `inner`, while `outer` needs all. */
function isWeaker(inner: Asked, outer: Asked): boolean {
  return inner.mode === 'possible' && outer.mode === 'certain';
}

/** Tells whether an object can match. It has no text, but it exists. */
export function canBeObject({ matcher, mode }: Asked): boolean {
  switch (matcher.op) {
    case 'exists':
      return matcher.present;
    case 'same':
      return true;
    case 'not':
      return mode === 'possible';
    case 'all':
      return matcher.of.every((part) => canBeObject({ matcher: part, mode }));
    case 'any':
      return matcher.of.some((part) => canBeObject({ matcher: part, mode }));
    default:
      return false;
  }
}

function isLiteral(pattern: string): boolean {
  return !/[*?]/.test(pattern);
}

/** JSON numbers, in any spelling, begin and end like these. */
function isNumberLike(text: string): boolean {
  return /^[-\d](?:.*\d)?$/s.test(text);
}

function isScalarText(text: string): boolean {
  return isNumberLike(text) || ['true', 'false', 'null'].includes(text);
}

/** Tells whether a glob matches no text of a number. */
function isNoNumber(pattern: string): boolean {
  return /^[^-\d*?]|[^\d*?]$/.test(pattern);
}

/** Tells whether a glob matches no text that can be read as a number. */
function isNoNumeral(pattern: string): boolean {
  return /^[a-hj-zA-HJ-Z_/]/.test(pattern);
}

interface Bound {
  readonly comparison: Comparison;
  readonly bound: Numeral;
}

/** Tells whether every number that `inner` permits is permitted by `outer`. */
function isWithin(inner: Bound, outer: Bound): boolean {
  const order = compareNumerals(inner.bound, outer.bound);
  if (isFloor(inner) !== isFloor(outer)) return false;
  const isOnIt = order === 0 && (inner.comparison === outer.comparison || isStrict(inner));
  return isOnIt || (isFloor(inner) ? order > 0 : order < 0);
}

function areBoundsApart(a: Bound, b: Bound): boolean {
  if (isFloor(a) === isFloor(b)) return false;
  const [floor, ceiling] = isFloor(a) ? [a, b] : [b, a];
  const order = compareNumerals(floor.bound, ceiling.bound);
  return order > 0 || (order === 0 && (isStrict(floor) || isStrict(ceiling)));
}

function isFloor({ comparison }: Bound): boolean {
  return comparison === 'gt' || comparison === 'gte';
}

function isStrict({ comparison }: Bound): boolean {
  return comparison === 'gt' || comparison === 'lt';
}

function holds(comparison: Comparison, order: number): boolean {
  if (comparison === 'gt') return order > 0;
  if (comparison === 'gte') return order >= 0;
  return comparison === 'lt' ? order < 0 : order <= 0;
}

/** Tells whether two matchers are equal but for the order of their lists. */
export function isSameMatcher(a: Matcher, b: Matcher): boolean {
  return toKey(a) === toKey(b);
}

/** The key of a matcher: the same for matchers that are equal but for the order of their lists. */
export function toKey(matcher: Matcher): string {
  let key = keys.get(matcher);
  if (key === undefined) keys.set(matcher, (key = JSON.stringify(toPlain(matcher))));
  return key;
}

function toPlain(matcher: Matcher): unknown {
  switch (matcher.op) {
    case 'globs':
      return ['globs', [...new Set(matcher.patterns)].toSorted()];
    case 'regex':
      return ['regex', matcher.regex.source];
    case 'not':
      return ['not', toPlain(matcher.inner)];
    case 'all':
    case 'any':
      return [matcher.op, matcher.of.map(toKey).toSorted()];
    case 'same':
      return ['same', toPlainWhole(matcher.value)];
    default:
      return matcher;
  }
}

function toPlainWhole(value: unknown): unknown {
  if (value instanceof Map)
    return { table: [...(value as ReadonlyMap<string, unknown>)].map(([key, inner]) => [key, toPlainWhole(inner)]).toSorted() };
  return Array.isArray(value) ? value.map(toPlainWhole) : value;
}
