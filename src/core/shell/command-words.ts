import { readShellLine, type ShellCommand } from './shell-line.ts';
import { expandVariables } from './shell-variables.ts';

/** Programs that search for, print or keep a text, without running it. */
const SEARCHERS = new Set(['grep', 'egrep', 'fgrep', 'rg', 'ag']);
const PRINTERS = new Set(['echo', 'printf']);
const KEEPERS: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['git', new Set(['commit', 'grep', 'log', 'show', 'tag'])],
  ['gh', new Set(['issue', 'pr', 'release', 'search'])],
  ['glab', new Set(['issue', 'mr', 'release'])],
]);

/**
 * Matches options with which those programs run others: `rg --pre`, `git grep --open-files-in-pager`, `ag --pager`. Long ones may be
 * abbreviated.
 */
const RUNNING_OPTION = /^(?:-O|--(?:pre(?:=|$)|pre-g|pager|hostname-bin|o(?!nly|r$|neline)|ext))/;

/** Matches programs that run their input, from arguments or a pipe, or have others run it. */
const RUNNERS =
  /^(?:(?:ba|z|da|k|mk|fi|c|tc|a)?sh|busybox|eval|exec|ssh|su|sudo|doas|xargs|parallel|env|nohup|setsid|python[\d.]*|node|deno|bun|perl|ruby|php|lua|awk|gawk|mawk)$/;

/** Matches further such programs, which only count in the program's place; elsewhere they are names like others. */
const PROGRAMS =
  /^(?:source|\.|at|batch|crontab|tmux|screen|expect|script|watch|command|builtin|time|timeout|nice|stdbuf|sed|ed|ex|vim?|nvim|emacs|make|trap|alias|export|declare|nc|ncat|socat)$|^\$|^~?\.{0,2}\/|^\w+\+?=/;

/** Words that may stand before the program. */
const BEFORE = new Set(['do', 'then', 'else', '{', '!', 'if', 'while', 'until']);

/** Only these may stand beside a printer, whose output could otherwise be written somewhere, and run from there. */
const TAME = new Set('cat cd cut echo egrep false fgrep fold git grep head ls mkdir nl printf pwd rg tail tr true wc'.split(' '));

/** Matches files that nobody runs; a shell's start-up file, or a script, would be run. */
const DOCUMENT_FILE = /\.(?:md|markdown|txt|rst|adoc|html|log)$|^\/dev\/(?:null|stdout|stderr|tty)$|^\d$/i;

/** Most levels of nested quotes that are followed: `sh -c "bash -c 'clawai unwrap'"`. */
const MOST_SHELLS = 3;

/** Longer command lines are scripts; their lines are read too, but not quoted text in them. */
const LONGEST_LINE = 65_536;

/** Separates commands, as a word of its own. */
const NEXT_COMMAND = ';';

/** A text that is run, in its possible readings. */
export interface CommandText {
  /** The shell's readings, without quotes and backslashes (`cla''wai`): the whole first, then each quoted text in it. */
  readonly lines: readonly (readonly ShellCommand[])[];
  /** Commands among these that only handle text; that text is not examined further. */
  readonly printed: ReadonlySet<ShellCommand>;
  /** The text cut at every character that is no part of a name: `run(["clawai", "unwrap"])`. */
  readonly loose: readonly string[];
}

/**
 * Reads a text that is a command line, or a program that contains some. Linear in the text.
 *
 * @param isShell the text goes to a POSIX shell, and not to another language
 */
export function readCommand(text: string, isShell: boolean): CommandText {
  const lines: (readonly ShellCommand[])[] = [];
  if (text.length > LONGEST_LINE) return { lines, printed: new Set(), loose: looseWords(text) };
  const plain = isShell ? withoutDocuments(text) : text;
  const commands = readShellLine(plain);
  const found = isShell ? findPrinted(plain, commands) : new Set<ShellCommand>();
  const expanded = expandVariables(commands);
  const printed = new Set(expanded.filter((_, at) => found.has(commands[at] ?? { after: '', words: [], redirected: [] })));
  lines.push(expanded);
  for (const command of commands) if (!found.has(command)) addQuoted(command, { within: plain, left: MOST_SHELLS, lines });
  return { lines, printed, loose: looseWords(withoutPrinted(plain, found)) };
}

/** The words of each reading that may contain a command to run, with `;` between commands. */
export function wordsToRun({ lines, printed, loose }: CommandText): readonly (readonly string[])[] {
  return [...lines.map((line) => toWords(line.filter((command) => !printed.has(command)))), loose];
}

function toWords(commands: readonly ShellCommand[]): string[] {
  const words = commands.flatMap((command, at) => [...(at > 0 ? [NEXT_COMMAND] : []), ...command.words.map(({ text }) => text)]);
  const redirected = commands.flatMap((command) => command.redirected.map(({ text }) => text));
  return redirected.length === 0 ? words : [...words, NEXT_COMMAND, ...redirected];
}

interface Quoted {
  readonly within: string;
  readonly left: number;
  readonly lines: (readonly ShellCommand[])[];
}

function addQuoted({ words, redirected }: ShellCommand, { within, left, lines }: Quoted): void {
  for (const { text } of [...words, ...redirected]) {
    if (text.length >= within.length || !/\s/.test(text)) continue;
    const commands = readShellLine(text);
    lines.push(expandVariables(commands));
    if (left > 1) for (const command of commands) addQuoted(command, { within: text, left: left - 1, lines });
  }
}

function withoutPrinted(text: string, printed: ReadonlySet<ShellCommand>): string {
  let rest = '';
  let from = 0;
  for (const { words } of printed) {
    rest += `${text.slice(from, words[0]?.start)};`;
    from = words.at(-1)?.end ?? from;
  }
  return rest + text.slice(from);
}

const DOCUMENT = /"\$\(cat <<-?\s*(['"])(\w+)\1\n/g;

/** Turns a text written as `"$(cat <<'EOF' …)"`, in which nothing is expanded, into a quoted text. */
function withoutDocuments(text: string): string {
  let result = '';
  let from = 0;
  for (const match of text.matchAll(DOCUMENT)) {
    if (match.index < from) continue;
    const begin = match.index + match[0].length;
    const mark = `\n${match[2] ?? ''}\n`;
    const end = text.indexOf(mark, begin - 1);
    // An unclosed document is none, and neither are later ones.
    if (end === -1) break;
    const close = /^\s*\)"/.exec(text.slice(end + mark.length, end + mark.length + 64));
    if (close === null) break;
    result += `${text.slice(from, match.index)}'${text.slice(begin, end).replaceAll("'", ' ')}'`;
    from = end + mark.length + close[0].length;
  }
  return result + text.slice(from);
}

const LOOSE = /[\s"'`;|&()<>{}[\],=]+/;

/** Matches a quoted variable: `"$X"/y` is one word. */
const QUOTED_VARIABLE = /"(\$(?:\w+|\{\w+\}))"/g;

function looseWords(text: string): string[] {
  return text
    .replaceAll(QUOTED_VARIABLE, '$1')
    .split(LOOSE)
    .flatMap((word) => {
      const bare = word.replace(/^\\+(?=[\w~.$/])|\\+$/g, '');
      return bare === '' ? [] : [bare];
    });
}

/**
 * Finds the commands of a shell line whose words are only searched for, printed or kept, whatever they say: `git commit -m "…"`, `rg '…'`.
 * Empty if something in the line may run other commands' text.
 */
export function findPrinted(text: string, commands: readonly ShellCommand[]): ReadonlySet<ShellCommand> {
  const printed = new Set<ShellCommand>();
  // Their output may be part of a command.
  if (/`|\$\(|[<>]\(/.test(text)) return printed;
  if (commands.some(({ redirected }) => !redirected.every((file) => DOCUMENT_FILE.test(file.text)))) return printed;
  const used = commands.filter(({ words }) => words.length > 0);
  for (const command of used) if (isPrinted(command)) printed.add(command);
  const others = used.filter((command) => !printed.has(command));
  if (others.some(mayRunTexts)) return new Set();
  const areTame = others.every(({ words }) => TAME.has(words[0]?.text ?? ''));
  for (const command of areTame ? [] : printed) if (PRINTERS.has(command.words[0]?.text ?? '')) printed.delete(command);
  return printed;
}

function isPrinted({ words }: ShellCommand): boolean {
  const [program = '', ...rest] = words.map(({ text }) => text);
  if (rest.some((word) => RUNNING_OPTION.test(word))) return false;
  if (PRINTERS.has(program) || SEARCHERS.has(program)) return true;
  return KEEPERS.get(program)?.has(rest[0] ?? '') === true;
}

/** Tells whether a command may run text; a program named by a path or a variable may be any. */
function mayRunTexts({ words }: ShellCommand): boolean {
  const texts = words.map(({ text }) => text);
  if (PROGRAMS.test(texts.find((text) => !BEFORE.has(text)) ?? '')) return true;
  return texts.some((text) => RUNNERS.test(text.slice(text.lastIndexOf('/') + 1)));
}
