/** Words that one word may become; where braces make more of it, nobody meant files. */
const MOST_WORDS = 64;

/** Stands for whatever braces could make, slashes too. */
const ANYTHING = '{*}';

const BRACKET = /\[[!^]?\]?[^\]]+\]/;
const BRACKETS = new RegExp(BRACKET, 'g');

/** Has a word a pattern of a shell in it? A bracket that nothing closes is none: `[ -f x ]`. */
export function isShellPattern(word: string): boolean {
  return /[*?]/.test(word) || BRACKET.test(word);
}

/** Is a word a pattern that says nothing of the names it stands for, as `*` and `.*` do? Regular expressions are full of them. */
export function isAnyName(word: string): boolean {
  return /^[.*?]*[*?][.*?]*$/.test(word);
}

/**
 * The words that braces make of one, as a shell does: `~/.{a,b}` is `~/.a` and `~/.b`. Sequences (`{1..3}`) become a `*`. Braces without a comma or a sequence in them are letters like others: `{print $1}`, `{}`.
 */
export function expandBraces(word: string): readonly string[] {
  let words = [word];
  for (;;) {
    const next = words.flatMap(expandFirst);
    if (next.length > MOST_WORDS) return [/[\s"]/.test(word) ? word : collapse(word)];
    if (next.length === words.length && next.every((each, at) => each === words[at])) return words;
    words = next;
  }
}

/** Innermost braces, in which there is something to choose from. */
const CHOICE = /\{([^{}]*(?:,|\.\.)[^{}]*)\}/;

function expandFirst(word: string): string[] {
  const found = CHOICE.exec(word);
  if (found === null) return [word];
  const [whole, inside = ''] = found;
  const before = word.slice(0, found.index);
  const after = word.slice(found.index + whole.length);
  const choices = inside.includes(',') ? inside.split(',') : ['*'];
  return choices.slice(0, MOST_WORDS + 1).map((choice) => `${before}${choice}${after}`);
}

/** From the first brace on it may be anything. Where there are quotes or white space in it, it is JSON or a program. */
function collapse(word: string): string {
  return `${word.slice(0, word.indexOf('{'))}${ANYTHING}`;
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
    if (open !== -1) return names.slice(0, open).every((name, at) => matchesName(wanted[at] ?? '', name));
    if (wanted.length < names.length && !above) return false;
    return names.slice(0, wanted.length).every((name, at) => matchesName(wanted[at] ?? '', name));
  });
}

/** As shells do: what stands for any character does not stand for a dot in front. */
function matchesName(pattern: string, name: string): boolean {
  if (!isShellPattern(pattern)) return pattern === name;
  // Brackets may stand for any one character: which one is not looked at.
  const simple = pattern.replace(BRACKETS, '?');
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
