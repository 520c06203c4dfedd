/** Words of a text, in parallel lists, since a text may have a million of them. */
export class Tokens {
  /** UTF-16 offsets in the text. */
  readonly starts: number[] = [];
  readonly ends: number[] = [];
  readonly words: string[] = [];
  /** Indices of words behind a comma. */
  readonly afterCommas = new Set<number>();

  get length(): number {
    return this.starts.length;
  }

  add(word: string, start: number, end: number): void {
    this.words.push(word);
    this.starts.push(start);
    this.ends.push(end);
  }
}

/** One or more sentences of a text: indices of tokens, from `from` up to `to`. */
export interface Clause {
  readonly from: number;
  readonly to: number;
}

/** Words that represent the marks that are kept. */
export const MARKS = { colon: ':', comment: '<!--', tag: '<', endTag: '</', banner: '[', link: '](' } as const;

/** Most characters of a link's text or a banner that are searched. */
const LONGEST_BANNER = 80;

/** Longest clause: a sentence without an end is cut here, which bounds every search. */
const MOST_WORDS_OF_A_CLAUSE = 80;

const KIND = { space: 0, word: 1, inner: 2, end: 3, other: 4, unspaced: 5, line: 6 } as const;
type Kind = (typeof KIND)[keyof typeof KIND];

const KINDS: readonly Kind[] = Array.from({ length: 128 }, (_, code) => kindOfAscii(code));

function kindOfAscii(code: number): Kind {
  const character = String.fromCharCode(code);
  if (character === '\n' || character === '\r') return KIND.line;
  if (code <= 32) return KIND.space;
  if (/[a-zA-Z0-9_]/.test(character)) return KIND.word;
  if ("./~@:'$*\\%".includes(character)) return KIND.inner;
  if ('!?;'.includes(character)) return KIND.end;
  return KIND.other;
}

function kindAt(text: string, index: number): Kind {
  const code = text.charCodeAt(index);
  if (code < 128) return KINDS[code] ?? KIND.other;
  if (code === 0x2019) return KIND.inner;
  if (code === 0x3002 || code === 0xff01 || code === 0xff1f || code === 0xff1b) return KIND.end;
  if (code === 0x2028 || code === 0x2029) return KIND.line;
  if (code === 0xa0 || code === 0x3000 || (code >= 0x2000 && code <= 0x206f) || (code >= 0x3001 && code <= 0x303f))
    return KIND.space;
  if ((code >= 0x3040 && code <= 0x30ff) || (code >= 0x3400 && code <= 0x9fff) || (code >= 0xac00 && code <= 0xd7af))
    return KIND.unspaced;
  return code < 0xc0 ? KIND.other : KIND.word;
}

/** Table of ASCII codes: 1 for characters of words and identifiers. */
const PLAIN = Uint8Array.from(KINDS, (kind) => (kind === KIND.word ? 1 : 0));
const SPACE = 0x20;
const DOT = 0x2e;

/** The end of the letters and digits from there. Most of a text goes through it, so it does nothing else. */
function endOfPlain(text: string, start: number): number {
  let end = start;
  while (PLAIN[text.charCodeAt(end)] === 1) end += 1;
  return end;
}

/** Finds phrases in a text without spaces: returns the length of the one at that place, 0 for none. */
export type PhraseFinder = (text: string, index: number) => number;

/** Words without meaning: orders are found with or without them. */
export const LEFT_OUT: ReadonlySet<string> = new Set(['a', 'an', 'the', 'of']);
const LONGEST_LEFT_OUT = 3;

/** Cuts a text in lower case into words and sentences. Takes time linear in its length. */
export class TokenReader {
  readonly tokens = new Tokens();
  readonly clauses: Clause[] = [];
  readonly #text: string;
  readonly #findPhrase: PhraseFinder;
  #from = 0;
  #isAfterComma = false;

  constructor(text: string, findPhrase: PhraseFinder) {
    this.#text = text;
    this.#findPhrase = findPhrase;
    let index = 0;
    while (index < text.length) {
      const code = text.charCodeAt(index);
      if (code === SPACE) index += 1;
      else index = PLAIN[code] === 1 ? this.#word(index) : this.#step(index);
    }
    this.#endClause();
  }

  /** Reads a plain word with a space, a comma or the sentence's end behind it, as most are: the same as `#chunk`, in fewer steps. */
  #word(start: number): number {
    const end = endOfPlain(this.#text, start);
    const isEnd = this.#text.charCodeAt(end) === DOT;
    if (this.#isPartAt(isEnd ? end + 1 : end)) return this.#chunk(start);
    this.#push(this.#text.slice(start, end), start, end);
    if (!isEnd) return end;
    this.#endClause();
    return end + 1;
  }

  #isPartAt(index: number): boolean {
    return index < this.#text.length && isChunkPart(kindAt(this.#text, index));
  }

  #step(index: number): number {
    switch (kindAt(this.#text, index)) {
      case KIND.word:
      case KIND.inner:
        return this.#chunk(index);
      case KIND.line:
        return this.#lineEnd(index);
      case KIND.end:
        this.#endClause();
        return index + 1;
      case KIND.unspaced:
        return this.#unspaced(index);
      case KIND.other:
        return this.#mark(index);
      default:
        return index + 1;
    }
  }

  #push(word: string, start: number, end: number): void {
    if (word.length <= LONGEST_LEFT_OUT && LEFT_OUT.has(word)) return;
    if (this.#isAfterComma) this.tokens.afterCommas.add(this.tokens.length);
    this.#isAfterComma = false;
    this.tokens.add(word, start, end);
    if (this.tokens.length - this.#from >= MOST_WORDS_OF_A_CLAUSE) this.#endClause();
  }

  #endClause(): void {
    if (this.tokens.length > this.#from) this.clauses.push({ from: this.#from, to: this.tokens.length });
    this.#from = this.tokens.length;
  }

  /** A wrapped line goes on; one before an empty line, a list or a mark, or that ends in a colon, is over. */
  #lineEnd(index: number): number {
    const text = this.#text;
    let next = index;
    let lines = 0;
    while (next < text.length) {
      const kind = kindAt(text, next);
      if (kind === KIND.line) lines += text.startsWith('\r\n', next) ? 0 : 1;
      else if (kind !== KIND.space) break;
      next += 1;
    }
    const isList =
      '-*#<>|`•+='.includes(text.charAt(next)) || (isDigit(text.charCodeAt(next)) && '.)'.includes(text.charAt(next + 1)));
    if (lines > 1 || isList || ':>'.includes(text.charAt(index - 1))) this.#endClause();
    return next;
  }

  #unspaced(index: number): number {
    const length = this.#findPhrase(this.#text, index);
    if (length === 0) return index + 1;
    this.#push(this.#text.slice(index, index + length), index, index + length);
    return index + length;
  }

  #mark(index: number): number {
    const text = this.#text;
    const character = text.charAt(index);
    const next = text.charAt(index + 1);
    if (character === ',') this.#isAfterComma = true;
    if (character === '<') return this.#tag(index);
    if (character === '[' && this.#isBanner(index)) {
      this.#push(MARKS.banner, index, index + 1);
      return index + 1;
    }
    if (character === '|' || (character === '&' && next === '&') || (character === '>' && next === '>')) {
      if (character === '|' && (next === '|' || text.charAt(index - 1) === '|')) return index + 1;
      const word = character === '|' ? '|' : character + next;
      this.#push(word, index, index + (character === '|' ? 1 : 2));
      return index + word.length;
    }
    return index + 1;
  }

  #tag(index: number): number {
    const text = this.#text;
    if (text.startsWith('<!--', index)) {
      this.#endClause();
      this.#push(MARKS.comment, index, index + 4);
      return index + 4;
    }
    const isEnd = text.charAt(index + 1) === '/';
    const start = index + (isEnd ? 2 : 1);
    const first = kindAt(text, start);
    if (first !== KIND.word && text.charAt(start) !== '|' && text.charAt(start) !== '<') return index + 1;
    this.#endClause();
    this.#push(isEnd ? MARKS.endTag : MARKS.tag, index, start);
    return start;
  }

  /** Tells whether a bracket opens a banner such as `[IMPORTANT]` or `[[SYSTEM: …`, and not the text of a link. */
  #isBanner(index: number): boolean {
    const text = this.#text;
    const before = text.charCodeAt(index - 1);
    if (index > 0 && before > 32 && before !== 91) return false;
    const end = text.slice(index, index + LONGEST_BANNER).indexOf(']');
    return end === -1 || text.charAt(index + end + 1) !== '(';
  }

  /** Tells whether an escaped line end begins here, as in JSON or source code; after a letter it is part of a path. */
  #isEscapedEnd(index: number): boolean {
    const text = this.#text;
    return text.charAt(index) === '\\' && text.charAt(index + 1) === 'n' && kindAt(text, index - 1) !== KIND.word;
  }

  /** The target of a link is marked as such: documentation is full of them. */
  #url(start: number): number {
    const end = endOfUrl(this.#text, start);
    const isLink = this.#text.startsWith('](', start - 2);
    this.#push(isLink ? MARKS.link : this.#text.slice(start, end), start, end);
    return end;
  }

  #chunk(start: number): number {
    const text = this.#text;
    if (text.startsWith('**', start) && kindAt(text, start + 2) === KIND.word) this.#push(MARKS.banner, start, start + 2);
    let end = start;
    if (isScheme(text, start)) return this.#url(start);
    if (this.#isEscapedEnd(start)) {
      this.#endClause();
      return start + 2;
    }
    while (end < text.length && isChunkPart(kindAt(text, end)) && !this.#isEscapedEnd(end)) end += 1;
    let last = end;
    while (last > start && ".:'\u2019".includes(text.charAt(last - 1))) last -= 1;
    const word = text.slice(start, last);
    if (word !== '' && word !== '*' && word !== '**')
      this.#push(isDecorated(word) ? word.replaceAll('\u2019', "'").replace(/^['*]+|['*]+$/g, '') : word, start, last);
    const tail = text.slice(last, end);
    if (tail.includes(':')) this.#push(MARKS.colon, last, end);
    if (tail.includes('.')) this.#endClause();
    return end;
  }
}

function isChunkPart(kind: Kind): boolean {
  return kind === KIND.word || kind === KIND.inner;
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

function isScheme(text: string, index: number): boolean {
  return text.startsWith('http', index) && (text.startsWith('://', index + 4) || text.startsWith('://', index + 5));
}

function endOfUrl(text: string, start: number): number {
  let end = start;
  while (end < text.length) {
    const code = text.charCodeAt(end);
    if (code <= 32 || code > 126 || code === 34 || code === 39 || code === 41 || code === 60 || code === 62 || code === 96) break;
    end += 1;
  }
  return end;
}

/** Tells whether a word has quotes or stars at its ends, or typographic quotes. Most words have none and stay as they are. */
function isDecorated(word: string): boolean {
  return isDecoration(word.charCodeAt(0)) || isDecoration(word.charCodeAt(word.length - 1)) || word.includes('\u2019');
}

function isDecoration(code: number): boolean {
  return code === 0x27 || code === 0x2a;
}
