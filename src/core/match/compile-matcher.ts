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
  /** The patterns that can match a text without a slash. */
  slashless(context: PathContext): readonly PathPattern[];
  /** The same patterns, by a name that a path must have in it to match. */
  byName(context: PathContext): PatternsByName;
  /** All whole names between slashes that the patterns have in them. */
  names(context: PathContext): ReadonlySet<string>;
}

/** Patterns by what a path must have in it to match them, as written or made absolute: most paths have hardly any of it. */
export interface PatternsByName {
  /** A name that stands between slashes, or at the end. */
  readonly named: ReadonlyMap<string, readonly PathPattern[]>;
  /** The first letters of such a name, `NAME_START` of them. These match anywhere. */
  readonly started: ReadonlyMap<string, readonly PathPattern[]>;
  /** The last letters of the path, `PATH_END` of them. */
  readonly ended: ReadonlyMap<string, readonly PathPattern[]>;
  /** A part of a name, which is one of those that `anyPart` finds. */
  readonly containing: readonly PathPattern[];
  readonly anyPart: RegExp;
  readonly others: readonly PathPattern[];
  /** All but `others` that start in a folder, by that folder: if its real path is another, they match other paths, too. */
  readonly based: ReadonlyMap<string, readonly PathPattern[]>;
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
  const byName = sortByName(all);
  let names: ReadonlySet<string> | undefined;
  return {
    patterns: () => all,
    slashless: () => slashless,
    byName: () => byName,
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

/** Number of letters looked up of a name's start, and of a path's end. */
export const NAME_START = 3;
export const PATH_END = 4;

function sortByName(all: readonly PathPattern[]): PatternsByName {
  const [plain, rewritten] = [all.filter((each) => !isRewritten(each)), all.filter(isRewritten)];
  const [named, unnamed] = groupBy(plain, nameIn);
  const [started, unstarted] = groupBy(unnamed, startIn);
  const [ended, unended] = groupBy(unstarted, endIn);
  const containing = unended.filter((each) => partIn(each) !== '');
  const parts = [...new Set(containing.map(partIn))].map((part) => part.replaceAll(/[^\w\s]/g, String.raw`\$&`));
  const others = [...rewritten, ...unended.filter((each) => partIn(each) === '')];
  const based = groupBy(
    plain.filter((each) => !others.includes(each)),
    ({ base }) => base ?? '',
  )[0];
  return { named, started, ended, containing, anyPart: new RegExp(parts.join('|') || '$^'), others, based };
}

/** Groups patterns by a key, and returns those without a key apart. */
function groupBy(patterns: readonly PathPattern[], keyOf: (pattern: PathPattern) => string) {
  const groups = Map.groupBy(patterns, keyOf);
  const rest = groups.get('') ?? [];
  groups.delete('');
  return [groups, rest] as const;
}

/** Tells whether making a pattern absolute changes more of it than the folder in front. */
function isRewritten({ written: { pattern }, absolute }: PathPattern): boolean {
  return absolute !== undefined && /[%\\]|^file:|\/\/|.\/$|(?:^|\/)\.{1,2}(?:\/|$)/i.test(pattern);
}

/** The longest whole name behind a slash. */
function nameIn({ written: { pattern } }: PathPattern): string {
  return longestOf(namesIn(pattern).filter((name) => !/[*?]/.test(name)));
}

/** The start of a name that is long enough. Made absolute, a pattern's first names may be others. */
function startIn({ written: { pattern }, absolute }: PathPattern): string {
  if (absolute !== undefined) return '';
  const name = namesIn(pattern).find((each) => each.search(/[*?]/) >= NAME_START);
  return name?.slice(0, NAME_START) ?? '';
}

function endIn({ written: { pattern } }: PathPattern): string {
  const end = pattern.slice(pattern.search(/[^*?]*$/));
  return end.length < PATH_END ? '' : end.slice(-PATH_END);
}

function partIn({ written: { pattern } }: PathPattern): string {
  const part = longestOf(namesIn(pattern).flatMap((name) => name.split(/[*?]+/)));
  return part.length < NAME_START ? '' : part;
}

function namesIn(pattern: string): readonly string[] {
  return pattern.split('/').slice(1);
}

function longestOf(texts: readonly string[]): string {
  return texts.reduce((longest, text) => (text.length > longest.length ? text : longest), '');
}

/**
 * Tells whether a rule's `server` names the agent's own tools. The word itself must stand there, alone or in a list: a rule for all servers
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

/** Tells whether a name (of a tool, server, prompt or method) matches. Names are always text with one form, and their case counts. */
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
    // These are about numbers, absent values and whole arguments; parsing lets none of them into a name's field.
    case 'same':
    case 'compare':
    case 'exists':
      return false;
  }
}
