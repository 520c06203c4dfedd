import { isInPiece, type Pieces, type Search } from './pieces.ts';
import { toSlashes } from './absolute-path.ts';
import { endOf } from '../patterns/glob.ts';

/** Longer texts are no paths on any platform (PATH_MAX is 4,096, Windows allows 32,767) once what normalising removes is gone. */
export const MAX_REAL_PATH = 32_768;

/** More climbing than this reaches the root from any folder there is. */
const MOST_CLIMBS = 4096;

/**
 * A path without empty segments, `.` and what `..` takes back, relative if it was; undefined if more than `MAX_REAL_PATH` is left.
 * Its memory is bounded by that, however long the pieces are together.
 */
export function shortenPath(pieces: Pieces): string | undefined {
  const shortener = new PathShortener();
  for (const piece of pieces) shortener.push(piece);
  return shortener.end();
}

class PathShortener {
  #root: '' | '/' | '//' = '';
  /** True while nothing but slashes has come. */
  #isStart = true;
  #kept: string[] = [];
  /** Characters kept, each segment with its slash. */
  #length = 0;
  #climbs = 0;
  /** Segments that came after those kept; only how many matters, unless they stay. */
  #beyond = 0;
  /** The part of the current segment from earlier pieces, as much as could be kept, and its whole length there. */
  #segment = '';
  #size = 0;

  push(piece: string): void {
    let start = this.#isStart ? this.#pushRoot(piece) : 0;
    for (;;) {
      const slash = piece.indexOf('/', start);
      if (slash === -1) break;
      if (this.#size > 0 || !this.#isSettled(piece, start, slash)) {
        this.#take(piece, start, slash);
        if (this.#size > 0) this.#endSegment();
      }
      start = slash + 1;
    }
    if (start < piece.length) this.#take(piece, start, piece.length);
  }

  end(): string | undefined {
    if (this.#size > 0) this.#endSegment();
    return this.#beyond > 0 ? undefined : this.#root + this.#kept.join('/');
  }

  /** Takes the slashes that the text begins with. @returns where the rest starts */
  #pushRoot(piece: string): number {
    let at = 0;
    for (; at < piece.length && piece[at] === '/'; at += 1) this.#root = this.#root === '' ? '/' : '//';
    this.#isStart = at === piece.length;
    return at;
  }

  /** Settles a whole segment that there is no need to cut out: most of those in a text that is no path. */
  #isSettled(piece: string, start: number, end: number): boolean {
    const size = end - start;
    if (size === 0 || (size === 1 && piece[start] === '.')) return true;
    if (size === 2 && piece.startsWith('..', start)) {
      this.#climb();
      return true;
    }
    if (this.#beyond === 0) return false;
    this.#beyond += 1;
    return true;
  }

  #take(piece: string, start: number, end: number): void {
    // One character more than may stay shows that the segment is too long.
    if (this.#size < MAX_REAL_PATH) this.#segment += piece.slice(start, Math.min(end, start + MAX_REAL_PATH - this.#size));
    this.#size += end - start;
  }

  #endSegment(): void {
    const segment = this.#segment;
    const size = this.#size;
    this.#segment = '';
    this.#size = 0;
    if (segment === '..') this.#climb();
    else if (segment === '.') return;
    else if (this.#beyond > 0 || this.#length + size >= MAX_REAL_PATH) this.#beyond += 1;
    else {
      // Copied: a slice would hold on to all of what it was cut from. The engine makes none of short ones.
      this.#kept.push(size < 13 ? segment : ` ${segment}`.slice(1));
      this.#length += size + 1;
    }
  }

  #climb(): void {
    if (this.#beyond > 0) this.#beyond -= 1;
    else if (this.#kept.length > this.#climbs && !this.#isPrefix()) this.#length -= (this.#kept.pop()?.length ?? 0) + 1;
    else if (this.#root === '' && this.#climbs < MOST_CLIMBS) this.#climbs = this.#kept.push('..');
  }

  /** Tells whether nothing is left but `~` or `$HOME`. What lies above that is not above the working directory. */
  #isPrefix(): boolean {
    if (this.#root !== '' || this.#kept.length !== 1) return false;
    const [first = ''] = this.#kept;
    return first.startsWith('~') || first.startsWith('$');
  }
}

/** Facts about a long text that comes in pieces, gathered without keeping it. */
export interface Survey {
  readonly hasNul: boolean;
  readonly hasBackslash: boolean;
  /** True if something in it is percent-encoded. */
  readonly hasEncoded: boolean;
  /** Its first characters after white space and control characters, which URL parsers drop. */
  readonly lead: string;
  /** The text shortened as a path, as it is and with `/` for `\` if it has any; undefined for what is too long. */
  readonly paths: readonly (string | undefined)[];
}

/** Number of characters that show a URL's scheme. */
const SCHEME = 8;

const ENCODED: Search = { pattern: /%[\da-f]{2}/i, longest: 3 };

/** Walks through the pieces twice, or three times where they have backslashes. */
export function surveyPieces(pieces: Pieces): Survey {
  let [hasNul, hasBackslash, hasEncoded] = [false, false, false];
  let lead = '';
  let end = '';
  for (const piece of pieces) {
    hasNul ||= piece.includes('\0');
    hasBackslash ||= piece.includes('\\');
    hasEncoded ||= isInPiece(ENCODED, end, piece);
    end = endOf(end, piece, 2);
    // oxlint-disable-next-line no-control-regex
    if (lead.length < SCHEME) lead = (lead + piece).replace(/^[\0-\x20]+/, '').slice(0, SCHEME);
  }
  const paths = [shortenPath(pieces)];
  if (hasBackslash) paths.push(shortenPath(slashPieces(pieces)));
  return { hasNul, hasBackslash, hasEncoded, lead, paths };
}

export function* slashPieces(pieces: Pieces): Generator<string, void> {
  for (const piece of pieces) yield toSlashes(piece);
}
