import { withoutEscapes, withoutTextDocuments } from './command-documents.ts';
import { readShellLine, type ShellCommand } from './shell-line.ts';
import { isAnyName } from './shell-pattern.ts';
import { HERE, placesOf } from './shell-places.ts';
import { expandVariables } from './shell-variables.ts';

/** Words that may stand before the program. */
const BEFORE = /^(?:do|then|else|elif|\{|!|if|while|until|sudo|env|nohup|time|command|builtin|exec|\w+\+?=.*)$/s;

/** Programs whose words are printed. */
const PRINTERS = new Set(['echo', 'printf']);

/** Programs whose first word is a pattern or a filter, and no file. */
const FILTERS = new Set(['grep', 'egrep', 'fgrep', 'rg', 'ag', 'jq', 'yq', 'sed', 'awk', 'gawk', 'mawk']);

/** Options of all programs whose value is a pattern for names. */
const PATTERN_OPTION = /^--?(?:exclude|include|exclude-dir|ignore|ignore-pattern|i?glob)(?:=|$)/;

/** Options whose value is a text or a pattern, by program. */
const TEXT_OPTIONS: ReadonlyMap<string, RegExp> = new Map([
  ['git', /^(?:-[a-z]*m|--message|--grep|-S|-G)$/],
  ['gh', /^(?:-[tbnl]|--title|--body|--notes|--label|--search)$/],
  ['glab', /^(?:-[tdl]|--title|--description|--label)$/],
  ['rg', /^-g$/],
  ['find', /^-(?:i?name|i?path|i?wholename|i?regex|i?lname)$/],
  ['fd', /^-E$/],
]);

/** Programs that run a text: as a word of theirs, or what they read. */
const RUNNER =
  /^(?:.*\/)?(?:(?:ba|z|da|k|fi|c|a)?sh|eval|ssh|su|xargs|parallel|watch|trap|script|tmux|screen|env|pwsh|powershell|cmd|osascript|docker|kubectl)$/;
/** Programs with a language of their own, and the options of these and others with a program behind them. */
const LANGUAGE = /^(?:.*\/)?(?:[gm]?awk|sed|sqlite3|psql|mysql|vim?|nvim|ex)$/;
const RUNNING_OPTION = /^-{1,2}(?:[a-z]*[cepr]|eval|command|execute|print|exec(?:dir)?|ok(?:dir)?|cmd)$/i;
/** Options of git and ssh with a command in them: `-c core.pager=…`, `-o ProxyCommand=…`. */
const COMMAND_VALUE = /^[\w.]*(?:command|pager|editor|alias[\w.]*|cmd|S)[=\s]/i;

const SUBSTITUTION = /\$\(([^()]*)\)?|`([^`]*)`?/g;
const STRING = /(["'`])((?:(?!\1)[^\\\n\s]|\\.){1,1024})\1/g;
const BEGINS_AS_PATH = /^(?:[/~]|\.{1,2}\/|\$\{?HOME\b)/;
const ABSOLUTE = /^(?:[/~$\\%-]|[A-Za-z]:|\w+:\/\/)/;
/** A command of `sed`: `s/a/b/g`. */
const SUBSTITUTE = /^[sy]([^\w\s\\]).*\1.*\1[a-z\d]*$/i;

/** Signs of a path or an address; in long lines other words are not taken for files. */
const SIGN = /[/\\~$*?[.:]/;
const LONG = 2048;
/** Longer lines, and those with more commands, are cut at white space and quotes alone. */
const LONGEST_LINE = 65_536;
const MOST_COMMANDS = 2048;
const MOST_LEVELS = 3;

/**
 * The paths and addresses that a text names which is run, as texts: words of the line and parts of them, relative ones also from where the
 * line goes (`cd ~ && cat .netrc`), of commands in quotes, and strings of programs in it. What is only printed, searched for or kept as a
 * message is left out. Linear in the text.
 */
export function pathsOfCommand(text: string): readonly string[] {
  const found = new Set<string>();
  const plain = text.length > LONGEST_LINE ? text : withoutTextDocuments(withoutEscapes(text));
  readLine(plain, { found, folders: HERE, level: 0, isLong: plain.length > LONG });
  found.delete(text);
  return [...found];
}

interface Walk {
  readonly found: Set<string>;
  readonly folders: readonly string[];
  readonly level: number;
  readonly isLong: boolean;
}

function readLine(text: string, walk: Walk): void {
  const parsed = text.length > LONGEST_LINE ? undefined : readShellLine(text);
  if (parsed === undefined || parsed.length > MOST_COMMANDS) {
    for (const word of text.split(/[\s"'`;|&()<>]+/)) addPath(word, walk);
    return;
  }
  const commands = expandVariables(parsed);
  const isSubstituted = /`|\$\(|[<>]\(/.test(text);
  for (const [at, { folders }] of placesOf(commands, walk.folders).entries()) {
    const command = commands[at];
    if (command === undefined) continue;
    const isRead = isSubstituted || commands[at + 1]?.after === '|';
    readWords(command, { ...walk, folders }, isRead);
  }
}

function readWords({ words, redirected }: ShellCommand, walk: Walk, isRead: boolean): void {
  const texts = words.map(({ text }) => text);
  const first = texts.findIndex((text) => !BEFORE.test(text));
  const program = baseName(texts[first] ?? '');
  const runs = texts.some((text) => RUNNER.test(text));
  const files = redirected.map(({ text }) => text);
  for (const file of files) addWord(file, walk, runs || LANGUAGE.test(program));
  if (PRINTERS.has(program) && !isRead) return addSubstituted(texts, walk);
  const isText = textsOf(program, texts, first, isRead);
  for (const [at, text] of texts.entries()) {
    if (isText(at)) {
      addSubstituted([text], walk);
      continue;
    }
    // A program's own name is a file only with its folder.
    if (at <= first && !/[/~=]/.test(text)) continue;
    const option = texts[at - 1] ?? '';
    addWord(text, walk, runs || LANGUAGE.test(program) || RUNNING_OPTION.test(option) || COMMAND_VALUE.test(text));
  }
}

/** Tells which words of a command are texts or patterns, and no files. */
function textsOf(program: string, texts: readonly string[], first: number, isRead: boolean): (at: number) => boolean {
  const options = TEXT_OPTIONS.get(program);
  const isFound = program === 'find' && (isRead || texts.some((text) => /^-(?:exec|ok|delete|fprint)/.test(text)));
  const hasOwn = texts.some((text) => /^(?:-[a-z]*[ef]|--(?:regexp|file|expression|from-file).*)$/i.test(text));
  const filter = FILTERS.has(program) && !hasOwn ? texts.findIndex((text, at) => at > first && !text.startsWith('-')) : -1;
  return (at) => {
    const text = texts[at] ?? '';
    const option = texts[at - 1] ?? '';
    if (at === filter) return !/\b(?:getline|r|R|w|W)\b|[/~]/.test(text);
    if (PATTERN_OPTION.test(text) || (PATTERN_OPTION.test(option) && !option.includes('='))) return true;
    return (options?.test(option) === true || options?.test(text.split('=', 1)[0] ?? '') === true) && !isFound;
  };
}

function addWord(text: string, walk: Walk, isRun: boolean): void {
  if (SUBSTITUTE.test(text)) return;
  addSubstituted([text], walk);
  if (!/\s/.test(text)) {
    for (const part of partsOf(text)) addPath(part, walk);
    if (isRun) addStrings(text, walk);
    return;
  }
  if (BEGINS_AS_PATH.test(text)) addPath(text, walk);
  if (!isRun || walk.level >= MOST_LEVELS) return;
  addStrings(text, walk);
  readLine(text.replace(COMMAND_VALUE, ''), { ...walk, level: walk.level + 1 });
}

/** Reads what a shell runs inside of a quoted word. */
function addSubstituted(texts: readonly string[], walk: Walk): void {
  if (walk.level >= MOST_LEVELS) return;
  for (const text of texts) {
    if (!/\$\(|`/.test(text)) continue;
    const rest = text.replaceAll(SUBSTITUTION, '.');
    if (!/\s/.test(rest)) addPath(rest, walk);
    for (const [, inner, ticked] of text.matchAll(SUBSTITUTION)) {
      readLine(inner ?? ticked ?? '', { ...walk, level: walk.level + 1 });
    }
  }
}

/** Adds the strings of a program in another language: `print(open('.env').read())`. */
function addStrings(text: string, walk: Walk): void {
  for (const [, , inner = ''] of text.matchAll(STRING)) addPath(inner, walk);
}

function addPath(text: string, { found, folders, isLong }: Walk): void {
  if (text === '' || isAnyName(text.replaceAll(/\[[^\]]+\]/g, '?')) || (isLong && !SIGN.test(text))) return;
  if (/^-[^=/]*$/.test(text)) return;
  found.add(text);
  if (ABSOLUTE.test(text)) return;
  for (const folder of folders) if (folder !== '') found.add(`${folder}/${text}`);
}

/** `--file=/x`, `-C/x`, `@/x`, `/x:/y`: the word, and what in it may be a path. */
function partsOf(word: string): readonly string[] {
  if (!/[=:@,;]|^-/.test(word)) return [word];
  return [...new Set([word, ...word.split(/[=:,;@]+/), word.replace(/^-[A-Za-z](?=[/~$.])/, '')])];
}

function baseName(word: string): string {
  return word.slice(word.lastIndexOf('/') + 1);
}
