import { toSlashes } from './absolute-path.ts';
import { PathShortener } from './shorten-path.ts';

/** Characters kept of a text's beginning and of its end. */
export const MOST_SEEN = 4096;

/** As much of a URL as shows its scheme. */
const SCHEME = 8;

/** What there is to know about a long text that comes in pieces, without keeping it. */
export class Survey {
  hasNul = false;
  hasBackslash = false;
  /** The first characters, and the last. */
  head = '';
  tail = '';
  /** Its first characters after white space and control characters, which URL parsers drop. */
  lead = '';
  /** Characters up to the last that is neither white space nor a control character; of those that follow, URL parsers see none. */
  solidLength = 0;
  length = 0;
  readonly #path = new PathShortener();
  /** With `/` for `\`, from where the first of them stands. */
  #slashed: PathShortener | undefined;

  push(piece: string): void {
    this.hasNul ||= piece.includes('\0');
    this.hasBackslash ||= piece.includes('\\');
    if (this.head.length < MOST_SEEN) this.head = (this.head + piece).slice(0, MOST_SEEN);
    this.tail = piece.length >= MOST_SEEN ? piece.slice(-MOST_SEEN) : (this.tail + piece).slice(-MOST_SEEN);
    // oxlint-disable-next-line no-control-regex
    if (this.lead.length < SCHEME) this.lead = (this.lead + piece).replace(/^[\0-\x20]+/, '').slice(0, SCHEME);
    let solid = piece.length;
    while (solid > 0 && piece.charCodeAt(solid - 1) <= 0x20) solid -= 1;
    if (solid > 0) this.solidLength = this.length + solid;
    this.length += piece.length;
    if (this.hasBackslash) this.#slashed ??= this.#path.fork();
    this.#path.push(piece);
    this.#slashed?.push(toSlashes(piece));
  }

  /** The text shortened as a path, as it is and with `/` for `\`; undefined for what is too long. */
  paths(): (string | undefined)[] {
    return this.#slashed === undefined ? [this.#path.end()] : [this.#path.end(), this.#slashed.end()];
  }
}
