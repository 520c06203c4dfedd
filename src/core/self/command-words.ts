import { findSaid } from './said-words.ts';
import { readShellLine, type ShellCommand } from './shell-line.ts';
import { expandVariables } from './shell-variables.ts';

/** Quotes inside quotes are followed so far: `sh -c "bash -c 'clawai unwrap'"`. */
const MOST_SHELLS = 3;

/** Command lines that are longer are scripts; those lines are read too, but not what quotes hide in them. */
const LONGEST_LINE = 65_536;

/** What ends one command and begins the next, as a word of its own. */
const NEXT_COMMAND = ';';

/** A text that is run, as it may be read. */
export interface CommandText {
  /** As a shell reads it, which takes quotes and backslashes away (`cla''wai`): the whole first, then each quoted text in it. */
  readonly lines: readonly (readonly ShellCommand[])[];
  /** Commands among these that only say something; what they say is no further looked into. */
  readonly said: ReadonlySet<ShellCommand>;
  /** The text cut at everything that is no part of a name: `run(["clawai", "unwrap"])`. */
  readonly loose: readonly string[];
}

/**
 * Reads a text that is a command line, or a program that has some in it. Linear in the text.
 *
 * @param isShell it is a POSIX shell that gets the text, and no other language
 */
export function readCommand(text: string, isShell: boolean): CommandText {
  const lines: (readonly ShellCommand[])[] = [];
  if (text.length > LONGEST_LINE) return { lines, said: new Set(), loose: looseWords(text) };
  const plain = isShell ? withoutDocuments(text) : text;
  const commands = readShellLine(plain);
  const found = isShell ? findSaid(plain, commands) : new Set<ShellCommand>();
  const expanded = expandVariables(commands);
  const said = new Set(expanded.filter((_, at) => found.has(commands[at] ?? { after: '', words: [], redirected: [] })));
  lines.push(expanded);
  for (const command of commands) if (!found.has(command)) addQuoted(command, { within: plain, left: MOST_SHELLS, lines });
  return { lines, said, loose: looseWords(withoutSaid(plain, found)) };
}

/** The words of each reading in which a command may be found that is run, with `;` between commands. */
export function wordsToRun({ lines, said, loose }: CommandText): readonly (readonly string[])[] {
  return [...lines.map((line) => toWords(line.filter((command) => !said.has(command)))), loose];
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

function withoutSaid(text: string, said: ReadonlySet<ShellCommand>): string {
  let rest = '';
  let from = 0;
  for (const { words } of said) {
    rest += `${text.slice(from, words[0]?.start)};`;
    from = words.at(-1)?.end ?? from;
  }
  return rest + text.slice(from);
}

const DOCUMENT = /"\$\(cat <<-?\s*(['"])(\w+)\1\n/g;

/** A text that is written as `"$(cat <<'EOF' …)"`, in which nothing is expanded, becomes a text in quotes. */
function withoutDocuments(text: string): string {
  let result = '';
  let from = 0;
  for (const match of text.matchAll(DOCUMENT)) {
    if (match.index < from) continue;
    const begin = match.index + match[0].length;
    const mark = `\n${match[2] ?? ''}\n`;
    const end = text.indexOf(mark, begin - 1);
    // What is not closed is no document, and what comes after it neither.
    if (end === -1) break;
    const close = /^\s*\)"/.exec(text.slice(end + mark.length, end + mark.length + 64));
    if (close === null) break;
    result += `${text.slice(from, match.index)}'${text.slice(begin, end).replaceAll("'", ' ')}'`;
    from = end + mark.length + close[0].length;
  }
  return result + text.slice(from);
}

const LOOSE = /[\s"'`;|&()<>{}[\],=]+/;

/** `"$X"/y` is one word. */
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
