import { formatNumeral } from '../../core/numeral.ts';
import { findGlobFault } from '../../core/patterns/glob.ts';
import type { Comparison, Matcher, PolicyPath } from '../../core/policy/types.ts';

/** The scheme of a URI, which is no segment: without it there is no URI. */
const SCHEME = /^[A-Za-z][A-Za-z0-9+.-]*:\/*/;
const ONLY_WILDCARDS = /^[*?]*$/;

/** A matcher that could stand in the place of another. */
export interface MatcherChange {
  readonly matcher: Matcher;
  /** The path of the change in the matcher. */
  readonly path: PolicyPath;
  /** The change, behind the name of the field: `without "bash"`. */
  readonly what: string;
  /** A value that the two decide otherwise, if it needs no more than this field. */
  readonly example?: string;
  /** Set if the matcher itself is a list of globs. */
  readonly globs?: { readonly before: readonly string[]; readonly after: readonly string[] };
}

const EDGES: Readonly<Record<Comparison, Comparison>> = { gt: 'gte', gte: 'gt', lt: 'lte', lte: 'lt' };

/**
 * Changes a matcher. Texts, numbers and regular expressions that are compared as a whole stay: any other would only match something else,
 * and dropping the field tells whether anything asks for this one.
 */
export function mutateMatcher(matcher: Matcher): readonly MatcherChange[] {
  switch (matcher.op) {
    case 'globs':
      return mutateGlobs(matcher.patterns);
    case 'equals':
      if (typeof matcher.value !== 'boolean') return [];
      return [
        {
          matcher: { op: 'equals', value: !matcher.value },
          path: [],
          what: `with ${!matcher.value}`,
          example: `${matcher.value}`,
        },
      ];
    case 'exists':
      return [
        { matcher: { op: 'exists', present: !matcher.present }, path: ['exists'], what: `with exists = ${!matcher.present}` },
      ];
    case 'compare': {
      const { comparison, bound } = matcher;
      const other = EDGES[comparison];
      const changed = { op: 'compare', comparison: other, bound } as const;
      return [{ matcher: changed, path: [comparison], what: `with ${other} for ${comparison}`, example: formatNumeral(bound) }];
    }
    case 'not':
      return [
        { matcher: matcher.inner, path: ['not'], what: 'without "not"' },
        ...mutateMatcher(matcher.inner).map(({ matcher: inner, path, what, example }) => ({
          matcher: { op: 'not' as const, inner },
          path: ['not', ...path],
          what: `not: ${what}`,
          ...(example === undefined ? {} : { example }),
        })),
      ];
    case 'all':
    case 'any':
      return mutateParts(matcher.op, matcher.of);
    case 'same':
    case 'regex':
      return [];
  }
}

function mutateGlobs(patterns: readonly string[]): readonly MatcherChange[] {
  const change = (after: readonly string[], path: PolicyPath, what: string): MatcherChange => ({
    matcher: { op: 'globs', patterns: after },
    path,
    what,
    globs: { before: patterns, after },
  });
  return patterns.flatMap((pattern, index) => {
    const path = patterns.length === 1 ? [] : [index];
    const others = mutateGlob(pattern).map((other) =>
      change(patterns.with(index, other), path, `with ${JSON.stringify(other)} for ${JSON.stringify(pattern)}`),
    );
    const fewer = patterns.length === 1 ? [] : [change(patterns.toSpliced(index, 1), path, `without ${JSON.stringify(pattern)}`)];
    return [...fewer, ...others];
  });
}

/** One part less, and each part changed. Where they stand in the file depends on how they were written, so the field stands for them. */
function mutateParts(op: 'all' | 'any', of: readonly Matcher[]): readonly MatcherChange[] {
  const combine = (parts: readonly Matcher[]): Matcher => {
    const [only] = parts;
    return parts.length === 1 && only !== undefined ? only : { op, of: parts };
  };
  return of.flatMap((part, index) => [
    { matcher: combine(of.toSpliced(index, 1)), path: [], what: `without ${nameOf(part)}` },
    ...mutateMatcher(part).map(({ matcher, path, what, example }) => ({
      matcher: combine(of.with(index, matcher)),
      path: op === 'all' ? path : [],
      what,
      ...(example === undefined ? {} : { example }),
    })),
  ]);
}

/** A part as it is written. */
function nameOf(part: Matcher): string {
  switch (part.op) {
    case 'globs':
      return part.patterns.map((pattern) => JSON.stringify(pattern)).join(', ');
    case 'compare':
      return `"${part.comparison}"`;
    case 'equals':
      return typeof part.value === 'object' ? 'a number' : JSON.stringify(part.value);
    default:
      return `"${part.op}"`;
  }
}

/**
 * Changes a glob as by mistake: `*` for `**` and the other way round, no wildcard at an end, one segment less. Each is another text. A
 * segment stays if only wildcards would be left: then nothing is asked any more, which is another mutation. A glob without a star stays:
 * any other name would only match something else, and dropping it tells whether anything asks for this one.
 */
export function mutateGlob(pattern: string): readonly string[] {
  if (!pattern.includes('*')) return [];
  const found = new Set([...otherStars(pattern), ...barerEnds(pattern), ...fewerSegments(pattern)]);
  found.delete(pattern);
  return [...found].filter((each) => findGlobFault(each) === undefined);
}

function otherStars(pattern: string): readonly string[] {
  return [...pattern.matchAll(/\*+/g)].map(({ 0: stars, index }) => {
    const other = stars.length === 1 ? '**' : '*';
    return pattern.slice(0, index) + other + pattern.slice(index + stars.length);
  });
}

/** Drops the wildcard in front, or that at the end, with the slash that sets it apart. */
function barerEnds(pattern: string): readonly string[] {
  return [pattern.replace(/^\*+\/?/, ''), pattern.replace(/\/?\*+$/, '')];
}

function fewerSegments(pattern: string): readonly string[] {
  const scheme = SCHEME.exec(pattern)?.[0] ?? '';
  const segments = pattern.slice(scheme.length).split('/');
  if (segments.length === 1) return [];
  return segments.flatMap((segment, index) => {
    const others = segments.toSpliced(index, 1);
    // Wildcards at the ends are dropped by `barerEnds`.
    const isEnd = ONLY_WILDCARDS.test(segment) && (index === 0 || index === segments.length - 1);
    return segment === '' || isEnd || others.every((each) => ONLY_WILDCARDS.test(each)) ? [] : [scheme + others.join('/')];
  });
}
