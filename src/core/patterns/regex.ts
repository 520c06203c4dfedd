import { RE2JS, RE2Set } from 're2js';

const LOOK_AROUND = /\(\?<?[=!]/;
const BACKREFERENCE = /\\(?:[1-9]|k[<{'])/;

/** A compiled regular expression. `matches` looks anywhere in the text unless the pattern is anchored with `^` and `$`. */
export interface Regex {
  readonly source: string;
  matches(text: string): boolean;
  /** The same with `.` for line ends too. Whatever `matches` finds, this does. */
  matchesAcrossLines(text: string): boolean;
  /** The places where it matches, one after the other; UTF-16 offsets. */
  places(text: string): Iterable<TextPlace>;
}

/** A part of a text: UTF-16 offsets. */
interface TextPlace {
  readonly start: number;
  readonly end: number;
}

/** Compiles a pattern, or says why it cannot be one. Injected, because the engine is large and rarely needed. */
export type RegexCompiler = (pattern: string) => Regex | { readonly message: string; readonly hint?: string };

/**
 * Compiles a pattern in RE2 syntax; it matches anywhere in a text unless it is anchored with `^` and `$`. Matching takes time
 * linear in the text, which is why look-around and backreferences do not exist. Faults come back as values.
 */
export function compileRegex(pattern: string): Regex | { readonly message: string; readonly hint?: string } {
  try {
    const compiled = RE2JS.compile(pattern);
    const acrossLines = RE2JS.compile(pattern, RE2JS.DOTALL);
    return {
      source: pattern,
      matches: (text) => compiled.test(text),
      matchesAcrossLines: (text) => acrossLines.test(text),
      places: (text) => placesOf(compiled, text),
    };
  } catch (error) {
    // The engine's only way to refuse a pattern; anything else than its own errors would be a bug in it, and is a fault of the
    // pattern to a user.
    const reason = error instanceof Error ? error.message : String(error);
    const message = `bad regex: ${reason}`;
    const unsupported = LOOK_AROUND.test(pattern) || BACKREFERENCE.test(pattern);
    if (!unsupported) return { message };
    return {
      message,
      hint: 'look-around and backreferences cannot be matched in linear time; exclude what should not match with "unless" or "not"',
    };
  }
}

/** Patterns that are looked for together. Those that do not compile match nothing. */
export interface RegexSet {
  /** The patterns that match anywhere in the text, as rising indices into what the set was made of. One pass over the text. */
  matching(text: string): readonly number[];
  /** The first places where one of them matches, at most `most`; UTF-16 offsets. */
  places(index: number, text: string, most: number): readonly TextPlace[];
}

/** Compiles patterns in RE2 syntax, each of which matches anywhere in a text; a set tells which of many do in the time of one. */
export function compileRegexSet(patterns: readonly string[]): RegexSet {
  const set = new RE2Set(RE2Set.UNANCHORED);
  const compiled: { readonly index: number; readonly regex: RE2JS }[] = [];
  for (const [index, pattern] of patterns.entries()) {
    const regex = compiledOrNothing(pattern);
    if (regex === undefined) continue;
    set.add(pattern);
    compiled.push({ index, regex });
  }
  if (compiled.length > 0) set.compile();
  return {
    matching: (text) =>
      compiled.length === 0
        ? []
        : Array.from(set.match(text), (number) => compiled[number]?.index ?? -1).toSorted((a, b) => a - b),
    places: (index, text, most) => {
      const regex = compiled.find((entry) => entry.index === index)?.regex;
      return regex === undefined ? [] : Array.from(placesOf(regex, text).take(most));
    },
  };
}

function* placesOf(regex: RE2JS, text: string): IteratorObject<TextPlace, undefined> {
  const matcher = regex.matcher(text);
  while (matcher.find()) yield { start: matcher.start(), end: matcher.end() };
}

function compiledOrNothing(pattern: string): RE2JS | undefined {
  try {
    return RE2JS.compile(pattern);
  } catch {
    // The engine's only way to refuse a pattern. Whoever wrote it was told when the policy was read (`compileRegex`).
    return undefined;
  }
}
