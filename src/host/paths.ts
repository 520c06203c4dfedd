import { existsSync, lstatSync, readlinkSync, statSync } from 'node:fs';
import { isAbsolute, join, resolve, sep } from 'node:path';
import type { PathContext } from '../core/match/paths-to-resolve.ts';
import type { Place } from '../gate/ports/ports.ts';
import { tryRealPath } from './real-path.ts';

/** A command line that names more folders is not a list of roots; each root adds a reading of every relative path. */
const MOST_ROOTS = 16;

/** Longer paths can't be opened on any file system (PATH_MAX is 4,096 on Linux, 1,024 on macOS; Windows takes 32,767 characters). */
const LONGEST_PATH = 32_767;

/** Dangling links followed one after another; Linux too gives up on a path after 40. */
const MOST_LINKS = 40;

const ROOT: Place = { real: '/', isMissing: false };

/** A path of at most 32 parts, none of them empty, `.` or `..`. */
const PLAIN = /^(?=.{1,4096}$)(?:\/(?!\.{1,2}(?:\/|$))[^/\0]+){1,32}$/s;

/**
 * Returns the real path of an absolute path: it resolves links in the longest part that exists, and appends the rest. `..` is applied after
 * links, as the file system does. A dangling link is followed too, since writing there creates its target. A part that can't be read (no
 * permission, a loop of links) counts as missing.
 *
 * If a part exists, all before it do. So a binary search finds the border: a dozen look-ups at most, however many parts a hostile path has.
 *
 * @param known what was found at the same moment; what is found now is added. A policy names dozens of files in few folders, most missing
 */
export function realPath(absolute: string, known?: Map<string, Place>): string {
  if (known === undefined || sep !== '/' || !PLAIN.test(absolute)) return follow(absolute, MOST_LINKS);
  return findPlace(absolute, known).real;
}

function findPlace(path: string, known: Map<string, Place>): Place {
  if (path === '') return ROOT;
  let place = known.get(path);
  if (place !== undefined) return place;
  const border = path.lastIndexOf('/');
  const folder = path.slice(0, border);
  if (known.get(folder)?.isMissing !== true && isThere(path)) {
    // A dangling link is something too, and leads somewhere.
    place = { real: tryRealPath(path) ?? follow(path, MOST_LINKS), isMissing: false };
  } else {
    const { real } = findPlace(folder, known);
    place = { real: (real === '/' ? '' : real) + path.slice(border), isMissing: true };
  }
  known.set(path, place);
  return place;
}

function follow(absolute: string, linksLeft: number): string {
  if (absolute.length > LONGEST_PATH) return absolute;
  // An existence check costs a tenth of a realpath that fails, and most texts are not paths.
  const known = isThere(absolute) ? tryRealPath(absolute) : newInFolder(absolute);
  if (known !== undefined) return known;
  const borders: number[] = [];
  for (let i = 1; i < absolute.length; i++) if (isSeparator(absolute.charCodeAt(i))) borders.push(i);
  let end = 0;
  let low = 0;
  let high = borders.length - 1;
  // Most missing paths are a new file in an existing folder.
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

/** Resolves a missing path in an existing folder; undefined if it is not that simple. */
function newInFolder(absolute: string): string | undefined {
  const border = absolute.lastIndexOf('/');
  const name = absolute.slice(border + 1);
  if (border <= 0 || name === '' || name === '.' || name === '..' || sep !== '/') return undefined;
  const folder = absolute.slice(0, border);
  const real = existsSync(folder) ? tryRealPath(folder) : undefined;
  return real === undefined || real === '/' ? undefined : `${real}/${name}`;
}

/** Tells whether an entry exists, even a dangling link. */
function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

function readLink(path: string): string | undefined {
  try {
    // Usually nothing exists: the path names something new. The check costs a fraction of an error.
    const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
    return isLink ? readlinkSync(path) : undefined;
  } catch {
    return undefined;
  }
}

function isSeparator(code: number): boolean {
  return code === 0x2f || (code === 0x5c && process.platform === 'win32');
}

/** The rules by which a platform writes and compares paths. */
export function pathStyle(platform: NodeJS.Platform): PathContext['platform'] {
  if (platform === 'win32') return 'windows';
  return platform === 'darwin' ? 'macos' : 'posix';
}

/**
 * Returns the folders that a server's command line names, absolute and without duplicates, except `cwd`. A server with configured folders
 * resolves relative paths from them, not from its working directory (server-filesystem does).
 *
 * @param words the arguments; `--flag=FOLDER` counts too
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
    // A path that is too long, forbidden, or contains a NUL is not a folder that a server could use either.
    return false;
  }
}
