import type { JsonSyntax } from './client.ts';

/** The part that may come next in a JSON text, in words for people. */
export type Expected =
  | 'a value'
  | 'a value or "]"'
  | 'a key in double quotes'
  | 'a key in double quotes or "}"'
  | '":"'
  | '"," or "]"'
  | '"," or "}"'
  | 'the end of the file'
  | 'fewer levels';

/** More than any config has; what edits it calls itself for each level. */
const MOST_LEVELS = 1000;

/** The first token that cannot stand where it does. */
export interface JsonMistake {
  readonly offset: number;
  readonly expected: Expected;
  /** The message to show instead of `expected`, if there is one. */
  readonly problem: string | undefined;
}

/** Receives the parts of a text in order. Offsets are of a part's first character and of the one behind its last. */
export interface JsonVisitor {
  onBegin(isObject: boolean, start: number): void;
  onEnd(end: number): void;
  onKey(key: string, start: number, end: number): void;
  onComma(offset: number): void;
  /** A value that is no object and no array. A string is not decoded: most of a file's are of no interest. */
  onScalar(kind: 'string' | 'number' | 'boolean' | 'null', start: number, end: number): void;
}

/** Visits a text up to its first mistake, which is returned. A text without a value has none. Linear in the text. */
export function visitJson(text: string, { comments, trailingCommas }: JsonSyntax, visitor: JsonVisitor): JsonMistake | undefined {
  const tokens = new JsonTokens(text);
  /** One entry for each open container, true for an object. */
  const open: boolean[] = [];
  let expected = 'a value' as Expected;
  let isBehindComma = false;
  const goOn = (next: Expected): void => {
    expected = next;
    isBehindComma = false;
  };
  const goOnBehindValue = (): void => {
    if (open.length === 0) goOn('the end of the file');
    else goOn(open.at(-1) === true ? '"," or "}"' : '"," or "]"');
  };
  const mistake = (problem?: string): JsonMistake => ({ offset: tokens.start, expected, problem });
  while (tokens.next()) {
    const { kind, start, end } = tokens;
    switch (kind) {
      case 'bad':
        return mistake(tokens.fault);
      case 'comment':
        if (!comments) return mistake('comments are not allowed here');
        break;
      case '{':
      case '[':
        if (!MAY_BE_VALUE.has(expected)) return mistake();
        if (open.length === MOST_LEVELS) {
          return { offset: start, expected: 'fewer levels', problem: `it nests deeper than ${MOST_LEVELS} levels here` };
        }
        open.push(kind === '{');
        goOn(kind === '{' ? 'a key in double quotes or "}"' : 'a value or "]"');
        visitor.onBegin(kind === '{', start);
        break;
      case '}':
      case ']': {
        const isOwn = open.length > 0 && open.at(-1) === (kind === '}');
        const isBehindValue = expected === '"," or "}"' || expected === '"," or "]"';
        const isEmpty = expected === 'a value or "]"' || expected === 'a key in double quotes or "}"';
        if (isOwn && isBehindComma && !trailingCommas) return mistake('trailing commas are not allowed here');
        if (!isOwn || !(isBehindValue || isEmpty || isBehindComma)) return mistake();
        open.pop();
        goOnBehindValue();
        visitor.onEnd(end);
        break;
      }
      case ',':
        if (expected !== '"," or "}"' && expected !== '"," or "]"') return mistake();
        expected = open.at(-1) === true ? 'a key in double quotes' : 'a value';
        isBehindComma = true;
        visitor.onComma(start);
        break;
      case ':':
        if (expected !== '":"') return mistake();
        goOn('a value');
        break;
      default:
        if (kind === 'string' && MAY_BE_KEY.has(expected)) {
          goOn('":"');
          visitor.onKey(tokens.value, start, end);
        } else if (MAY_BE_VALUE.has(expected)) {
          goOnBehindValue();
          visitor.onScalar(kind === 'word' ? (text[start] === 'n' ? 'null' : 'boolean') : kind, start, end);
        } else return mistake();
    }
  }
  const isWhole = expected === 'the end of the file' || (open.length === 0 && expected === 'a value');
  return isWhole ? undefined : mistake();
}

const MAY_BE_VALUE: ReadonlySet<Expected> = new Set(['a value', 'a value or "]"']);
const MAY_BE_KEY: ReadonlySet<Expected> = new Set(['a key in double quotes', 'a key in double quotes or "}"']);

/** A token's kind: punctuation as itself, `word` for true, false and null, `bad` for what is none. */
type TokenKind = '{' | '}' | '[' | ']' | ',' | ':' | 'string' | 'number' | 'word' | 'comment' | 'bad';

const STRING_FAULT = 'a string is not well-formed';

/** Matches what ends the plain part of a string. Looking for it takes no memory, however long the string is. */
const STRING_STOP = /["\\\u0000-\u001F]/g;
const ESCAPE = /\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4})/y;
const NOT_SPACE = /[^ \t\r\n]/g;
const LINE_END = /[\r\n]/g;
/** Matches what ends a word, or whatever stands in place of one. */
const WORD_STOP = /[ \t\r\n{}[\]:,"/]/g;

/** The tokens of a text, in whichever order they stand, comments included and white space left out. Each call of `next` goes to the next one. */
export class JsonTokens {
  kind: TokenKind = 'bad';
  /** Offset of the first character. */
  start = 0;
  /** Offset of the character behind the last one. */
  end = 0;
  /** The reason why a `bad` token is none, if it begins as one. */
  fault: string | undefined;
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  /** A string decoded, without its quotes; all else as it stands. */
  get value(): string {
    const raw = this.#text.slice(this.start, this.end);
    return this.kind === 'string' ? decodeString(raw) : raw;
  }

  /** False at the end of the text, where `start` then is. */
  next(): boolean {
    const text = this.#text;
    this.start = firstOf(NOT_SPACE, text, this.end);
    this.end = this.start + 1;
    this.fault = undefined;
    if (this.start === text.length) return false;
    const first = text[this.start];
    switch (first) {
      case '{':
      case '}':
      case '[':
      case ']':
      case ',':
      case ':':
        this.kind = first;
        return true;
      case '"':
        this.#string();
        return true;
      case '/':
        this.#comment();
        return true;
      default:
        this.#numberOrWord();
        return true;
    }
  }

  #string(): void {
    const text = this.#text;
    this.kind = 'string';
    for (let at = this.start + 1; ;) {
      at = firstOf(STRING_STOP, text, at);
      const stop = text[at];
      if (stop === '"') {
        this.end = at + 1;
        return;
      }
      if (stop === undefined || stop === '\n' || stop === '\r') {
        this.end = at;
        this.#spoil(STRING_FAULT);
        return;
      }
      ESCAPE.lastIndex = at;
      if (stop === '\\' && ESCAPE.test(text)) {
        at = ESCAPE.lastIndex;
        continue;
      }
      this.#spoil(STRING_FAULT);
      at += stop === '\\' && at + 1 < text.length && text[at + 1] !== '\n' && text[at + 1] !== '\r' ? 2 : 1;
    }
  }

  #comment(): void {
    const text = this.#text;
    const { start } = this;
    if (text[start + 1] === '/') {
      this.kind = 'comment';
      this.end = firstOf(LINE_END, text, start);
    } else if (text[start + 1] === '*') {
      this.kind = 'comment';
      const end = text.indexOf('*/', start + 2);
      this.end = end === -1 ? text.length : end + 2;
      if (end === -1) this.#spoil('a comment has no end');
    } else this.#spoil(undefined);
  }

  #numberOrWord(): void {
    const text = this.#text;
    const { start } = this;
    const from = text[start] === '-' ? start + 1 : start;
    if (isDigit(text, from)) {
      this.#number(from);
      return;
    }
    this.end = Math.max(this.end, firstOf(WORD_STOP, text, start));
    const word = this.end - start <= 5 ? text.slice(start, this.end) : '';
    if (word === 'true' || word === 'false' || word === 'null') this.kind = 'word';
    else this.#spoil(undefined);
  }

  #number(from: number): void {
    const text = this.#text;
    this.kind = 'number';
    /** Goes behind the digits; false if there are none. */
    const readDigits = (at: number): boolean => {
      this.end = at;
      while (isDigit(text, this.end)) this.end += 1;
      return this.end > at;
    };
    if (text[from] === '0') this.end = from + 1;
    else readDigits(from);
    let isWhole = text[this.end] !== '.' || readDigits(this.end + 1);
    if (isWhole && (text[this.end] === 'e' || text[this.end] === 'E')) {
      const sign = text[this.end + 1];
      isWhole = readDigits(this.end + (sign === '+' || sign === '-' ? 2 : 1));
    }
    if (!isWhole) this.#spoil('a number is not well-formed');
  }

  #spoil(fault: string | undefined): void {
    this.kind = 'bad';
    this.fault = fault;
  }
}

/** The value of a string that is well-formed, quotes included. */
export function decodeString(raw: string): string {
  return raw.includes('\\') ? (JSON.parse(raw) as string) : raw.slice(1, -1);
}

/** The offset of the first match from an offset on, or of the end. */
function firstOf(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  return pattern.test(text) ? pattern.lastIndex - 1 : text.length;
}

function isDigit(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 48 && code <= 57;
}
