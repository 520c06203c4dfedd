import type { PathContext } from '../paths/absolute-path.ts';
import { compilePathPattern, type PathPattern } from '../paths/path-pattern.ts';

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

/** Compiles path-like globs, for each context when it is first asked in. Undefined without any. */
export function compilePathGlobs(patterns: readonly string[]): PathGlobs | undefined {
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
  let slashless: readonly PathPattern[] | undefined;
  let byName: PatternsByName | undefined;
  let names: ReadonlySet<string> | undefined;
  return {
    patterns: () => all,
    slashless: () => (slashless ??= all.filter(({ written }) => !written.pattern.includes('/'))),
    byName: () => (byName ??= sortByName(all)),
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
  const named = new Map<string, PathPattern[]>();
  const started = new Map<string, PathPattern[]>();
  const ended = new Map<string, PathPattern[]>();
  const based = new Map<string, PathPattern[]>();
  const parts = new Set<string>();
  const containing: PathPattern[] = [];
  const rewritten: PathPattern[] = [];
  const rest: PathPattern[] = [];
  for (const each of all) {
    if (isRewritten(each)) {
      rewritten.push(each);
      continue;
    }
    const isFound = addTo(named, nameIn(each), each) || addTo(started, startIn(each), each) || addTo(ended, endIn(each), each);
    const part = isFound ? '' : partIn(each);
    if (part !== '') {
      containing.push(each);
      parts.add(part.replaceAll(/[^\w\s]/g, String.raw`\$&`));
    }
    if (isFound || part !== '') addTo(based, each.base ?? '', each);
    else rest.push(each);
  }
  const anyPart = new RegExp([...parts].join('|') || '$^');
  return { named, started, ended, containing, anyPart, others: [...rewritten, ...rest], based };
}

/** Adds a pattern to those of its key. False if it has none. */
function addTo(groups: Map<string, PathPattern[]>, key: string, pattern: PathPattern): boolean {
  if (key === '') return false;
  const group = groups.get(key);
  if (group === undefined) groups.set(key, [pattern]);
  else group.push(pattern);
  return true;
}

/** Tells whether making a pattern absolute changes more of it than the folder in front. */
function isRewritten({ written: { pattern }, absolute }: PathPattern): boolean {
  return absolute !== undefined && /[%\\]|^file:|\/\/|.\/$|(?:^|\/)\.{1,2}(?:\/|$)/i.test(pattern);
}

/** The longest whole name behind a slash. */
function nameIn({ written: { pattern } }: PathPattern): string {
  let longest = '';
  for (const name of namesIn(pattern)) if (name.length > longest.length && !/[*?]/.test(name)) longest = name;
  return longest;
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
