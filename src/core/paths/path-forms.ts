import { expandHome, foldPath, type PathContext, toAbsolutePath, toSlashes } from './absolute-path.ts';
import { type LongReadings, readLongText } from './long-text.ts';
import { readFileUri, readForeignFileUri, readTexts } from './path-readings.ts';

export { foldPath } from './absolute-path.ts';

/** The forms of one text that is read as a path. Those in `any` are folded as the platform's file names are. */
export interface PathForms {
  /** Every reading: as sent, decoded, `file:` URI decoded, with `/` for `\`, absolute. Of a long text only the short ones. */
  readonly any: readonly string[];
  /** The readings of a long text that are as long as it. */
  readonly long?: LongReadings;
  /** The absolute ones of `any`, not folded: what to ask the disk for. */
  readonly absolute: readonly string[];
  /**
   * Absolute paths in which `..` follows a name, as sent: the disk steps out of where a link leads, not out of the link. Servers
   * that hand a path to the operating system untouched open this one. To be resolved as they are.
   */
  readonly climbing: readonly string[];
  /** The absolute readings that an honest server has; undefined when it has none. An allow rule must match them all. */
  readonly certain: readonly string[] | undefined;
  /** No path contains NUL; a server that cuts there would open another file than the one we looked at. */
  readonly hasNul: boolean;
}

/** Texts of more characters are read in fewer ways. */
const LONG = 65_536;

const PLAIN_NAME = /^\w[\w-]*$/;

const PATH_LIKE = /^(?:~|\.\.?(?:[/\\]|$)|[A-Za-z]:[/\\]|\\\\|file:|\*\*[^*?]+$)|\//i;

/** Tells whether a pattern is about paths. The values it looks at are then read in every form. */
export function isPathLike(pattern: string): boolean {
  return PATH_LIKE.test(pattern);
}

/**
 * All forms of a text. Pure and linear in the text; symbolic links are the caller's business (`absolute` says what to resolve).
 * A server may or may not decode, expand `~` or parse URIs, and each way of reading a text is a form.
 */
export function toPathForms(text: string, context: PathContext): PathForms {
  if (text.length > LONGEST_REMEMBERED) return text.length > LONG ? readLongForms(text, context) : toShortForms(text, context);
  let known = remembered.get(context);
  if (known === undefined) remembered.set(context, (known = new Map()));
  let forms = known.get(text);
  if (forms === undefined) {
    if (known.size >= MOST_REMEMBERED) known.clear();
    forms = toShortForms(text, context);
    known.set(text, forms);
  }
  return forms;
}

/** Agents name the same files again and again. */
const remembered = new WeakMap<PathContext, Map<string, PathForms>>();
const MOST_REMEMBERED = 64;
const LONGEST_REMEMBERED = 1024;

function readLongForms(text: string, context: PathContext): PathForms {
  const long = readLongText(text, context);
  const forms = long.short.map((path) => toShortForms(path, context));
  const certain = forms.map((form) => form.certain);
  return {
    any: [...new Set(forms.flatMap(({ any }) => any))],
    long,
    absolute: [...new Set(forms.flatMap(({ absolute }) => absolute))],
    // No operating system takes so long a path as it is.
    climbing: [],
    certain: long.isPath && certain.every((paths) => paths !== undefined) ? [...new Set(certain.flat())] : undefined,
    hasNul: long.hasNul,
  };
}

function toShortForms(text: string, context: PathContext): PathForms {
  const any = new Set<string>();
  const absolute = new Set<string>();
  const climbing = new Set<string>();
  const certain = new Set<string>();
  let isCertain = true;
  let hasNul = false;
  const add = (path: string, isUsual: boolean): void => {
    any.add(path);
    hasNul ||= path.includes('\0');
    for (const base of basesOf(path, context)) {
      const local = toAbsolutePath(path, base);
      absolute.add(local);
      if (isUsual) certain.add(local);
      const raw = toClimbingPath(path, base);
      if (raw !== undefined) climbing.add(raw);
    }
  };
  for (const { text: round, isUsual } of readTexts(text, context)) {
    any.add(round);
    hasNul ||= round.includes('\0');
    const paths = readFileUri(round, context);
    if (paths?.length === 0) {
      isCertain = false;
      for (const path of readForeignFileUri(round)) add(path, false);
    }
    for (const path of paths ?? [round]) add(path, isUsual);
    const elsewhere = toHomeOfOther(round, context);
    if (elsewhere !== undefined) add(elsewhere, true);
    // Climbing out of `~` or `file:` is the only thing that taking it for a folder's name is good for.
    if (paths !== undefined || round.startsWith('~')) add(`./${round}`, round.includes('..'));
    // A server may tidy separators itself, whatever it runs on; an honest one has reason to where it climbs with them.
    if (round.includes('\\')) {
      const slashed = toSlashes(round);
      any.add(slashed);
      for (const path of readFileUri(slashed, context) ?? [slashed]) add(path, round.includes('..'));
    }
  }
  if (context.platform === 'windows') {
    for (const path of absolute) absolute.add(withoutAliases(path));
    for (const path of certain) if (withoutAliases(path) !== path) isCertain = false;
  }
  // Some file systems and servers take the composed and the decomposed spelling of a letter for one.
  for (const path of absolute) for (const spelling of spellings(path)) absolute.add(spelling);
  for (const path of absolute) any.add(path);
  const fold = (path: string): string => foldPath(path, context.platform);
  return {
    any: context.platform === 'posix' ? [...any].flatMap(spellings) : [...new Set(Array.from(any, fold))],
    absolute: [...absolute],
    climbing: [...climbing],
    certain: isCertain ? [...certain] : undefined,
    hasNul,
  };
}

// oxlint-disable-next-line no-control-regex
const NOT_ASCII = /[^\0-\x7F]/;

/** HFS+ passes over these when it compares names (CVE-2014-9390). */
const PASSED_OVER = /[\u200C-\u200F\u202A-\u202E\u206A-\u206F\uFEFF]/g;

/** A text as it is, composed (NFC) and decomposed (NFD), and without what HFS+ passes over. */
export function spellings(text: string): readonly string[] {
  if (!NOT_ASCII.test(text)) return [text];
  return [...new Set([text, text.normalize('NFC'), text.normalize('NFD'), text.normalize('NFC').replace(PASSED_OVER, '')])];
}

/** The contexts that a path may be resolved in, one for each folder. Only the server knows which it is, so each counts. */
export function basesOf(path: string, context: PathContext): readonly PathContext[] {
  const { roots } = context;
  if (roots === undefined || roots.length === 0 || path.startsWith('/')) return [context];
  return [context, ...roots.map((cwd) => ({ ...context, cwd }))];
}

/** A name that `..` steps out of. */
const CLIMBS = /[^/]\/\.\.(?:\/|$)/;

/** The absolute path as the operating system gets it from a server that does not tidy it; undefined if that is no other. */
function toClimbingPath(path: string, context: PathContext): string | undefined {
  // Windows resolves `..` in the text itself, before it looks at the disk.
  if (context.platform === 'windows' || !path.includes('..')) return undefined;
  const expanded = expandHome(path, context);
  const raw = expanded.startsWith('/') ? expanded : `${context.cwd}/${expanded}`;
  return CLIMBS.test(raw) ? raw : undefined;
}

const HOME_OF_OTHER = /^~([A-Za-z_][\w.-]*)(?=\/|$)/;

/** `~name/x` as a shell or Python reads it. Homes lie beside each other nearly everywhere; that of root does not. */
export function toHomeOfOther(text: string, { home }: PathContext): string | undefined {
  const name = HOME_OF_OTHER.exec(text)?.[1];
  if (name === undefined || home === '') return undefined;
  return (name === 'root' ? '/root' : `${home}/../${name}`) + text.slice(name.length + 1);
}

/** Windows opens `secret.txt` for `secret.txt.`, `secret.txt ` and `secret.txt::$DATA` too. */
export function withoutAliases(path: string): string {
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

const oddOf = new WeakMap<readonly string[], ReadonlySet<string>>();

/** The keys that are no plain names. Remembered, since each rule asks, and a call may have hundreds of thousands. */
export function oddKeys(keys: readonly string[]): ReadonlySet<string> {
  let odd = oddOf.get(keys);
  if (odd === undefined) oddOf.set(keys, (odd = new Set(keys.filter((key) => !isPlainName(key)))));
  return odd;
}
