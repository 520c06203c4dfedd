import { compileGlob, type Glob } from '../patterns/glob.ts';
import { normalizeSegments, type PathContext, toAbsolutePath, toSlashes } from './absolute-path.ts';
import { readFileUri } from './path-readings.ts';
import { foldPath } from './path-forms.ts';

/** A path-like glob of the policy, ready for one path context. */
export interface PathPattern {
  /** The pattern as written, folded like file names. */
  readonly written: Glob;
  /** The pattern made absolute; undefined if it starts with `**`, which matches anywhere. */
  readonly absolute: Glob | undefined;
  /** The literal directory (or whole path) that the absolute pattern starts with: what to ask the disk for. */
  readonly base: string | undefined;
  /** The absolute pattern with another base in front, namely the real path of `base`. */
  withBase(base: string): Glob;
}

/** Real bases remembered per pattern: a directory has one, unless somebody replaces links while we run. */
const MOST_BASES = 8;

export function compilePathPattern(pattern: string, context: PathContext): PathPattern {
  const fold = (text: string): string => foldPath(text, context.platform);
  const written = compileGlob(fold(context.platform === 'windows' ? toSlashes(pattern) : pattern));
  if (pattern.startsWith('**')) return { written, absolute: undefined, base: undefined, withBase: () => written };
  const { base, rest } = splitPattern(pattern, context);
  const compiled = new Map<string, Glob>();
  const withBase = (folder: string): Glob => {
    const known = compiled.get(folder);
    if (known !== undefined) return known;
    if (compiled.size >= MOST_BASES) compiled.clear();
    // The root is its own slash: `/` with `/**` behind it is `/**`.
    const prefix = rest === '' ? folder : folder.replace(/\/$/, '');
    const glob = compileGlob(fold(rest), { prefix: fold(prefix) });
    compiled.set(folder, glob);
    return glob;
  };
  return { written, absolute: withBase(base), base, withBase };
}

/** Cuts at the last `/` before the first wildcard. `base` is absolute and tidy, `rest` is empty or starts with `/`. */
function splitPattern(pattern: string, context: PathContext): { base: string; rest: string } {
  const local = toLocalPattern(pattern, context);
  const wildcard = local.search(/[*?]/);
  if (wildcard === -1) return { base: toAbsolutePath(local, context), rest: '' };
  const slash = local.lastIndexOf('/', wildcard);
  // `~*` is about names that start with a tilde, not about homes.
  const head = slash === -1 ? '.' : local.slice(0, slash + 1);
  const tail = normalizeSegments(`/${local.slice(slash + 1)}`);
  return { base: toAbsolutePath(head, context), rest: `/${tail}` };
}

/** A `file:` pattern is about the path in it, and on Windows both slashes separate. */
function toLocalPattern(pattern: string, context: PathContext): string {
  const shielded = pattern.replaceAll(/%2a|%3f|[?#]/gi, (text) => SHIELDS.get(text.toLowerCase()) ?? text);
  const [path] = readFileUri(shielded, context) ?? [];
  const local = path === undefined ? pattern : unshield(path);
  return context.platform === 'windows' ? toSlashes(local) : local;
}

/**
 * Keeps an encoded star or question mark from becoming a wildcard, and a wildcard from starting a query. Private-use characters
 * stand in.
 */
const SHIELDS = new Map([
  ['%2a', '\uE000'],
  ['%3f', '\uE001'],
  ['?', '\uE002'],
  ['#', '\uE003'],
]);
const UNSHIELD = new Map([
  ['\uE000', '%2a'],
  ['\uE001', '%3f'],
  ['\uE002', '?'],
  ['\uE003', '#'],
]);

function unshield(text: string): string {
  return text.replaceAll(/[\uE000-\uE003]/g, (char) => UNSHIELD.get(char) ?? char);
}
