import type { CompiledMatcher } from './compile-matcher.ts';

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
