import type { PathContext } from '../policy/path-context.ts';
import { foldPath } from '../policy/path-forms.ts';
import { NEXT_COMMAND, readCommand } from './command-words.ts';
import { isRemovingProgram } from './names.ts';
import type { OwnPaths } from './own-paths.ts';

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

const GOES = new Set(['cd', 'pushd', 'chdir', '-C', '--directory', 'set-location']);

/** Finds the paths in a text that is run. */
export function findPathWords(text: string, own: OwnPaths, { platform }: PathContext): CommandPaths {
  const words = new Map<string, PathWord>();
  const folders: string[] = [];
  const add = (word: string, isRemoved: boolean): void => {
    for (const each of partsOf(word)) {
      if (!PATH_SIGN.test(each) && !/[*?[{]/.test(each) && !own.names.has(foldPath(each, platform))) continue;
      if (words.get(each)?.isRemoved !== true) words.set(each, { text: each, isRemoved });
    }
  };
  for (const reading of readCommand(text)) {
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

/** `--file=/x`, `-C/x`, `@/x`, `/x:/y`: the word, and what in it may be a path. */
function partsOf(word: string): readonly string[] {
  if (!/[=:@,]|^-/.test(word)) return [word];
  const parts = [word, ...word.split(/[=:,]/), word.replace(/^-[A-Za-z](?=[/~$.])/, ''), word.replace(/^@/, '')];
  return [...new Set(parts)].filter((part) => part !== '');
}

/** Has a word a pattern of a shell in it, or braces? */
export function isShellPattern(word: string): boolean {
  return /[*?[{]/.test(word);
}

/**
 * Does an absolute path with patterns in it (folded) stand for one of these files or folders, or for something in them? With `above`: for
 * a folder that one of them lies in.
 */
export function patternLeads(path: string, roots: readonly string[], above: boolean): boolean {
  const wanted = path.split('/');
  return roots.some((root) => {
    const names = root.split('/');
    if (wanted.length < names.length && !above) return false;
    return names.slice(0, wanted.length).every((name, at) => matchesName(wanted[at] ?? '', name));
  });
}

/** As shells do: `*` and `?` don't stand for a dot in front. Braces and brackets may stand for anything. */
function matchesName(pattern: string, name: string): boolean {
  if (!isShellPattern(pattern)) return pattern === name;
  if (/[[{]/.test(pattern)) return true;
  if (name.startsWith('.') && !pattern.startsWith('.')) return false;
  return matchesStars(pattern, name);
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

const VARIABLE = /^\$(?:\{[^}]*\}|\w+)\//;

/** `$XDG_CONFIG_HOME/clawai`: whatever the variable is, does what follows it name a folder of ours? */
export function leadsFromVariable(word: string, { roots }: OwnPaths): boolean {
  const rest = VARIABLE.test(word) ? word.replace(VARIABLE, '').split('/') : undefined;
  if (rest === undefined) return false;
  return roots.some((root) => {
    const names = root.split('/');
    // Any folder may have a `settings.json`; one that is called after us is ours.
    if (!(names.at(-1) ?? '').includes('clawai')) return false;
    return names.some((_, at) => at > 0 && names.slice(at).every((name, i) => rest[i] === name));
  });
}
