import {
  QUOTE,
  BACKSLASH,
  COMMA,
  COLON,
  OPEN_BRACKET,
  CLOSE_BRACKET,
  OPEN_BRACE,
  CLOSE_BRACE,
  MINUS,
  ZERO,
  NINE,
} from './json-bytes.ts';

const PLUS = 0x2b;
const DOT = 0x2e;
const SPACE = 0x20;
const TAB = 0x09;
const UPPER_E = 0x45;
const LOWER_E = 0x65;

/** Below this length a byte loop beats the call into native code that `indexOf` is (measured). */
const SHORT_STRING = 24;

/** Escaped quotes nearer to each other than this are read past byte by byte for a while, for the same reason. */
const DENSE = 512;

/** Nesting that is accepted unless told otherwise; as deep as a policy follows arguments. */
const DEFAULT_DEPTH = 128;

/**
 * A cursor over the bytes of one JSON text that checks its grammar without building values.
 *
 * The relay looks at every message but needs values from few of them. Reading bytes keeps what passes untouched and shows
 * what `JSON.parse` hides: duplicate keys, and where a value begins and ends. Not checked are the insides of strings
 * (escapes, control characters), since they cannot move a bracket or a comma.
 *
 * White space is space and tab only: a line feed ends the message, and a carriage return inside one would be a line end to
 * servers that read with universal newlines, so that they would see other messages than we do.
 */
export class JsonScanner {
  bytes: Buffer = Buffer.alloc(0);
  /** Offset of the first byte. */
  start = 0;
  /** Offset of the next unread byte. */
  pos = 0;
  /** Offset behind the last byte. */
  end = 0;
  /** Keys that were moved past since `reset`. */
  keys = 0;
  readonly #maxDepth: number;
  /** 1 if the open container is an object, 0 if it is an array. */
  readonly #open: Uint8Array;

  constructor(maxDepth: number = DEFAULT_DEPTH) {
    this.#maxDepth = maxDepth;
    this.#open = new Uint8Array(maxDepth + 1);
  }

  /** Puts the cursor on `bytes[start..end)`. */
  reset(bytes: Buffer, start: number, end: number): void {
    this.bytes = bytes;
    this.start = start;
    this.pos = start;
    this.end = end;
    this.keys = 0;
  }

  /** Skips white space; returns the byte now under the cursor, or -1 at the end. */
  peek(): number {
    const { bytes, end } = this;
    let pos = this.pos;
    while (pos < end) {
      const byte = bytes[pos] as number;
      if (byte !== SPACE && byte !== TAB) {
        this.pos = pos;
        return byte;
      }
      pos++;
    }
    this.pos = pos;
    return -1;
  }

  /** Moves past this byte, if it comes next behind white space. */
  take(byte: number): boolean {
    if (this.peek() !== byte) return false;
    this.pos++;
    return true;
  }

  /** Moves past a string that begins under the cursor. False if none begins there or it does not end. */
  skipString(): boolean {
    const { bytes, end } = this;
    let pos = this.pos;
    if (pos >= end || bytes[pos] !== QUOTE) return false;
    pos++;
    const near = Math.min(end, pos + SHORT_STRING);
    while (pos < near) {
      const byte = bytes[pos] as number;
      if (byte === QUOTE) {
        this.pos = pos + 1;
        return true;
      }
      pos += byte === BACKSLASH ? 2 : 1;
    }
    return this.#skipLongString(pos);
  }

  #skipLongString(from: number): boolean {
    const { bytes, end } = this;
    // Everything before `start` is read; no escape reaches across it.
    let start = from;
    while (start < end) {
      const quote = bytes.indexOf(QUOTE, start);
      if (quote === -1 || quote >= end) return false;
      let slash = quote - 1;
      while (slash >= start && bytes[slash] === BACKSLASH) slash--;
      // An even number of backslashes before the quote means that none of them escapes it.
      if ((quote - 1 - slash) % 2 === 0) {
        this.pos = quote + 1;
        return true;
      }
      const isDense = quote - start < DENSE;
      start = quote + 1;
      if (!isDense) continue;
      const far = Math.min(end, start + 8 * DENSE);
      while (start < far) {
        const byte = bytes[start] as number;
        if (byte === QUOTE) {
          this.pos = start + 1;
          return true;
        }
        start += byte === BACKSLASH ? 2 : 1;
      }
    }
    return false;
  }

  /** Moves past one whole value, `depth` containers deep already. False if it is malformed or nested too deeply. */
  skipValue(depth = 0): boolean {
    const open = this.#open;
    const floor = depth;
    let level = depth;
    for (;;) {
      const byte = this.peek();
      if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
        if (level >= this.#maxDepth) return false;
        this.pos++;
        const isObject = byte === OPEN_BRACE;
        const next = this.peek();
        if (next === (isObject ? CLOSE_BRACE : CLOSE_BRACKET)) {
          this.pos++;
        } else {
          open[level++] = isObject ? 1 : 0;
          if (isObject && !this.skipKey()) return false;
          continue;
        }
      } else if (!this.skipScalar(byte)) {
        return false;
      }
      // A value has just ended: close what it was the last element of.
      for (;;) {
        if (level === floor) return true;
        const isObject = open[level - 1] === 1;
        const next = this.peek();
        this.pos++;
        if (next === COMMA) {
          if (isObject) {
            this.peek();
            if (!this.skipKey()) return false;
          }
          break;
        }
        if (next !== (isObject ? CLOSE_BRACE : CLOSE_BRACKET)) return false;
        level--;
      }
    }
  }

  /** Moves past the value that comes next and returns its span; undefined if `skipValue` is false. */
  takeValue(depth: number): { readonly start: number; readonly end: number } | undefined {
    this.peek();
    const start = this.pos;
    return this.skipValue(depth) ? { start, end: this.pos } : undefined;
  }

  /**
   * Moves past an object or array that begins under the cursor, however deep and whatever is wrong between its brackets: only
   * strings and brackets count. False if none begins there or it does not end.
   */
  skipBrackets(): boolean {
    const { bytes, end } = this;
    let level = 0;
    let pos = this.pos;
    while (pos < end) {
      const byte = bytes[pos] as number;
      if (byte === QUOTE) {
        this.pos = pos;
        if (!this.skipString()) return false;
        pos = this.pos;
        continue;
      }
      pos++;
      if (byte === OPEN_BRACE || byte === OPEN_BRACKET) level++;
      else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) level--;
      if (level > 0) continue;
      this.pos = pos;
      return level === 0 && (byte === CLOSE_BRACE || byte === CLOSE_BRACKET);
    }
    return false;
  }

  /** Moves past `"key" :`. False if that is not what is there. */
  skipKey(): boolean {
    if (!this.skipString() || this.peek() !== COLON) return false;
    this.pos++;
    this.keys++;
    return true;
  }

  /** Moves past a string, number or word whose first byte, under the cursor, is this. False if it is none. */
  skipScalar(byte: number): boolean {
    if (byte === QUOTE) return this.skipString();
    if (byte === MINUS || (byte >= ZERO && byte <= NINE)) return this.skipNumber();
    if (byte === 0x74) return this.#skipWord('true');
    if (byte === 0x66) return this.#skipWord('false');
    if (byte === 0x6e) return this.#skipWord('null');
    return false;
  }

  #skipWord(word: string): boolean {
    const { bytes, pos, end } = this;
    if (pos + word.length > end) return false;
    for (let i = 0; i < word.length; i++) if (bytes[pos + i] !== word.charCodeAt(i)) return false;
    this.pos = pos + word.length;
    return true;
  }

  /**
   * Moves past a number: an optional minus, an integer without leading zeros, an optional fraction, an optional exponent (RFC 8259 §6).
   * If it is cut short, false, and the cursor is where it ends.
   */
  skipNumber(): boolean {
    const { bytes } = this;
    if (bytes[this.pos] === MINUS) this.pos++;
    if (this.pos < this.end && bytes[this.pos] === ZERO) this.pos++;
    else if (!this.#skipDigits()) return false;
    if (this.pos < this.end && bytes[this.pos] === DOT) {
      this.pos++;
      if (!this.#skipDigits()) return false;
    }
    if (this.pos < this.end && (bytes[this.pos] === LOWER_E || bytes[this.pos] === UPPER_E)) {
      this.pos++;
      if (this.pos < this.end && (bytes[this.pos] === PLUS || bytes[this.pos] === MINUS)) this.pos++;
      if (!this.#skipDigits()) return false;
    }
    return true;
  }

  #skipDigits(): boolean {
    const { bytes, end } = this;
    const start = this.pos;
    let pos = start;
    while (pos < end) {
      const byte = bytes[pos] as number;
      if (byte < ZERO || byte > NINE) break;
      pos++;
    }
    this.pos = pos;
    return pos > start;
  }
}
