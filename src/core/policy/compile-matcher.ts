import { compileGlob, type Glob } from './glob.ts';
import type { PathContext } from './path-context.ts';
import { isPathLike } from './path-forms.ts';
import { compilePathPattern, type PathPattern } from './path-pattern.ts';
import type { Comparison, Matcher, Regex, Scalar, Whole } from './types.ts';
import type { Numeral } from './numeral.ts';

/** The path-like globs of one list. Compiled per path context, since `~` and relative patterns depend on it. */
export interface PathGlobs {
  patterns(context: PathContext): readonly PathPattern[];
  /** Those of them that can match a text without a slash. */
  slashless(context: PathContext): readonly PathPattern[];
}

/** A matcher ready to run. */
export type CompiledMatcher =
  | { readonly op: 'globs'; readonly plain: readonly Glob[]; readonly paths: PathGlobs | undefined }
  | { readonly op: 'equals'; readonly value: Scalar }
  | { readonly op: 'same'; readonly value: Whole }
  | { readonly op: 'regex'; readonly regex: Regex }
  | { readonly op: 'compare'; readonly comparison: Comparison; readonly bound: Numeral }
  | { readonly op: 'exists'; readonly present: boolean }
  | { readonly op: 'not'; readonly inner: CompiledMatcher }
  | { readonly op: 'all' | 'any'; readonly of: readonly CompiledMatcher[] };

/** `readsPaths`: path-like globs look at every form of a value (arguments and URIs do, names do not). */
export function compileMatcher(matcher: Matcher, readsPaths: boolean): CompiledMatcher {
  switch (matcher.op) {
    case 'globs': {
      const isPath = (pattern: string): boolean => readsPaths && isPathLike(pattern);
      const plain = matcher.patterns.filter((pattern) => !isPath(pattern)).map((pattern) => compileGlob(pattern));
      return { op: 'globs', plain, paths: compilePathGlobs(matcher.patterns.filter(isPath)) };
    }
    case 'not':
      return { op: 'not', inner: compileMatcher(matcher.inner, readsPaths) };
    case 'all':
    case 'any':
      return { op: matcher.op, of: matcher.of.map((part) => compileMatcher(part, readsPaths)) };
    default:
      return matcher;
  }
}

/** Every list of path-like globs in a matcher. */
export function pathGlobsOf(matcher: CompiledMatcher): PathGlobs[] {
  if (matcher.op === 'globs') return matcher.paths === undefined ? [] : [matcher.paths];
  if (matcher.op === 'not') return pathGlobsOf(matcher.inner);
  if (matcher.op === 'all' || matcher.op === 'any') return matcher.of.flatMap(pathGlobsOf);
  return [];
}

function compilePathGlobs(patterns: readonly string[]): PathGlobs | undefined {
  if (patterns.length === 0) return undefined;
  type Lists = Record<'all' | 'slashless', readonly PathPattern[]>;
  const compiled = new WeakMap<PathContext, Lists>();
  const listsFor = (context: PathContext): Lists => {
    let lists = compiled.get(context);
    if (lists === undefined) {
      const all = patterns.map((pattern) => compilePathPattern(pattern, context));
      lists = { all, slashless: all.filter(({ written }) => !written.pattern.includes('/')) };
      compiled.set(context, lists);
    }
    return lists;
  };
  return { patterns: (context) => listsFor(context).all, slashless: (context) => listsFor(context).slashless };
}
