import type { TextField } from '../../core/detect/types.ts';
import { decodeString } from '../../protocol/json-key.ts';
import { JsonScanner } from '../../protocol/json-scanner.ts';
import { textOfBase64 } from '../messages/read-value.ts';
import type { Span } from '../../protocol/message.ts';
import { QUOTE, COMMA, COLON, OPEN_BRACKET, CLOSE_BRACKET, OPEN_BRACE, CLOSE_BRACE } from '../../protocol/json-bytes.ts';

/** A text of a message, and its span in the bytes, quotes included. */
export interface SpannedText extends TextField {
  readonly span: Span;
  /** True if it came as base64. */
  readonly isEncoded: boolean;
}

/** The texts of a message, and what is missing among them. */
export interface SpannedTexts {
  readonly texts: readonly SpannedText[];
  /** True if the message contains bytes that are not text. */
  readonly hasBinary: boolean;
  /** True if there were more texts, or longer ones, than are scanned; or unreadable ones. */
  readonly isCut: boolean;
}

/** Bounds on the texts of one message. */
export interface TextBounds {
  /** UTF-16 units in all. */
  readonly characters: number;
  readonly texts: number;
}

/**
 * Texts that are left out, since they are scanned as definitions: the value of a member, if it is a text; or those elements of a list
 * that one of their members names.
 */
export type LeftOut = { readonly text: string } | { readonly list: string; readonly name: string; readonly longestName: number };

/** Options for collecting texts. */
export interface TextsOptions {
  /** Prefix of their fields, such as `params`. */
  readonly prefix: string;
  readonly most: TextBounds;
  readonly leftOut?: LeftOut | undefined;
}

/** Members that describe a value's form; their words are not content. */
const ABOUT: ReadonlySet<string> = new Set(['type', 'mimeType', 'role', 'audience', 'lastModified', 'resultType', 'uri']);
const MOST_ABOUT = 256;
/** Other characters may stand for blanks, and long words may be encoded: a value with any may be a sentence. */
const PLAIN_ABOUT = /^(?:[\w.~+/:;=@?&#,-]{0,40}|[a-z]+\/[\w.+-]+|[a-z][\w+.-]*:[\w.~+/:;=@?&#,-]*)$/i;
/** Words between the marks of an address may still form a sentence. */
const SENTENCE_OF_MARKS = /(?:[a-z]{2,}(?:[-_+~]|%20)){3}[a-z]{2}/i;
/** Members that hold bytes as base64, of images and files, and the least characters of such a value. */
const BINARY: ReadonlySet<string> = new Set(['data', 'blob']);
const LEAST_BINARY = 256;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/** Least characters of a member's name that may be a sentence: with blanks, and without; and most characters shown of one. */
const LONG_WORDS = 12;
const LONG_NAME = 24;
const MOST_SHOWN_NAME = 64;

/** Replacement for bytes that are not valid UTF-8. */
const BROKEN = '\ufffd';

/** An open object or array: the name or the index of its current member. */
interface Level {
  readonly isArray: boolean;
  index: number;
  key: string;
}

/**
 * Collects all texts in a part of a message, in the order in which they were sent, including the names of members that may be sentences.
 * Never throws.
 *
 * @param span lies in `bytes`, and is valid JSON, or its beginning
 */
export function spannedTexts(bytes: Buffer, span: Span, options: TextsOptions): SpannedTexts {
  const walk = new Walk(bytes, span, options);
  walk.run();
  return walk;
}

/** Tells whether a member only describes a value's form. */
export function isAbout(key: string, text: string): boolean {
  return ABOUT.has(key) && text.length <= MOST_ABOUT && PLAIN_ABOUT.test(text) && !SENTENCE_OF_MARKS.test(text);
}

/** Tells whether a member's name is long enough for an order. */
export function mayBeSentence(name: string): boolean {
  return name.length >= LONG_NAME || (name.length >= LONG_WORDS && name.includes(' '));
}

class Walk implements SpannedTexts {
  readonly texts: SpannedText[] = [];
  hasBinary = false;
  isCut = false;
  readonly #bytes: Buffer;
  readonly #span: Span;
  readonly #prefix: string;
  readonly #most: TextBounds;
  readonly #leftOut: LeftOut | undefined;
  /** The texts before the list element that is open, and whether it has a name. */
  #element = { texts: 0, characters: 0, isNamed: false };
  readonly #levels: Level[] = [];
  readonly #scanner = new JsonScanner();
  #characters = 0;
  #isName = false;

  constructor(bytes: Buffer, span: Span, { prefix, most, leftOut }: TextsOptions) {
    this.#bytes = bytes;
    this.#span = span;
    this.#prefix = prefix;
    this.#most = most;
    this.#leftOut = leftOut;
  }

  run(): void {
    const { start, end } = this.#span;
    for (let pos = start; pos < end && !this.isCut;) {
      const byte = this.#bytes[pos] as number;
      if (byte !== QUOTE) {
        this.#step(byte);
        pos++;
        continue;
      }
      this.#scanner.reset(this.#bytes, pos, end);
      const isWhole = this.#scanner.skipString();
      // The message was longer than the part of it that is kept.
      if (!isWhole) {
        this.isCut = true;
        return;
      }
      // Texts that are left out need not be decoded, which is most of the work.
      if (!this.#element.isNamed) this.#string({ start: pos, end: this.#scanner.pos });
      pos = this.#scanner.pos;
    }
  }

  #step(byte: number): void {
    const top = this.#levels.at(-1);
    if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
      this.#levels.push({ isArray: byte === OPEN_BRACKET, index: 0, key: '' });
      this.#isName = byte === OPEN_BRACE;
      if (this.#isInElement()) this.#element = { texts: this.texts.length, characters: this.#characters, isNamed: false };
    } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
      if (this.#element.isNamed && this.#isInElement()) this.#leaveOut();
      this.#levels.pop();
    } else if (byte === COLON) this.#isName = false;
    else if (byte === COMMA && top !== undefined) {
      top.index++;
      this.#isName = !top.isArray;
    }
  }

  /** Tells whether the innermost open value is an element of the list that is left out. */
  #isInElement(): boolean {
    const [result, list, element] = this.#levels;
    if (element === undefined || this.#levels.length > 3 || this.#leftOut === undefined || !('list' in this.#leftOut))
      return false;
    return !element.isArray && list?.isArray === true && result?.isArray === false && result.key === this.#leftOut.list;
  }

  #leaveOut(): void {
    this.texts.length = this.#element.texts;
    this.#characters = this.#element.characters;
    this.#element.isNamed = false;
  }

  #string(span: Span): void {
    const text = decodeString(this.#bytes, span.start, span.end);
    const top = this.#levels.at(-1);
    if (text === undefined) {
      this.isCut = true;
    } else if (this.#isName && top !== undefined) {
      top.key = text;
      if (mayBeSentence(text)) this.#add({ field: `${this.#field()} (name)`, text, span, isEncoded: false });
    } else if (!this.#isLeftOut(text, top) && text !== '') this.#value(text, span, top);
  }

  /** Tells whether a text is left out. The text of an element's name marks the whole element as left out. */
  #isLeftOut(text: string, top: Level | undefined): boolean {
    const leftOut = this.#leftOut;
    if (leftOut === undefined || top === undefined) return false;
    if ('text' in leftOut) return this.#levels.length === 1 && !top.isArray && top.key === leftOut.text;
    if (top.key === leftOut.name && text.length <= leftOut.longestName && this.#isInElement()) this.#element.isNamed = true;
    return false;
  }

  #value(text: string, span: Span, top: Level | undefined): void {
    const key = top?.isArray === false ? top.key : '';
    if (isAbout(key, text)) return;
    const isEncoded = BINARY.has(key) && text.length >= LEAST_BINARY && BASE64.test(text);
    const read = isEncoded ? textOfBase64(text) : text;
    if (read === undefined) {
      this.hasBinary = true;
      return;
    }
    const field = this.#field();
    this.#add({ field, text: read, span, isEncoded });
    // A model ignores the replacement characters, and sees the words around them.
    if (read.includes(BROKEN)) this.#add({ field, text: read.replaceAll(BROKEN, ''), span, isEncoded });
  }

  #add(text: SpannedText): void {
    const room = this.#most.characters - this.#characters;
    if (this.texts.length >= this.#most.texts || room <= 0) {
      this.isCut = true;
      return;
    }
    this.isCut ||= text.text.length > room;
    this.#characters += text.text.length;
    this.texts.push(text.text.length > room ? { ...text, text: text.text.slice(0, room) } : text);
  }

  #field(): string {
    let field = this.#prefix;
    for (const { isArray, index, key } of this.#levels) {
      if (isArray) field += `[${index}]`;
      else field += `${field === '' ? '' : '.'}${key.slice(0, MOST_SHOWN_NAME)}`;
    }
    return field;
  }
}
