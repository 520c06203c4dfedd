import { compileGlob } from './glob.ts';

/** Longer texts are no path that anybody expands. */
const LONGEST = 4096;
/** Texts that one may become; where there are more, it says hardly anything of what it means. */
const MOST = 64;

const WILD = /[*?]|\[[^\]/]+\]/;
/** What a segment has to begin with, for `*`, `**` and `*.json` are about any name, and hide none. */
const TELLING = /^(?:\.|[\w-]{2})/;
/** Choices as Bash and JavaScript's globs write them: `@(a|b)`. */
const EXTENDED = /[@?+*!]?\(([^()/]*)\)/g;
/** Regular expressions, and lists of what to leave out, have these; in a folder they stand for all that is hidden there. */
const ANY_HIDDEN = /^\.[*?]+$/;

/** May a text have wildcards in it that hide a name? */
export function mayHideName(text: string): boolean {
  return text.length <= LONGEST && /[*?[{(]/.test(text) && !ANY_HIDDEN.test(text.trim());
}

/** A text with braces in the place of extended globs, which mean the same. */
export function toBraces(text: string): string {
  return text.replaceAll(EXTENDED, (_all, inside: string) => `{${inside.replaceAll('|', ',')},}`);
}

/**
 * The paths that a server comes to which expands `~/.ss*` or `~/.s?h` as a shell does, as far as they have names of a policy's patterns in them.
 * Empty where no wildcard of the text hides one.
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

/** Three letters and more, with nothing that stands for several. */
function isMostlyLetters(segment: string): boolean {
  return !segment.includes('*') && segment.replaceAll(/\[[^\]]+\]|[^\w]/g, '').length >= 3;
}
