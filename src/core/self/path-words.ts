import type { PathContext } from '../paths/absolute-path.ts';
import { foldPath } from '../paths/path-forms.ts';
import { withoutWrapping } from '../paths/path-readings.ts';
import { readCommand } from '../shell/command-words.ts';
import { isRemovingProgram } from './names.ts';
import type { OwnPaths } from './own-paths.ts';
import { expandBraces, isAnyName, isShellPattern } from '../shell/shell-pattern.ts';
import { HERE, placesOf } from '../shell/shell-places.ts';

/** A word of a command that may be a path. */
export interface PathWord {
  readonly text: string;
  /** True if the command removes what lies below it. */
  readonly isRemoved: boolean;
  /** Folders, as texts, that a relative path may be meant from; an empty one is where the server is. */
  readonly folders: readonly string[];
}

export interface PathWordsOptions {
  readonly own: OwnPaths;
  readonly paths: Pick<PathContext, 'platform'>;
  /** True if a POSIX shell runs the text. */
  readonly isShell: boolean;
}

const PATH_SIGN = /[/\\~$%]/;

const SHELL = /^(?:.*\/)?(?:(?:ba|z|da|k|fi|c|a)?sh|eval|ssh|su|xargs|parallel|watch)$/;

/** Brackets, which suggest that a text is no line of a shell's. */
const BRACKETS = /[()[\]{}]/;

/** Finds the paths in a text that is run. */
export function findPathWords(text: string, { own, paths: { platform }, isShell }: PathWordsOptions): readonly PathWord[] {
  // A text that is a pattern for any name and nothing else is no command.
  if (isAnyName(text.trim())) return [];
  const found = new Map<string, PathWord>();
  const seen = new Set<string>();
  const add = (word: string, place: Omit<PathWord, 'text'> & { isQuoted: boolean }): void => {
    const { isRemoved, folders, isQuoted } = place;
    for (const each of [...expandBraces(word), ...withoutBraces(word)].flatMap(partsOf)) {
      if (!PATH_SIGN.test(each) && !isShellPattern(each) && !own.names.has(foldPath(each, platform)) && !isAbove(each, place))
        continue;
      // The comparison of paths takes off white space and quotes around them.
      if (isQuoted && isAnyName(withoutWrapping(each))) continue;
      const key = [each, ...folders].join('\0');
      if (found.get(key)?.isRemoved !== true) found.set(key, { text: each, isRemoved, folders });
    }
  };
  const { lines, loose } = readCommand(text, isShell);
  // `sh -c 'cat .*'` is a command in quotes; elsewhere, what looks like that is a regular expression.
  const isShellRun = lines[0]?.some(({ words }) => words.some((word) => SHELL.test(word.text))) === true;
  let everywhere: readonly string[] = HERE;
  for (const [nth, line] of lines.entries()) {
    for (const [at, { folders, ever }] of placesOf(line, everywhere).entries()) {
      const { words = [], redirected = [] } = line[at] ?? {};
      const isRemoved = removedBy(words.map((word) => word.text));
      for (const [i, word] of [...words, ...redirected].entries()) {
        seen.add(word.text);
        add(word.text, { isRemoved: isRemoved(i), folders, isQuoted: nth > 0 ? !isShellRun : word.isQuoted });
      }
      if (nth === 0) everywhere = ever;
    }
  }
  const isProgram = BRACKETS.test(text);
  const isRemoved = removedBy(loose);
  for (const [i, word] of loose.entries()) {
    // A word that the shell's reading has was looked at where it stands.
    if (!isProgram && seen.has(word)) continue;
    add(word, { isRemoved: isRemoved(i), folders: everywhere, isQuoted: !isShellRun });
  }
  return [...found.values()];
}

/** Tells whether a removed word is a folder above: `cd ~/x && rm -r ..`. If nobody went anywhere, a `.` is a server's own folder. */
function isAbove(word: string, { isRemoved, folders }: Pick<PathWord, 'isRemoved' | 'folders'>): boolean {
  return isRemoved && (word === '..' || (word === '.' && !folders.includes('')));
}

/** Returns a test for the words of a command that name what is removed with all that lies below it. */
function removedBy(words: readonly string[]): (at: number) => boolean {
  const removing = words.findIndex(isRemovingProgram);
  if (words.includes('-delete') || (removing !== -1 && /^-(?:exec|ok)/.test(words[removing - 1] ?? ''))) return () => true;
  if (removing === -1) return () => false;
  // The last word is where things go.
  const isMoving = /^(?:.*\/)?(?:mv|move|rename)$/.test(words[removing] ?? '');
  return (at) => at > removing && at < words.length - (isMoving ? 1 : 0);
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

/** Tells whether the path behind a variable names a file or folder of clawai's, whatever the variable is: `$XDG_CONFIG_HOME/clawai`. */
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
