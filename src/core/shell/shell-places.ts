import type { ShellCommand } from './shell-line.ts';

const GOES = new Set(['cd', 'pushd', 'chdir', 'set-location']);
const TOLD = new Set(['-C', '--directory']);

/** Most folders that are followed in one line; the latest count, and no honest line has more. */
const MOST_FOLDERS = 8;

/** macOS opens no longer path (PATH_MAX), so no folder is deeper. */
const LONGEST_FOLDER = 1024;

const ABSOLUTE = /^(?:[/~$\\%]|[A-Za-z]:|file:)/;

/** The server's working folder. */
export const HERE: readonly string[] = [''];

export interface Place {
  /** Folders, as texts, that a command may run in; an empty one is the folder where the line began. */
  readonly folders: readonly string[];
  /** All folders that the line has been in so far. */
  readonly ever: readonly string[];
}

/** The folders in which each command of a line may run, as far as its `cd`s tell. A `cd` may fail, so the previous folder also counts. */
export function placesOf(line: readonly ShellCommand[], start: readonly string[]): readonly Place[] {
  let current = start;
  let ever = start;
  let next: readonly string[] | undefined;
  /** Folders before the commands of an `&&` chain, which may have ended at any of them. */
  let left: readonly string[] = [];
  return line.map(({ after, words }) => {
    const texts = words.map(({ text }) => text);
    if (after === '||' || after === ')') {
      current = ever;
      next = undefined;
    }
    // The first of two adjacent separators ends an empty command.
    if (texts.length === 0) return { folders: current, ever };
    if (after !== '&&') {
      current = merge(next ?? [], merge(current, left));
      left = [];
    } else if (next !== undefined) {
      left = merge(current, left);
      current = next;
    }
    next = undefined;
    const told = texts.filter((_, at) => TOLD.has(texts[at - 1] ?? ''));
    const folders = told.length === 0 ? current : merge(from(told, current), current);
    const going = texts.findIndex((text) => GOES.has(text));
    if (going !== -1) {
      const target = texts.slice(going + 1).filter((text) => !text.startsWith('-'));
      const reached = from(target.length === 0 ? ['~'] : target, current);
      // In `a || cd b && c`, `c` also runs if `cd` did not.
      next = after === '||' ? merge(reached, current) : reached;
      ever = merge(next, ever);
    }
    return { folders, ever };
  });
}

/** Resolves targets; a relative folder is resolved against each possible folder. */
function from(targets: readonly string[], folders: readonly string[]): readonly string[] {
  const all = targets.flatMap((target) => (ABSOLUTE.test(target) ? [target] : folders.map((folder) => join(folder, target))));
  return all.filter((folder) => folder.length <= LONGEST_FOLDER).slice(0, MOST_FOLDERS);
}

function join(folder: string, target: string): string {
  return folder === '' ? target : `${folder}/${target}`;
}

function merge(latest: readonly string[], before: readonly string[]): readonly string[] {
  return [...new Set([...latest, ...before])].slice(0, MOST_FOLDERS);
}
