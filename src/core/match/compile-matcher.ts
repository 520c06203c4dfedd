import { NATIVE_SERVER } from '../call.ts';
import type { Numeral } from '../numeral.ts';
import { isPathLike } from '../paths/path-forms.ts';
import { compileGlob, type Glob } from '../patterns/glob.ts';
import type { Regex } from '../patterns/regex.ts';
import type { Comparison, Matcher, Scalar, Whole } from '../policy/types.ts';
import { compilePathGlobs, type PathGlobs } from './path-globs.ts';

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
