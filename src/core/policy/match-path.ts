import type { PathGlobs } from './compile-matcher.ts';
import type { MatchContext, Mode } from './match-context.ts';
import { foldPath, type PathForms, spellings } from './path-forms.ts';
import type { PathPattern } from './path-pattern.ts';

/**
 * Does a text, read as a path, match any of these patterns? `possible`: any form matches a pattern as written, made absolute, or
 * with its real base.
 * `certain`: every absolute form matches one, and so does the real path of each, against the patterns with their real bases.
 */
export function matchesPath(globs: PathGlobs, text: string, { mode, context }: { mode: Mode; context: MatchContext }): boolean {
  const patterns = globs.patterns(context.paths);
  const forms = context.forms(text);
  const { platform } = context.paths;
  if (mode === 'certain') {
    if (forms.certain === undefined) return false;
    const isInside = (path: string): boolean => {
      const real = foldPath(path, platform);
      return patterns.some((pattern) => realGlob(pattern, context).matches(real));
    };
    return (
      climbs(forms, context).every(isInside) &&
      forms.certain.every((path) => {
        const lexical = foldPath(path, platform);
        if (!patterns.some((pattern) => (pattern.absolute ?? pattern.written).matches(lexical))) return false;
        return isInside(context.realPath(path));
      })
    );
  }
  const found = climbs(forms, context);
  for (const path of forms.absolute) {
    const real = context.realPath(path);
    // One that leads nowhere else is among the forms.
    if (real !== path) found.push(real);
  }
  const reals = found.flatMap(spellings).map((path) => foldPath(path, platform));
  const isFound = patterns.some((pattern) => {
    const real = realGlob(pattern, context);
    const matches = (form: string): boolean =>
      pattern.written.matches(form) ||
      pattern.absolute?.matches(form) === true ||
      (real !== pattern.absolute && real.matches(form));
    return forms.any.some(matches) || reals.some(matches);
  });
  if (isFound || forms.long === undefined) return isFound;
  return forms.long.matches(patterns.flatMap((pattern) => globsOf(pattern, context)));
}

/** Where the disk leads with the paths that climb; none where it was not asked. */
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
