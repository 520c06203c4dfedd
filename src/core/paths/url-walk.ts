/** Is told the parts of a special URL as they come by. */
export interface UrlSink {
  /** Some of a segment of the path; a segment may come in any number of parts. */
  segment(text: string): void;
  endSegment(): void;
  /** The path is over; all its segments have ended. */
  endPath(): void;
  query(text: string): void;
  fragment(text: string): void;
}

type Phase = 'scheme' | 'slashes' | 'host' | 'path' | 'query' | 'fragment';

/** What a drive of Windows is called at the beginning of a path. */
export const DRIVE_SEGMENT = /^[a-z][:|]$/i;

const SLASH = 0x2f;
const BACKSLASH = 0x5c;
const QUERY = 0x3f;
const FRAGMENT = 0x23;

/** Takes a special URL (WHATWG URL §4.2) apart that comes in pieces; nothing is decoded or tidied. */
export class UrlWalk {
  readonly #sink: UrlSink;
  /** Characters that are not trailing white space. */
  #left: number;
  #hasBegun = false;
  #phase: Phase = 'scheme';
  #scheme = '';
  #slashes = 0;
  #host = '';

  /** @param solidLength characters up to the last one that is neither white space nor a control character */
  constructor(sink: UrlSink, solidLength: number) {
    this.#sink = sink;
    this.#left = solidLength;
  }

  get isFile(): boolean {
    return this.#scheme === 'file:';
  }

  /** The URL up to its path; to be asked for when the URL has ended. */
  get origin(): string {
    return `${this.#scheme}//${this.#host}`;
  }

  /** Takes a piece that does not end within a surrogate pair. */
  push(piece: string): void {
    let rest = this.#clean(piece);
    while (rest !== '') rest = this.#step(rest);
  }

  end(): void {
    if (this.#phase === 'host') this.#endHost('');
    else if (this.#phase === 'scheme' || this.#phase === 'slashes') this.#phase = 'path';
    if (this.#phase === 'path') this.#endPath();
  }

  /** What parsers leave out before they look at anything. */
  #clean(piece: string): string {
    let text = piece.slice(0, this.#left).toWellFormed();
    this.#left -= text.length;
    // oxlint-disable-next-line no-control-regex
    if (!this.#hasBegun) text = text.replace(/^[\0-\x20]+/, '');
    this.#hasBegun ||= text !== '';
    return /[\t\n\r]/.test(text) ? text.replaceAll(/[\t\n\r]+/g, '') : text;
  }

  /** Takes something from the text. @returns what is left of it */
  #step(text: string): string {
    switch (this.#phase) {
      case 'scheme': {
        const end = text.indexOf(':') + 1;
        this.#scheme += text.slice(0, end === 0 ? text.length : end).toLowerCase();
        if (end === 0) return '';
        this.#phase = 'slashes';
        return text.slice(end);
      }
      case 'slashes':
        return this.#skipSlashes(text);
      case 'host': {
        const end = text.search(/[/\\?#]/);
        this.#host += end === -1 ? text : text.slice(0, end);
        return end === -1 ? '' : this.#endHost(text.slice(end));
      }
      case 'path':
        return this.#takePath(text);
      case 'query': {
        const end = text.indexOf('#');
        this.#sink.query(end === -1 ? text : text.slice(0, end));
        if (end === -1) return '';
        this.#phase = 'fragment';
        this.#sink.fragment('#');
        return text.slice(end + 1);
      }
      case 'fragment':
        this.#sink.fragment(text);
        return '';
    }
  }

  /** A host follows as many slashes as there are; in a `file:` URL it follows two, and else there is none. */
  #skipSlashes(text: string): string {
    const most = this.isFile ? 2 - this.#slashes : text.length;
    let at = 0;
    while (at < most && (text[at] === '/' || text[at] === '\\')) at += 1;
    this.#slashes += at;
    if (this.isFile && this.#slashes === 2) this.#phase = 'host';
    else if (at < text.length) this.#phase = this.isFile ? 'path' : 'host';
    return text.slice(at);
  }

  #endHost(rest: string): string {
    this.#phase = 'path';
    if (this.isFile && DRIVE_SEGMENT.test(this.#host)) {
      this.#sink.segment(this.#host);
      this.#host = '';
      return rest;
    }
    return rest.replace(/^[/\\]/, '');
  }

  #takePath(text: string): string {
    let start = 0;
    for (let at = 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      if (code !== SLASH && code !== BACKSLASH && code !== QUERY && code !== FRAGMENT) continue;
      if (at > start) this.#sink.segment(text.slice(start, at));
      start = at + 1;
      if (code === SLASH || code === BACKSLASH) this.#sink.endSegment();
      else {
        this.#endPath();
        this.#phase = code === QUERY ? 'query' : 'fragment';
        if (code === QUERY) this.#sink.query('?');
        else this.#sink.fragment('#');
        return text.slice(start);
      }
    }
    if (start < text.length) this.#sink.segment(text.slice(start));
    return '';
  }

  #endPath(): void {
    this.#sink.endSegment();
    this.#sink.endPath();
  }
}
