import { NATIVE_SERVER } from '../call.ts';
import type { Numeral } from '../numeral.ts';
import type { PathContext } from '../paths/absolute-path.ts';
import { isPathLike } from '../paths/path-forms.ts';
import { compilePathPattern, type PathPattern } from '../paths/path-pattern.ts';
import { compileGlob, type Glob } from '../patterns/glob.ts';
import type { Regex } from '../patterns/regex.ts';
import type { Comparison, Matcher, Scalar, Whole } from '../policy/types.ts';

/** The path-like globs of one list. Compiled per path context, since `~` and relative patterns depend on it. */
export interface PathGlobs {
  patterns(context: PathContext): readonly PathPattern[];
  /** Those of them that can match a text without a slash. */
  slashless(context: PathContext): readonly PathPattern[];
  /** The same patterns, by a name that a path must have in it to match. */
  byName(context: PathContext): PatternsByName;
  /** All whole names between slashes that the patterns have in them. */
  names(context: PathContext): ReadonlySet<string>;
}

export interface PatternsByName {
  /** Patterns that match anywhere, and what they match has this name between slashes, or at its end. */
  readonly named: ReadonlyMap<string, readonly PathPattern[]>;
  /** Patterns that match anywhere, and what they match has a name in it that starts with these `START` letters. */
  readonly started: ReadonlyMap<string, readonly PathPattern[]>;
  readonly others: readonly PathPattern[];
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
  const compiled = new WeakMap<PathContext, PathGlobs>();
  const globsFor = (context: PathContext): PathGlobs => {
    let globs = compiled.get(context);
    if (globs === undefined) compiled.set(context, (globs = globsOf(patterns.map((each) => compilePathPattern(each, context)))));
    return globs;
  };
  return {
    patterns: (context) => globsFor(context).patterns(context),
    slashless: (context) => globsFor(context).slashless(context),
    byName: (context) => globsFor(context).byName(context),
    names: (context) => globsFor(context).names(context),
  };
}

/** Patterns that were compiled for a context, which is the only one that they are asked for in. */
export function globsOf(all: readonly PathPattern[]): PathGlobs {
  const slashless = all.filter(({ written }) => !written.pattern.includes('/'));
  const named = Map.groupBy(all, nameIn);
  const started = Map.groupBy(named.get('') ?? [], startIn);
  const others = started.get('') ?? [];
  named.delete('');
  started.delete('');
  let names: ReadonlySet<string> | undefined;
  return {
    patterns: () => all,
    slashless: () => slashless,
    byName: () => ({ named, started, others }),
    names: () => (names ??= new Set(all.flatMap(({ written }) => written.pattern.split('/').map(beginningOf).filter(isName)))),
  };
}

/** A name that `config*` matches, too: `config`. */
function beginningOf(segment: string): string {
  return segment.replace(/\*+$/, '');
}

function isName(segment: string): boolean {
  return segment.length > 1 && segment !== '..' && !/[*?]/.test(segment);
}

/** The longest name that stands between slashes in all that a pattern matches; empty where there is none. */
function nameIn({ written: { pattern }, absolute }: PathPattern): string {
  // Made absolute, or with the real path of its folder in front, a pattern is another one.
  if (absolute !== undefined) return '';
  const names = pattern.split('/').slice(1);
  return names
    .filter((name) => !/[*?]/.test(name))
    .reduce((longest, name) => (name.length > longest.length ? name : longest), '');
}

/** How many letters of a name's start are looked up. */
export const START = 3;

/** The start of a name that stands behind a slash in all that a pattern matches; empty where there is none that is long enough. */
function startIn({ written: { pattern }, absolute }: PathPattern): string {
  if (absolute !== undefined) return '';
  const name = pattern
    .split('/')
    .slice(1)
    .find((each) => each.search(/[*?]/) >= START);
  return name?.slice(0, START) ?? '';
}

/**
 * Does a rule's `server` name the agent's own tools? Only where the word itself stands there, alone or in a list: a rule for all servers
 * (`"*"`, or all but one) means MCP servers, and must not reach for an agent's file and shell tools by accident.
 */
export function coversNative(server: CompiledMatcher): boolean {
  switch (server.op) {
    case 'globs':
      return server.plain.some(({ isLiteral, literalPrefix }) => isLiteral && literalPrefix === NATIVE_SERVER);
    case 'equals':
      return server.value === NATIVE_SERVER;
    case 'any':
      return server.of.some(coversNative);
    default:
      return false;
  }
}

/** Does a name (of a tool, server, prompt or method) match? Names are always text with one form, and their case counts. */
export function matchesName(matcher: CompiledMatcher, name: string): boolean {
  switch (matcher.op) {
    case 'globs':
      return matcher.plain.some((glob) => glob.matches(name));
    case 'regex':
      return matcher.regex.matches(name);
    case 'equals':
      return matcher.value === name;
    case 'not':
      return !matchesName(matcher.inner, name);
    case 'all':
      return matcher.of.every((part) => matchesName(part, name));
    case 'any':
      return matcher.of.some((part) => matchesName(part, name));
    // About numbers, absent values and all arguments; parsing lets none of them into a name's field.
    case 'same':
    case 'compare':
    case 'exists':
      return false;
  }
}
