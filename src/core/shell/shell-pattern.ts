/** Words that one word may become, and braces inside each other; where there are more, nobody meant files. */
const MOST_WORDS = 64;
const MOST_LEVELS = 16;

/** Longer than any path; what is in its braces and brackets is not looked at. */
const LONGEST_PATTERN = 4096;

/** Stands for whatever braces could make, slashes too. */
const ANYTHING = '{*}';

/** Has a word a pattern of a shell in it? A bracket that nothing closes is none: `[ -f x ]`. Linear in the word, as all here. */
export function isShellPattern(word: string): boolean {
  return /[*?]/.test(word) || hasBrackets(word);
}

function hasBrackets(word: string): boolean {
  const open = word.indexOf('[');
  return open !== -1 && word.lastIndexOf(']') > open + 1;
}

/** Is a word a pattern that says nothing of the names it stands for, as `*` and `.*` do? Regular expressions are full of them. */
export function isAnyName(word: string): boolean {
  return /^[.*?]+$/.test(word) && /[*?]/.test(word);
}

/** Choices as Bash and JavaScript's globs write them: `@(a|b)`. */
const EXTENDED = /[@?+*!]?\(([^()/]*)\)/g;

/** A text with braces in the place of extended globs, which mean the same. */
export function toBraces(text: string): string {
  return text.replaceAll(EXTENDED, (_all, inside: string) => `{${inside.replaceAll('|', ',')},}`);
}

/** Innermost braces. */
const BRACES = /\{([^{}]*)\}/g;

/** Stand for braces that stay; no path has these characters. */
const KEPT = { open: '\uFFFE', close: '\uFFFF' };

/**
 * The words that braces make of one, as a shell does: `~/.{a,b}` is `~/.a` and `~/.b`. Sequences (`{1..3}`) become a `*`. Braces
 * without a comma or a sequence in them are letters like others: `{print $1}`, `{}`.
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
  // Where there are quotes or white space in it, it is JSON or a program; otherwise it may be anything from the first brace on.
  return [/[\s"]/.test(word) ? word : `${word.slice(0, word.indexOf('{'))}${ANYTHING}`];
}

/** With all innermost braces, level by level, replaced that leave no choice. */
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
 * Does an absolute path with patterns in it (folded) stand for one of these files or folders, or for something in them? With `above`: for
 * a folder that one of them lies in.
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

/** Is there a pattern in this path that may stand for that name, and says as much as two letters of it? */
export function patternNames(path: string, name: string): boolean {
  return path.split('/').some((part) => part.startsWith(name.slice(0, 2)) && isShellPattern(part) && matchesName(part, name));
}

/** Up to what stands for anything; a dot in front may be part of that. */
function upTo(name: string): string {
  const at = name.indexOf(ANYTHING);
  return at === -1 ? name : at === 0 ? ANYTHING : `${name.slice(0, at)}*`;
}

/** As shells do: what stands for any character does not stand for a dot in front. */
function matchesName(pattern: string, name: string): boolean {
  if (pattern === ANYTHING) return true;
  if (!isShellPattern(pattern)) return pattern === name;
  if (pattern.length > LONGEST_PATTERN) return true;
  // Brackets may stand for any one character: which one is not looked at.
  const simple = pattern.replaceAll(/\[[!^]?\]?[^\]]+\]/g, '?');
  if (name.startsWith('.') && !simple.startsWith('.')) return false;
  return matchesStars(simple, name);
}

/** Linear in each, with one way back: to the last star. */
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
