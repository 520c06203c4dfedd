import { foldPath, type PathForms, spellings } from '../paths/path-forms.ts';
import type { PathPattern } from '../paths/path-pattern.ts';
import { compileGlob } from '../patterns/glob.ts';
import { NAME_START, PATH_END, type PathGlobs, type PatternsByName } from './path-globs.ts';
import type { MatchContext, Mode } from './match-context.ts';

/** Longer texts are no path that anybody expands. */
const LONGEST = 4096;
/** Most expansions of one text; if there are more, it says hardly anything of what it means. */
const MOST = 64;

const WILD = /[*?]|\[[^\]/]+\]/;
/** The beginning of a segment that can hide a name: `*`, `**` and `*.json` are about any name, and hide none. */
const TELLING = /^(?:\.|[\w-]{2})/;
/** Regular expressions, and lists of what to leave out, have these; in a folder they stand for all that is hidden there. */
const ANY_HIDDEN = /^\.[*?]+$/;

/**
 * Tells whether a text, read as a path, matches any of these patterns.
 * `possible`: any form matches a pattern as written, made absolute, or with its real base.
 * `certain`: every absolute form matches one, and so does the real path of each, against the patterns with their real bases.
 */
export function matchesPath(globs: PathGlobs, text: string, { mode, context }: { mode: Mode; context: MatchContext }): boolean {
  return mode === 'certain' ? findOutside(globs, text, context) === undefined : findInside(globs, text, context) !== undefined;
}

/** Stands for a form if no honest server has a reading of the text that is a path. */
export const NO_PATH = '';

/**
 * The first form of a text that is in none of the patterns, though it would have to be for a certain match; `NO_PATH` if there is no
 * form that could be. Undefined if all are in one.
 */
export function findOutside(globs: PathGlobs, text: string, context: MatchContext): string | undefined {
  const patterns = globs.patterns(context.paths);
  const forms = context.forms(text);
  const { platform } = context.paths;
  if (forms.certain === undefined) return NO_PATH;
  const isInside = (path: string): boolean => {
    const real = foldPath(path, platform);
    return patterns.some((pattern) => realGlob(pattern, context).matches(real));
  };
  for (const path of climbs(forms, context)) if (!isInside(path)) return path;
  for (const path of forms.certain) {
    const lexical = foldPath(path, platform);
    if (!patterns.some((pattern) => (pattern.absolute ?? pattern.written).matches(lexical))) return path;
    const real = context.realPath(path);
    if (!isInside(real)) return real;
  }
  return undefined;
}

/** The first form of a text that is in one of the patterns, by which it possibly matches; of a long text itself. Undefined if none is. */
export function findInside(globs: PathGlobs, text: string, context: MatchContext): string | undefined {
  const forms = context.forms(text);
  const reals = realsOf(forms, context);
  const found =
    findForm(globs, forms.any, context) ??
    findForm(globs, reals, context) ??
    (mayHideName(text) ? findExpanded(globs, forms.any, context) : undefined);
  if (found !== undefined) return found;
  if (forms.long === undefined) return undefined;
  const patterns = globs.patterns(context.paths);
  return forms.long.matches(patterns.flatMap((pattern) => globsOf(pattern, context))) ? text : undefined;
}

/** The first form of a path that a command line names and that is in one of the patterns; undefined if none is. */
export function findInCommand(globs: PathGlobs, line: string, context: MatchContext): string | undefined {
  for (const path of context.commandPaths(line)) {
    const found = findInside(globs, path, context);
    if (found !== undefined) return found;
  }
  return undefined;
}

function findForm(globs: PathGlobs, forms: readonly string[], context: MatchContext): string | undefined {
  if (forms.length === 0) return undefined;
  const patterns = globs.byName(context.paths);
  for (const pattern of patterns.others) {
    const real = realGlob(pattern, context);
    for (const form of forms) if (matchesForm(pattern, form) || real.matches(form)) return form;
  }
  for (const [base, real] of context.moved())
    for (const pattern of patterns.based.get(base) ?? []) {
      const glob = pattern.withBase(real);
      for (const form of forms) if (glob.matches(form)) return form;
    }
  return forms.find((form) => matchesNamed(patterns, form));
}

/** The first form that leads into a pattern once its wildcards are expanded. */
function findExpanded(globs: PathGlobs, forms: readonly string[], context: MatchContext): string | undefined {
  const names = globs.names(context.paths);
  const isFound = (each: string, form: string): boolean =>
    findForm(globs, [...(each === form ? [] : [each]), ...expandWildcards(each, names)], context) !== undefined;
  return forms.find((form) => context.choices(form).some((each) => isFound(each, form)));
}

/** Most patterns are about something of a certain name, and most paths have none of these. */
function matchesNamed({ named, started, ended, containing, anyPart }: PatternsByName, form: string): boolean {
  const isAnyOf = (patterns: readonly PathPattern[] | undefined): boolean =>
    patterns?.some((pattern) => matchesForm(pattern, form)) === true;
  if (ended.size > 0 && isAnyOf(ended.get(form.slice(-PATH_END)))) return true;
  if (containing.length > 0 && anyPart.test(form) && isAnyOf(containing)) return true;
  if (named.size + started.size === 0) return false;
  let start = form.indexOf('/') + 1;
  while (start > 0) {
    const end = form.indexOf('/', start);
    const name = end === -1 ? form.slice(start) : form.slice(start, end);
    if (isAnyOf(named.get(name))) return true;
    if (started.size > 0 && isAnyOf(started.get(name.slice(0, NAME_START)))) return true;
    start = end + 1;
  }
  return false;
}

function matchesForm({ written, absolute }: PathPattern, form: string): boolean {
  return written.matches(form) || absolute?.matches(form) === true;
}

const NONE: readonly string[] = [];

/** The real paths of a text's paths, in every spelling; a path that is its own real path is left out. */
function realsOf(forms: PathForms, context: MatchContext): readonly string[] {
  const found = forms.climbing.length === 0 ? [] : climbs(forms, context);
  for (const path of forms.absolute) {
    const real = context.realPath(path);
    // A path that is its own real path is among the forms.
    if (real !== path) found.push(real);
  }
  if (found.length === 0) return NONE;
  return found.flatMap(spellings).map((path) => foldPath(path, context.paths.platform));
}

/** The real paths of the climbing forms; a path that the disk was not asked about is left out. */
function climbs(forms: PathForms, context: MatchContext): string[] {
  return forms.climbing.map((path) => context.resolved(path)).filter((path) => path !== undefined);
}

/** The pattern as written, made absolute, and with its real base. */
function globsOf(pattern: PathPattern, context: MatchContext): PathPattern['written'][] {
  const { written, absolute } = pattern;
  return absolute === undefined ? [written, realGlob(pattern, context)] : [written, absolute, realGlob(pattern, context)];
}

function realGlob(pattern: PathPattern, context: MatchContext): PathPattern['written'] {
  return pattern.base === undefined ? pattern.written : pattern.withBase(context.realPath(pattern.base));
}

/** Tells whether a text may have wildcards in it that hide a name. */
export function mayHideName(text: string): boolean {
  return text.length <= LONGEST && /[*?[{(]/.test(text) && !ANY_HIDDEN.test(text.trim());
}

/**
 * The paths that a server comes to which expands `~/.ss*` or `~/.s?h` as a shell does, as far as they have names of a policy's patterns in
 * them. Empty if no wildcard of the text hides one.
 *
 * @param names whole segments of the patterns, folded as the text is
 */
export function expandWildcards(text: string, names: ReadonlySet<string>): readonly string[] {
  let found: readonly (readonly string[])[] = [[]];
  let isOther = false;
  for (const segment of text.split('/')) {
    const choices = [segment, ...namesLike(segment, names)];
    isOther ||= choices.length > 1;
    found = found.flatMap((before) => choices.map((choice) => [...before, choice])).slice(0, MOST);
  }
  return isOther ? found.slice(1).map((path) => path.join('/')) : [];
}

function namesLike(segment: string, names: ReadonlySet<string>): readonly string[] {
  if (!WILD.test(segment) || !(TELLING.test(segment) || isMostlyLetters(segment))) return [];
  const glob = compileGlob(segment.replaceAll(/\[[^\]]+\]/g, '?'));
  return Array.from(names).filter((name) => glob.matches(name));
}

/** Tells whether a segment has three letters or more, and nothing that stands for several. */
function isMostlyLetters(segment: string): boolean {
  return !segment.includes('*') && segment.replaceAll(/\[[^\]]+\]|[^\w]/g, '').length >= 3;
}
