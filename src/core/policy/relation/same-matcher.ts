import type { Matcher } from '../types.ts';

/** Are two matchers written alike, but for the order of what stands in a list? */
export function isSameMatcher(a: Matcher, b: Matcher): boolean {
  return toKey(a) === toKey(b);
}

const keys = new WeakMap<Matcher, string>();

/** Equal for matchers that match the same. */
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
