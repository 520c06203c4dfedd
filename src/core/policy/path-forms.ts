import { toAbsolutePath } from './absolute-path.ts';
import { readFileUri } from './file-uri.ts';
import type { PathContext } from './path-context.ts';
import { decodeRounds } from './percent.ts';

/** What one text names when it is read as a path. Everything is folded as the platform's file names are. */
export interface PathForms {
  /** Every reading: as sent, decoded, `file:` URI decoded, with `/` for `\`, absolute. */
  readonly any: readonly string[];
  /** The absolute ones of `any`, not folded: what to ask the disk for. */
  readonly absolute: readonly string[];
  /** The absolute readings that an honest server has; undefined when it has none. An allow rule must match them all. */
  readonly certain: readonly string[] | undefined;
  /** No path contains NUL; a server that cuts there would open another file than the one we looked at. */
  readonly hasNul: boolean;
}

/** Longer texts are no paths on any platform (PATH_MAX is 4,096, Windows allows 32,767), so the disk is not asked. */
export const MAX_REAL_PATH = 32_768;

const PATH_LIKE = /^(?:~|\.\.?(?:[/\\]|$)|[A-Za-z]:[/\\]|\\\\|file:)|\//i;

/** Is a pattern about paths? Then the values it looks at are read in every form. */
export function isPathLike(pattern: string): boolean {
  return PATH_LIKE.test(pattern);
}

/** Folds a path as the platform compares file names: case and Unicode form on macOS, case on Windows. */
export function foldPath(path: string, platform: PathContext['platform']): string {
  if (platform === 'posix') return path;
  const text = platform === 'macos' ? path.normalize('NFC') : path;
  return text.toLowerCase();
}

/** All forms of a text. Pure and linear in the text; symbolic links are the caller's business (`absolute` says what to resolve). */
export function toPathForms(text: string, context: PathContext): PathForms {
  const any = new Set<string>();
  const absolute = new Set<string>();
  const certain = new Set<string>();
  let isCertain = true;
  let hasNul = false;
  for (const round of decodeRounds(text)) {
    hasNul ||= round.includes('\0');
    const paths = readFileUri(round, context);
    if (paths?.length === 0) isCertain = false;
    any.add(round);
    for (const path of paths ?? [round]) {
      hasNul ||= path.includes('\0');
      any.add(path);
      const local = toAbsolutePath(path, context);
      absolute.add(local);
      certain.add(local);
      if (context.platform === 'windows' && hasAlias(local)) {
        isCertain = false;
        absolute.add(withoutAliases(local));
      }
    }
    // Nobody says that the server is not a program for Windows under an emulator, or one that tidies separators itself.
    if (round.includes('\\')) {
      const slashed = round.replaceAll('\\', '/');
      any.add(slashed);
      for (const path of readFileUri(slashed, context) ?? [slashed]) {
        any.add(path);
        absolute.add(toAbsolutePath(path, context));
      }
    }
  }
  for (const path of absolute) any.add(path);
  const fold = (path: string): string => foldPath(path, context.platform);
  return {
    any: context.platform === 'posix' ? [...any] : [...new Set(Array.from(any, fold))],
    absolute: [...absolute],
    certain: isCertain ? [...certain] : undefined,
    hasNul,
  };
}

/** Windows opens `secret.txt` for `secret.txt.`, `secret.txt ` and `secret.txt::$DATA` too. */
const ALIAS = /[. ]+(?=\/|$)|(?<=[^/]{2}|\/[^/]):[^/]*/g;

function hasAlias(path: string): boolean {
  return path.search(ALIAS) !== -1;
}

function withoutAliases(path: string): string {
  return path.replace(ALIAS, '');
}
