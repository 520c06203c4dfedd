import type { Pieces } from './pieces.ts';

/** The facts about a server by which its paths are resolved. */
export interface PathContext {
  /** Home of the user that the server runs as; empty when unknown, then `~` stays. */
  readonly home: string;
  /** Working directory of the server, absolute. */
  readonly cwd: string;
  /** Other folders, absolute, that the server may take relative paths from: those that its command line names. */
  readonly roots?: readonly string[];
  readonly platform: 'posix' | 'macos' | 'windows';
  /** The server runs elsewhere: nothing is resolved on this disk. */
  readonly remote: boolean;
}

/** A segment that normalising would remove: empty, `.` or `..`, or a slash at the end. */
const UNTIDY = /\/(?:\.{0,2}(?:\/|$))/;

const DRIVE = /^([A-Za-z]):/;
/** `\\?\C:\x`, `\\.\C:\x` and `\\?\UNC\host\share` are other spellings of `C:\x` and `\\host\share`. */
const DEVICE = /^\/\/[?.]\/(?:(UNC)\/|(?=[A-Za-z]:))/i;

/**
 * The absolute path that a server in this context would open for a text: `~` expanded, made absolute against the working
 * directory, `.`, `..`, `//` and trailing slashes resolved, always with forward slashes. Linear in the text. No disk is touched.
 */
export function toAbsolutePath(text: string, context: PathContext): string {
  return context.platform === 'windows' ? toWindowsPath(text, context) : toPosixPath(text, context);
}

/** `~` and `~/…` with the home in its place; `~user` and everything else as it is. */
export function expandHome(text: string, { home, platform }: PathContext): string {
  if (home === '' || !text.startsWith('~')) return text;
  if (text.length > 1 && text[1] !== '/' && !(platform === 'windows' && text[1] === '\\')) return text;
  return home + text.slice(1);
}

function toPosixPath(text: string, context: PathContext): string {
  const expanded = expandHome(text, context);
  const absolute = expanded.startsWith('/') ? expanded : `${context.cwd}/${expanded}`;
  return `/${normalizeSegments(absolute)}`;
}

function toWindowsPath(text: string, context: PathContext): string {
  const slashed = expandHome(text, context)
    .replaceAll('\\', '/')
    .replace(DEVICE, (_, unc) => (unc === undefined ? '' : '//'));
  const cwd = toSlashes(context.cwd);
  if (slashed.startsWith('//')) return `//${normalizeSegments(slashed)}`;
  const drive = DRIVE.exec(slashed)?.[1];
  if (drive !== undefined) {
    const rest = slashed.slice(2);
    // `C:name` is relative to the working directory of that drive; of another drive's we know only the root.
    const below = rest.startsWith('/') || DRIVE.exec(cwd)?.[1]?.toLowerCase() !== drive.toLowerCase() ? '' : cwd.slice(2);
    return `${drive.toUpperCase()}:/${normalizeSegments(`${below}/${rest}`)}`;
  }
  const base = DRIVE.exec(cwd);
  if (base === null) return `//${normalizeSegments(slashed.startsWith('/') ? slashed : `${cwd}/${slashed}`)}`;
  const below = slashed.startsWith('/') ? slashed : `${cwd.slice(2)}/${slashed}`;
  return `${(base[1] ?? '').toUpperCase()}:/${normalizeSegments(below)}`;
}

const BACKSLASHES = /\\/g;

/** Replaces `\` by `/`. If there are millions, engines take a fraction of the time for a pattern that they take for a text. */
export function toSlashes(text: string): string {
  return text.includes('\\') ? text.replace(BACKSLASHES, '/') : text;
}

/** Resolves `.`, `..` and empty segments of an absolute path; the result has no slash at either end. `..` stops at the root. */
export function normalizeSegments(path: string): string {
  if (path.startsWith('/') && path.length > 1 && !UNTIDY.test(path)) return path.slice(1);
  const kept: string[] = [];
  let start = 0;
  while (start <= path.length) {
    const slash = path.indexOf('/', start);
    const end = slash === -1 ? path.length : slash;
    const length = end - start;
    if (length === 2 && path.startsWith('..', start)) kept.pop();
    else if (length > 1 || (length === 1 && path[start] !== '.')) kept.push(path.slice(start, end));
    start = end + 1;
  }
  return kept.join('/');
}

/** Folds a path as the platform compares file names: case and Unicode form on macOS, case on Windows. */
export function foldPath(path: string, platform: PathContext['platform']): string {
  if (platform === 'posix') return path;
  const text = platform === 'macos' ? path.normalize('NFC') : path;
  // File systems fold both ways: `\u017F` is an s in another case, which lower case alone does not say.
  return text.toUpperCase().toLowerCase();
}

/** `foldPath` for a text in pieces. What comes out is cut elsewhere: how a letter is folded may depend on those beside it. */
export function* foldPieces(pieces: Pieces, platform: PathContext['platform']): Generator<string, void> {
  let held = '';
  for (const piece of pieces) {
    let at = piece.length - 1;
    while (at >= 0 && !isApart(piece.charCodeAt(at))) at -= 1;
    if (at === -1) held += piece;
    else {
      yield foldPath(held + piece.slice(0, at), platform);
      held = piece.slice(at);
    }
  }
  yield foldPath(held, platform);
}

/**
 * Tells whether a text may be cut before a character. ASCII composes with nothing before it; what is neither a letter nor passed over
 * beside one (`'.:^` and the grave) parts words (Unicode §3.13, Final_Sigma).
 */
function isApart(code: number): boolean {
  if (code >= 0x80 || code === 0x27 || code === 0x2e || code === 0x3a || code === 0x5e || code === 0x60) return false;
  const letter = code | 0x20;
  return letter < 0x61 || letter > 0x7a;
}
