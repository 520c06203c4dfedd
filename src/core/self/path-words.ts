import type { PathContext } from '../policy/path-context.ts';
import { foldPath } from '../policy/path-forms.ts';
import { NEXT_COMMAND, readCommand } from './command-words.ts';
import { isRemovingProgram } from './names.ts';
import type { OwnPaths } from './own-paths.ts';
import { expandBraces, isAnyName, isShellPattern } from './shell-pattern.ts';

/** A word of a command that may be a path. */
export interface PathWord {
  readonly text: string;
  /** The command takes away what lies below it. */
  readonly isRemoved: boolean;
}

/** The words of a command that may be paths, and the folders that it goes to. */
export interface CommandPaths {
  readonly words: ReadonlyMap<string, PathWord>;
  readonly folders: readonly string[];
}

const PATH_SIGN = /[/\\~$%]/;

const SHELL = /^(?:.*\/)?(?:(?:ba|z|da|k|fi|c|a)?sh|eval|ssh|su|xargs|parallel|watch)$/;

const GOES = new Set(['cd', 'pushd', 'chdir', '-C', '--directory', 'set-location']);

/** Finds the paths in a text that is run. */
export function findPathWords(text: string, own: OwnPaths, { platform }: PathContext): CommandPaths {
  const words = new Map<string, PathWord>();
  const folders: string[] = [];
  const readings = readCommand(text);
  // `sh -c 'cat .*'` is a command in quotes; elsewhere, what looks like that is a regular expression.
  const isShellRun = readings[0]?.some((word) => SHELL.test(word)) === true;
  let isQuoted = false;
  const add = (word: string, isRemoved: boolean): void => {
    for (const each of [...expandBraces(word), ...withoutBraces(word)].flatMap(partsOf)) {
      if (!PATH_SIGN.test(each) && !isShellPattern(each) && !own.names.has(foldPath(each, platform))) continue;
      if (isQuoted && isAnyName(each)) continue;
      if (words.get(each)?.isRemoved !== true) words.set(each, { text: each, isRemoved });
    }
  };
  for (const [nth, reading] of readings.entries()) {
    isQuoted = nth > 0 && !isShellRun;
    for (const command of commandsOf(reading)) {
      const removing = command.findIndex(isRemovingProgram);
      const isDeleting = command.includes('-delete');
      // The last word is where things go.
      const isMoving = removing !== -1 && /^(?:.*\/)?(?:mv|move|rename)$/.test(command[removing] ?? '');
      for (const [at, word] of command.entries()) {
        if (GOES.has(command[at - 1] ?? '')) folders.push(word);
        if (word === 'cd' && at === command.length - 1) folders.push('~');
        add(word, isDeleting || (removing !== -1 && at > removing && !(isMoving && at === command.length - 1)));
      }
    }
  }
  return { words, folders };
}

function commandsOf(words: readonly string[]): string[][] {
  const commands: string[][] = [[]];
  for (const word of words) {
    if (word === NEXT_COMMAND) commands.push([]);
    else commands.at(-1)?.push(word);
  }
  return commands;
}

/** `~/{x}` is `~/x` to some shells. */
function withoutBraces(word: string): string[] {
  return word.includes('{') && word.includes('/') ? [word.replaceAll(/\{([^{}]+)\}/g, '$1')] : [];
}

/** `--file=/x`, `-C/x`, `@/x`, `/x:/y`: the word, and what in it may be a path. */
function partsOf(word: string): readonly string[] {
  if (!/[=:@,]|^-/.test(word)) return [word];
  const parts = [word, ...word.split(/[=:,]/), word.replace(/^-[A-Za-z](?=[/~$.])/, ''), word.replace(/^@/, '')];
  return [...new Set(parts)].filter((part) => part !== '');
}

const VARIABLE = /^\$(?:\{[^}]*\}|\w+)\//;

/** `$XDG_CONFIG_HOME/clawai`, `$X/.claude.json`: whatever the variable is, does what follows it name a file or folder of ours? */
export function leadsFromVariable(word: string, { roots }: OwnPaths): boolean {
  const rest = VARIABLE.test(word) ? word.replace(VARIABLE, '').split('/') : undefined;
  if (rest === undefined) return false;
  return roots.some((root) => {
    const names = root.split('/');
    // Any folder may have a `settings.json`; what is called after us, or hidden in a home, is hardly another one.
    if (!(names.at(-1) ?? '').includes('clawai') && !(rest[0] ?? '').startsWith('.')) return false;
    return names.some((_, at) => at > 0 && names.slice(at).every((name, i) => rest[i] === name));
  });
}
