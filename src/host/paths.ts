import { existsSync, lstatSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { isAbsolute, join, resolve, sep } from 'node:path';
import type { PathContext } from '../core/match/paths-to-resolve.ts';

/** Command lines that name more folders than this are no list of roots; each root is another reading of every relative path. */
const MOST_ROOTS = 16;

/** No file system opens longer paths (PATH_MAX is 4,096 on Linux, 1,024 on macOS; Windows takes 32,767 characters). */
const LONGEST_PATH = 32_767;

/** Links that lead nowhere, followed one after another; Linux gives up on any path after as many. */
const MOST_LINKS = 40;

/**
 * The real path of an absolute path: links resolved in the longest part that exists, the rest appended. `..` is taken as the
 * disk takes it, out of where a link leads. A link whose target is missing is followed too: whoever writes there creates the
 * target. What can't be looked at (no permission, a loop of links) counts as not existing.
 *
 * That a part exists implies that all before it do, so the border is found by halving: a dozen look-ups at most, however many
 * parts a hostile path has.
 */
export function realPath(absolute: string): string {
  return follow(absolute, MOST_LINKS);
}

function follow(absolute: string, linksLeft: number): string {
  if (absolute.length > LONGEST_PATH) return absolute;
  // Asking for existence costs a tenth of a realpath that fails with an error, and most texts are no paths.
  const known = isThere(absolute) ? tryRealPath(absolute) : newInFolder(absolute);
  if (known !== undefined) return known;
  const borders: number[] = [];
  for (let i = 1; i < absolute.length; i++) if (isSeparator(absolute.charCodeAt(i))) borders.push(i);
  let end = 0;
  let low = 0;
  let high = borders.length - 1;
  // Most of what is missing is a new file in a folder that is there.
  let middle = high;
  while (low <= high) {
    const border = borders[middle] as number;
    if (existsSync(absolute.slice(0, border))) {
      end = border;
      low = middle + 1;
    } else high = middle - 1;
    middle = (low + high) >> 1;
  }
  const missing = absolute.slice(end + 1).split(SEPARATOR);
  const found = end === 0 ? '/' : tryRealPath(absolute.slice(0, end));
  if (found === undefined) return absolute;
  const target = linksLeft > 0 ? readLink(join(found, missing[0] ?? '')) : undefined;
  if (target !== undefined) {
    const start = isAbsolute(target) ? target : `${found}/${target}`;
    return follow([start, ...missing.slice(1)].join('/'), linksLeft - 1);
  }
  return end === 0 ? absolute : join(found, ...missing);
}

const SEPARATOR = process.platform === 'win32' ? /[\\/]/ : '/';

/** Where a path leads that is not there, in a folder that is; undefined where that is not so simple. */
function newInFolder(absolute: string): string | undefined {
  const border = absolute.lastIndexOf('/');
  const name = absolute.slice(border + 1);
  if (border <= 0 || name === '' || name === '.' || name === '..' || sep !== '/') return undefined;
  const folder = absolute.slice(0, border);
  const real = existsSync(folder) ? tryRealPath(folder) : undefined;
  return real === undefined || real === '/' ? undefined : `${real}/${name}`;
}

/** Also of a link that leads nowhere. */
function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

function readLink(path: string): string | undefined {
  try {
    // Nothing at all is the rule: the path names something new. Asking costs a fraction of what an error does.
    const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
    return isLink ? readlinkSync(path) : undefined;
  } catch {
    return undefined;
  }
}

function tryRealPath(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    // Missing, forbidden, too long, a NUL, a loop: in each case this path leads to no file that we could compare.
    return undefined;
  }
}

function isSeparator(code: number): boolean {
  return code === 0x2f || (code === 0x5c && process.platform === 'win32');
}

/** How paths are written and compared on a platform. */
export function pathStyle(platform: NodeJS.Platform): PathContext['platform'] {
  if (platform === 'win32') return 'windows';
  return platform === 'darwin' ? 'macos' : 'posix';
}

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
