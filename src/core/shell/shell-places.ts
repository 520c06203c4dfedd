import type { ShellCommand } from './shell-line.ts';

const GOES = new Set(['cd', 'pushd', 'chdir', 'set-location']);
const TOLD = new Set(['-C', '--directory']);

/** More folders in one line are no honest command's; the latest count. */
const MOST_FOLDERS = 8;

/** macOS opens no longer path (PATH_MAX); nobody goes further. */
const LONGEST_FOLDER = 1024;

const ABSOLUTE = /^(?:[/~$\\%]|[A-Za-z]:|file:)/;

/** Where the server is. */
export const HERE: readonly string[] = [''];

export interface Place {
  /** Folders, as texts, that a command may run in; an empty one is where the line began. */
  readonly folders: readonly string[];
  /** All that the line has been in so far. */
  readonly ever: readonly string[];
}

/** Where each command of a line runs, as far as its `cd`s tell. One that may fail leaves it where it was, too. */
export function placesOf(line: readonly ShellCommand[], start: readonly string[]): readonly Place[] {
  let current = start;
  let ever = start;
  let next: readonly string[] | undefined;
  /** Where a chain of `&&` was before it came to where it is: it may have ended at any of its commands. */
  let left: readonly string[] = [];
  return line.map(({ after, words }) => {
    const texts = words.map(({ text }) => text);
    if (after === '||' || after === ')') {
      current = ever;
      next = undefined;
    }
    // Of two marks in a row, the first leads to an empty command.
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
      next = from(target.length === 0 ? ['~'] : target, current);
      ever = merge(next, ever);
    }
    return { folders, ever };
  });
}

/** A relative folder is meant from each that it may be in. */
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
