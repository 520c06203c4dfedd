import type { ShellCommand, ShellWord } from './shell-line.ts';

/** Most values of one variable, and most words that one word may become; the latest count. */
const MOST_VALUES = 8;

/** macOS opens no longer path (PATH_MAX), and values made of values grow fast. */
const LONGEST_VALUE = 1024;

/** Most characters of all values in one line; only crafted lines go beyond, and keep their variables. */
const MOST_CHARACTERS = 1_000_000;

const ASSIGNMENT = /^([A-Za-z_]\w*)(\+?)=(.*)$/s;

const VARIABLE = /\$(?:\{([A-Za-z_]\w*)(?::?[-=+?][^{}]*)?\}|([A-Za-z_]\w*))/g;

/** Words that may stand before an assignment, or before the program. */
const BEFORE = new Set([
  'export',
  'local',
  'declare',
  'typeset',
  'readonly',
  'do',
  'then',
  'else',
  '{',
  '!',
  'if',
  'while',
  'time',
]);

type Values = Map<string, readonly string[]>;

/**
 * Replaces the variables that the same line assigns: `D=~/x; rm $D`, `for d in a b; do rm x/$d`. A word becomes several if there are
 * several values. The output or input of a command is unknown, so such variables stay as they are.
 */
export function expandVariables(commands: readonly ShellCommand[]): readonly ShellCommand[] {
  const values: Values = new Map();
  let left = MOST_CHARACTERS;
  return commands.map(({ after, words, redirected }) => {
    const expand = (word: ShellWord): readonly ShellWord[] => {
      if (left <= 0 || values.size === 0 || !word.text.includes('$')) return [word];
      return expandWord(word.text, values).map((text) => {
        left -= text.length;
        return { ...word, text };
      });
    };
    const expanded = { after, words: words.flatMap(expand), redirected: redirected.flatMap(expand) };
    remember(expanded, values);
    return expanded;
  });
}

function remember({ words, redirected }: ShellCommand, values: Values): void {
  const texts = words.map(({ text }) => text);
  const first = texts.findIndex((text) => !BEFORE.has(text));
  const [name = '', between] = texts.slice(first + 1);
  if (texts[first] === 'for' && between === 'in') return add(values, name, texts.slice(first + 3));
  if (texts[first] === 'read' && redirected.length > 0) {
    return add(
      values,
      texts.at(-1) ?? '',
      redirected.map(({ text }) => text),
    );
  }
  for (const text of texts) {
    const [, variable = '', isMore, value = ''] = ASSIGNMENT.exec(text) ?? [];
    if (variable === '' && !BEFORE.has(text) && !text.startsWith('-')) return;
    if (variable === '') continue;
    const before = isMore === '+' ? (values.get(variable) ?? ['']) : [''];
    add(
      values,
      variable,
      before.map((each) => each + value),
    );
  }
}

/** Adds values. Earlier ones stay possible: it is not known which branch was taken. */
function add(values: Values, name: string, latest: readonly string[]): void {
  const short = latest.filter((value) => value.length <= LONGEST_VALUE);
  values.set(name, [...new Set([...short.toReversed(), ...(values.get(name) ?? [])])].slice(0, MOST_VALUES));
}

function expandWord(text: string, values: Values): readonly string[] {
  let results = [''];
  let from = 0;
  for (const match of text.matchAll(VARIABLE)) {
    const known = values.get(match[1] ?? match[2] ?? '');
    if (known === undefined || known.length === 0) continue;
    const between = text.slice(from, match.index);
    results = known.flatMap((value) => results.map((result) => result + between + value)).slice(0, MOST_VALUES);
    from = match.index + match[0].length;
    if ((results[0] ?? '').length > LONGEST_VALUE) return [text];
  }
  return results.map((result) => result + text.slice(from));
}
