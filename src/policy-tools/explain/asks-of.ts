import type { CompiledMatcher } from '../../core/match/compile-matcher.ts';
import { formatNumeral } from '../../core/numeral.ts';
import type { PathContext } from '../../core/paths/absolute-path.ts';
import type { Scalar, Whole } from '../../core/policy/types.ts';
import type { Asks } from './explanation.ts';

/** Conditions to list; nobody reads hundreds. */
const MOST_ASKS = 3;

/** Lists the conditions of a matcher as a policy may write them. A pattern for paths is folded as the platform folds names. */
export function asksOf(matcher: CompiledMatcher, paths: PathContext): Asks {
  const all = toTexts(matcher, paths);
  return { each: all.slice(0, MOST_ASKS), others: Math.max(0, all.length - MOST_ASKS) };
}

function toTexts(matcher: CompiledMatcher, paths: PathContext): readonly string[] {
  switch (matcher.op) {
    case 'globs': {
      const ofPaths = matcher.paths?.patterns(paths) ?? [];
      return [...matcher.plain, ...ofPaths.map(({ written }) => written)].map(({ pattern }) => JSON.stringify(pattern));
    }
    case 'regex':
      return [`regex = ${JSON.stringify(matcher.regex.source)}`];
    case 'equals':
    case 'same':
      return [`equals = ${wholeText(matcher.value)}`];
    case 'compare':
      return [`${matcher.comparison} = ${formatNumeral(matcher.bound)}`];
    case 'exists':
      return [`exists = ${matcher.present}`];
    case 'not': {
      return [`not = ${toTexts(matcher.inner, paths).join(', ')}`];
    }
    case 'all':
      return [matcher.of.flatMap((part) => toTexts(part, paths)).join(' and ')];
    case 'any':
      return matcher.of.flatMap((part) => toTexts(part, paths));
  }
}

function wholeText(value: Whole): string {
  if (value instanceof Map) {
    const members = [...(value as ReadonlyMap<string, Whole>)].map(
      ([name, each]) => `${JSON.stringify(name)} = ${wholeText(each)}`,
    );
    return `{ ${members.join(', ')} }`;
  }
  if (Array.isArray(value)) return `[${(value as readonly Whole[]).map(wholeText).join(', ')}]`;
  return scalarText(value as Scalar);
}

function scalarText(value: Scalar): string {
  if (typeof value === 'string') return JSON.stringify(value);
  return typeof value === 'boolean' ? String(value) : formatNumeral(value);
}
