/** A token's kind: punctuation as itself, `end` behind the last, `bad` for what is none. */
export type JsonToken = '{' | '}' | '[' | ']' | ',' | ':' | 'string' | 'number' | 'boolean' | 'null' | 'comment' | 'end' | 'bad';

const PUNCTUATION: ReadonlyMap<number, JsonToken> = new Map(
  (['{', '}', '[', ']', ',', ':'] as const).map((character) => [character.charCodeAt(0), character]),
);
const LITERALS: readonly (readonly [string, JsonToken])[] = [
  ['true', 'boolean'],
  ['false', 'boolean'],
  ['null', 'null'],
];
/** RFC 8259 §6. */
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const ESCAPED = new Set([...'"\\/bfnrt'].map((character) => character.charCodeAt(0)));
const FOUR_HEX_DIGITS = /[\dA-Fa-f]{4}/y;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const SLASH = 0x2f;
const LOWER_U = 0x75;

/**
 * Reads the tokens of RFC 8259, and comments as JavaScript has them, one by one. It makes no strings: a text of many megabytes costs time
 * only.
 */
export class JsonTokens {
  /** Offsets of the current token's first character and of the one behind its last. */
  start: number;
  end: number;
  /** What is wrong with a bad token. */
  problem = '';
  readonly #text: string;

  constructor(text: string, from: number) {
    this.#text = text;
    this.start = from;
    this.end = from;
  }

  next(): JsonToken {
    const text = this.#text;
    let at = this.end;
    let code = text.charCodeAt(at);
    while (code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09) code = text.charCodeAt(++at);
    this.start = at;
    if (at >= text.length) return this.#token('end', at);
    if (code === QUOTE) return this.#string();
    const punctuation = PUNCTUATION.get(code);
    if (punctuation !== undefined) return this.#token(punctuation, at + 1);
    if (code === SLASH) return this.#comment();
    for (const [literal, token] of LITERALS) {
      if (text.startsWith(literal, at)) return this.#token(token, at + literal.length);
    }
    NUMBER.lastIndex = at;
    return NUMBER.test(text) ? this.#token('number', NUMBER.lastIndex) : this.#bad('');
  }

  /** The current token, a string without its quotes and decoded. */
  value(): string {
    const token = this.#text.slice(this.start, this.end);
    if (!token.startsWith('"')) return token;
    return token.includes('\\') ? String(JSON.parse(token)) : token.slice(1, -1);
  }

  /** RFC 8259 §7: no control characters, and no other escapes. */
  #string(): JsonToken {
    const text = this.#text;
    let at = this.start + 1;
    for (;;) {
      const code = text.charCodeAt(at);
      if (code === QUOTE) return this.#token('string', at + 1);
      if (code === BACKSLASH) {
        at += 1;
        const escaped = text.charCodeAt(at);
        if (escaped === LOWER_U) {
          FOUR_HEX_DIGITS.lastIndex = at + 1;
          if (!FOUR_HEX_DIGITS.test(text)) return this.#bad('a string is not well-formed');
          at += 4;
        } else if (!ESCAPED.has(escaped)) return this.#bad('a string is not well-formed');
      } else if (!(code >= 0x20)) return this.#bad('a string is not well-formed');
      at += 1;
    }
  }

  #comment(): JsonToken {
    const text = this.#text;
    const second = text.charAt(this.start + 1);
    if (second === '*') {
      const close = text.indexOf('*/', this.start + 2);
      return close === -1 ? this.#bad('a comment has no end') : this.#token('comment', close + 2);
    }
    if (second !== '/') return this.#bad('');
    let at = this.start + 2;
    while (at < text.length && text.charAt(at) !== '\n' && text.charAt(at) !== '\r') at += 1;
    return this.#token('comment', at);
  }

  #token(token: JsonToken, end: number): JsonToken {
    this.end = end;
    return token;
  }

  #bad(problem: string): JsonToken {
    this.problem = problem;
    return this.#token('bad', this.start + 1);
  }
}
