import { createScanner, printParseErrorCode, visit } from 'jsonc-parser';
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

/** More than any config has; what reads it calls itself for each level. */
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
  /** A value that is no object and no array. */
  onScalar(value: string | number | boolean | null, start: number, end: number): void;
}

/** Messages by the names of the package's errors. */
const PROBLEMS: Readonly<Record<string, string>> = {
  InvalidCommentToken: 'comments are not allowed here',
  UnexpectedEndOfComment: 'a comment has no end',
  UnexpectedEndOfString: 'a string is not well-formed',
  InvalidUnicode: 'a string is not well-formed',
  InvalidEscapeCharacter: 'a string is not well-formed',
  InvalidCharacter: 'a string is not well-formed',
  UnexpectedEndOfNumber: 'a number is not well-formed',
};

class Stop extends Error {
  readonly mistake: JsonMistake;

  constructor(mistake: JsonMistake) {
    super();
    this.mistake = mistake;
  }
}

/** Visits a text up to its first mistake, which is returned. A text without a value has none. Linear in the text. */
export function visitJson(text: string, { comments, trailingCommas }: JsonSyntax, visitor: JsonVisitor): JsonMistake | undefined {
  /** One entry for each open container, true for an object. */
  const open: boolean[] = [];
  let expected: Expected = 'a value';
  let isBehindComma = false;
  const goOn = (next: Expected): void => {
    expected = next;
    isBehindComma = false;
  };
  const goOnBehindValue = (): void => {
    if (open.length === 0) goOn('the end of the file');
    else goOn(open.at(-1) === true ? '"," or "}"' : '"," or "]"');
  };
  const begin = (isObject: boolean, offset: number): void => {
    if (open.length === MOST_LEVELS)
      throw new Stop({ offset, expected: 'fewer levels', problem: `it nests deeper than ${MOST_LEVELS} levels here` });
    open.push(isObject);
    goOn(isObject ? 'a key in double quotes or "}"' : 'a value or "]"');
    visitor.onBegin(isObject, offset);
  };
  const end = (offset: number, length: number): void => {
    // The end of the text is told as the end of all that is open, and then as a mistake.
    if (length === 0) return;
    open.pop();
    goOnBehindValue();
    visitor.onEnd(offset + length);
  };
  const parts = {
    onObjectBegin: (offset: number): void => begin(true, offset),
    onArrayBegin: (offset: number): void => begin(false, offset),
    onObjectEnd: end,
    onArrayEnd: end,
    onObjectProperty: (key: string, offset: number, length: number): void => {
      goOn('":"');
      visitor.onKey(key, offset, offset + length);
    },
    onLiteralValue: (value: string | number | boolean | null, offset: number, length: number): void => {
      goOnBehindValue();
      visitor.onScalar(value, offset, offset + length);
    },
    onSeparator: (character: string, offset: number): void => {
      isBehindComma = character === ',';
      expected = isBehindComma && open.at(-1) === true ? 'a key in double quotes' : 'a value';
      if (isBehindComma) visitor.onComma(offset);
    },
    onError: (code: Parameters<typeof printParseErrorCode>[0], offset: number): void => {
      const isTrailing = isBehindComma && text[offset] === (open.at(-1) === true ? '}' : ']');
      const problem = isTrailing ? 'trailing commas are not allowed here' : PROBLEMS[printParseErrorCode(code)];
      throw new Stop({ offset, expected, problem });
    },
  };
  try {
    visit(text, parts, { disallowComments: !comments, allowTrailingComma: trailingCommas, allowEmptyContent: true });
    return undefined;
  } catch (error) {
    // The package goes on behind a mistake, and has no other way to be stopped.
    if (error instanceof Stop) return error.mistake;
    throw error;
  }
}

/** A token's kind: punctuation as itself, `bad` for what is none. */
type TokenKind = '{' | '}' | '[' | ']' | ',' | ':' | 'string' | 'number' | 'word' | 'comment' | 'bad';

interface JsonToken {
  readonly kind: TokenKind;
  /** Offsets of its first character and of the one behind its last. */
  readonly start: number;
  readonly end: number;
  /** A string without its quotes and decoded; a number as it stands. */
  readonly value: string;
}

/** Token kinds by the package's numbers, from 1; it has their names for compilers only. */
const KINDS: readonly TokenKind[] = [
  '{',
  '}',
  '[',
  ']',
  ',',
  ':',
  'word',
  'word',
  'word',
  'string',
  'number',
  'comment',
  'comment',
];
const FIRST_SPACE = 14;
const LAST_SPACE = 15;
const END = 17;

/** The tokens of a text, in whichever order they stand, comments included and white space left out. */
export function* jsonTokens(text: string): Generator<JsonToken, void> {
  const scanner = createScanner(text);
  for (let number: number = scanner.scan(); number !== END; number = scanner.scan()) {
    if (number >= FIRST_SPACE && number <= LAST_SPACE) continue;
    const start = scanner.getTokenOffset();
    const isWhole = Number(scanner.getTokenError()) === 0;
    const kind = isWhole ? (KINDS[number - 1] ?? 'bad') : 'bad';
    yield { kind, start, end: start + scanner.getTokenLength(), value: scanner.getTokenValue() };
  }
}
