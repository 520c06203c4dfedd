import { toSlashes } from './absolute-path.ts';
import type { PathContext } from './path-context.ts';
import { tidyUrl } from './path-readings.ts';
import { decodeRounds } from './percent.ts';

/** Longer texts are no paths on any platform (PATH_MAX is 4,096, Windows allows 32,767) once what normalising removes is gone. */
export const MAX_REAL_PATH = 32_768;

/** More climbing than this reaches the root from any folder there is. */
const MOST_CLIMBS = 4096;

/** What a text is read as that is too long for a path, and may yet be a spelling of one. */
export interface LongReadings {
  /** The text and what servers make of it, each about as long. */
  readonly long: readonly string[];
  /** The spellings without what normalising removes, where that left something that can be a path or a URL. */
  readonly short: readonly string[];
  /** Every way of reading the text gave a short spelling. */
  readonly isPath: boolean;
}

/**
 * Reads a long text. Most are contents and not paths, so they get a few readings instead of dozens: they may be tens of megabytes, of which
 * every further copy counts. Linear, and in memory a few times the text.
 */
export function readLongText(text: string, context: PathContext): LongReadings {
  const long = new Set<string>();
  const short = new Set<string>();
  let isPath = true;
  for (const round of decodeRounds(text)) {
    long.add(round);
    long.add(toSlashes(round));
    const url = SPECIAL_URL.test(round) ? tidyUrl(round, context) : undefined;
    if (url !== undefined) (url.length > MAX_REAL_PATH ? long : short).add(url);
  }
  for (const reading of long) {
    const path = shortenPath(reading);
    if (path === undefined) isPath = false;
    else short.add(path);
  }
  return { long: [...long], short: [...short], isPath };
}

/** Those that URL parsers tidy (WHATWG URL §4.2); of a letter that begins with "Note:" they would make nothing that a server opens. */
const SPECIAL_URL = /^[\0-\x20]*(?:https?|wss?|ftp|file):/i; // oxlint-disable-line no-control-regex

/**
 * A path without empty segments, `.` and what `..` takes back, relative where it was; undefined where more than `MAX_REAL_PATH` is left.
 * What it holds in memory is bounded by that.
 */
export function shortenPath(text: string): string | undefined {
  const root = /^\/{0,2}/.exec(text)?.[0] ?? '';
  const kept: string[] = [];
  /** Characters kept, each segment with its slash. */
  let length = 0;
  let climbs = 0;
  /** Segments that came after those kept; only how many matters, unless they stay. */
  let beyond = 0;
  let start = 0;
  while (start <= text.length) {
    const slash = text.indexOf('/', start);
    const end = slash === -1 ? text.length : slash;
    const size = end - start;
    if (size === 2 && text.startsWith('..', start)) {
      if (beyond > 0) beyond -= 1;
      else if (kept.length > climbs && !isPrefix(kept, root)) length -= (kept.pop()?.length ?? 0) + 1;
      else if (root === '' && climbs < MOST_CLIMBS) climbs = kept.push('..');
    } else if (size > 1 || (size === 1 && text[start] !== '.')) {
      if (beyond > 0 || length + size >= MAX_REAL_PATH) beyond += 1;
      else {
        kept.push(text.slice(start, end));
        length += size + 1;
      }
    }
    start = end + 1;
  }
  return beyond > 0 ? undefined : root + kept.join('/');
}

/** Is nothing left but `~` or `$HOME`? What lies above that is not above the working directory. */
function isPrefix(kept: readonly string[], root: string): boolean {
  return root === '' && kept.length === 1 && /^[~$]/.test(kept[0] ?? '');
}
