/** Most words that one word may become, and most nested braces; more can't be meant as files. */
const MOST_WORDS = 64;
const MOST_LEVELS = 16;

/** Longer than any path; its braces and brackets are not examined. */
const LONGEST_PATTERN = 4096;

/** Stands for any result of braces, including slashes. */
const ANYTHING = '{*}';

/** Tells whether a word contains a shell pattern. An unclosed bracket is none: `[ -f x ]`. Linear in the word, like everything here. */
export function isShellPattern(word: string): boolean {
  return /[*?]/.test(word) || hasBrackets(word);
}

function hasBrackets(word: string): boolean {
  const open = word.indexOf('[');
  return open !== -1 && word.lastIndexOf(']') > open + 1;
}

/** Tells whether a word is a pattern that matches any name, as `*` and `.*` do. Regular expressions are full of them. */
export function isAnyName(word: string): boolean {
  return /^[.*?]+$/.test(word) && /[*?]/.test(word);
}

/** Matches choices as Bash and JavaScript's globs write them: `@(a|b)`. */
const EXTENDED = /[@?+*!]?\(([^()/]*)\)/g;

/** A text with braces in the place of extended globs, which mean the same. */
export function toBraces(text: string): string {
  return text.replaceAll(EXTENDED, (_all, inside: string) => `{${inside.replaceAll('|', ',')},}`);
}

/** Matches innermost braces. */
const BRACES = /\{([^{}]*)\}/g;

/** Stand for braces that stay; no path has these characters. */
const KEPT = { open: '\uFFFE', close: '\uFFFF' };

/**
 * Expands braces as a shell does: `~/.{a,b}` gives `~/.a` and `~/.b`. Sequences (`{1..3}`) become a `*`. Braces without a comma or a
 * sequence in them are ordinary letters: `{print $1}`, `{}`.
 */
export function expandBraces(word: string): readonly string[] {
  if (!word.includes('{') || !word.includes('}')) return [word];
  let words = [word];
  for (let level = 0; level < MOST_LEVELS && word.length <= LONGEST_PATTERN; level++) {
    words = words.map(withoutSequences);
    const open = words.filter((each) => hasChoice(each));
    if (open.length === 0) return words.map(restored);
    words = words.flatMap(expandFirst);
    if (words.length > MOST_WORDS) break;
  }
  // With quotes or white space it is JSON or a program; otherwise it may be anything from the first brace on.
  return [/[\s"]/.test(word) ? word : `${word.slice(0, word.indexOf('{'))}${ANYTHING}`];
}

/** Replaces all innermost braces without a choice, level by level. */
function withoutSequences(word: string): string {
  let result = word;
  for (let level = 0; level < MOST_LEVELS; level++) {
    const next = result.replaceAll(BRACES, (whole, inside: string) => {
      if (inside.includes(',')) return whole;
      return inside.includes('..') ? '*' : `${KEPT.open}${inside}${KEPT.close}`;
    });
    if (next === result) return result;
    result = next;
  }
  return result;
}

function restored(word: string): string {
  return word.replaceAll(KEPT.open, '{').replaceAll(KEPT.close, '}');
}

function hasChoice(word: string): boolean {
  return word.search(BRACES) !== -1;
}

function expandFirst(word: string): string[] {
  const at = word.search(BRACES);
  if (at === -1) return [word];
  const end = word.indexOf('}', at);
  const choices = word.slice(at + 1, end).split(',');
  const after = word.slice(end + 1);
  return choices.slice(0, MOST_WORDS + 1).map((choice) => `${word.slice(0, at)}${choice}${after}`);
}

/**
 * Tells whether an absolute path with patterns (folded) may match one of these files or folders, or something in them. With `above`: also a
 * folder around one of them.
 */
export function patternLeads(path: string, roots: readonly string[], above: boolean): boolean {
  const wanted = path.split('/');
  return roots.some((root) => {
    const names = root.split('/');
    const open = wanted.findIndex((name) => name.includes(ANYTHING));
    if (open !== -1) return names.slice(0, open + 1).every((name, at) => matchesName(upTo(wanted[at] ?? ''), name));
    if (wanted.length < names.length && !above) return false;
    return names.slice(0, wanted.length).every((name, at) => matchesName(wanted[at] ?? '', name));
  });
}

/** Tells whether a part of this path is a pattern that may match that name, and has its first two letters. */
export function patternNames(path: string, name: string): boolean {
  return path.split('/').some((part) => part.startsWith(name.slice(0, 2)) && isShellPattern(part) && matchesName(part, name));
}

/** The name up to the part that stands for anything; a leading dot may belong to that part. */
function upTo(name: string): string {
  const at = name.indexOf(ANYTHING);
  return at === -1 ? name : at === 0 ? ANYTHING : `${name.slice(0, at)}*`;
}

/** Matches as shells do: wildcards do not match a leading dot. */
function matchesName(pattern: string, name: string): boolean {
  if (pattern === ANYTHING) return true;
  if (!isShellPattern(pattern)) return pattern === name;
  if (pattern.length > LONGEST_PATTERN) return true;
  // Brackets match any one character here, whichever they list.
  const simple = pattern.replaceAll(/\[[!^]?\]?[^\]]+\]/g, '?');
  if (name.startsWith('.') && !simple.startsWith('.')) return false;
  return matchesStars(simple, name);
}

/** Linear in each, backtracking only to the last star. */
function matchesStars(pattern: string, name: string): boolean {
  let at = 0;
  let star = -1;
  let starAt = 0;
  let next = 0;
  while (at < name.length) {
    if (next < pattern.length && pattern[next] !== '*' && (pattern[next] === '?' || pattern[next] === name[at])) {
      at++;
      next++;
    } else if (pattern[next] === '*') {
      star = next++;
      starAt = at;
    } else if (star !== -1) {
      next = star + 1;
      at = ++starAt;
    } else return false;
  }
  return /^\**$/.test(pattern.slice(next));
}
