import { statSync } from 'node:fs';
import { resolve } from 'node:path';

/** Command lines that name more folders than this are no list of roots; each root is another reading of every relative path. */
const MOST_ROOTS = 16;

/**
 * The folders that a server's command line names, absolute and without repetition, `cwd` left out. Servers that are told which
 * folders they may use take relative paths from those and not from their working directory (server-filesystem does).
 *
 * @param words everything behind the command; `--flag=FOLDER` counts too
 */
export function serverRoots(words: readonly string[], { cwd, home }: { cwd: string; home: string }): readonly string[] {
  const roots = new Set<string>();
  for (const word of words) {
    for (const text of [word, word.slice(word.indexOf('=') + 1)]) {
      const path = resolve(cwd, text === '~' || text.startsWith('~/') ? home + text.slice(1) : text);
      if (text !== '' && path !== cwd && roots.size < MOST_ROOTS && isFolder(path)) roots.add(path);
    }
  }
  return [...roots];
}

function isFolder(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  } catch {
    // Too long, a NUL, forbidden: nothing that a server could take paths from either.
    return false;
  }
}
