import { toAbsolutePath, toSlashes } from './absolute-path.ts';
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

const PLAIN_NAME = /^\w[\w-]*$/;

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

/**
 * All forms of a text. Pure and linear in the text; symbolic links are the caller's business (`absolute` says what to resolve).
 * A server may or may not decode, expand `~` or parse URIs, and each way of reading a text is a form.
 */
export function toPathForms(text: string, context: PathContext): PathForms {
  const any = new Set<string>();
  const absolute = new Set<string>();
  const certain = new Set<string>();
  let isCertain = true;
  let hasNul = false;
  for (const round of decodeRounds(text)) {
    any.add(round);
    hasNul ||= round.includes('\0');
    const paths = readFileUri(round, context);
    if (paths?.length === 0) isCertain = false;
    for (const path of paths ?? [round]) {
      any.add(path);
      hasNul ||= path.includes('\0');
      const local = toAbsolutePath(path, context);
      absolute.add(local);
      certain.add(local);
    }
    if (paths !== undefined || round.startsWith('~')) {
      const local = toAbsolutePath(`./${round}`, context);
      absolute.add(local);
      // Climbing out of `~` or `file:` is the only thing that taking it for a folder's name is good for.
      if (round.includes('..')) certain.add(local);
    }
    // A server may tidy separators itself, whatever it runs on.
    if (round.includes('\\')) {
      const slashed = toSlashes(round);
      any.add(slashed);
      for (const path of readFileUri(slashed, context) ?? [slashed]) {
        any.add(path);
        absolute.add(toAbsolutePath(path, context));
      }
    }
  }
  if (context.platform === 'windows') {
    for (const path of absolute) absolute.add(withoutAliases(path));
    for (const path of certain) if (withoutAliases(path) !== path) isCertain = false;
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
function withoutAliases(path: string): string {
  const [root = '', ...segments] = path.split('/');
  return [root, ...segments.map(withoutAlias)].join('/');
}

function withoutAlias(segment: string): string {
  const colon = segment.indexOf(':');
  let end = colon === -1 ? segment.length : colon;
  while (end > 0 && (segment[end - 1] === '.' || segment[end - 1] === ' ')) end -= 1;
  return segment.slice(0, end);
}

/**
 * A key such as `path` is a name; taken for a file it would lie in the working directory, and every pattern about that would
 * match.
 */
export function isPlainName(key: string): boolean {
  return PLAIN_NAME.test(key);
}
