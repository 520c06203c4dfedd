import { type JsonValue, parseJson } from '../core/json.ts';
import { decodeString } from '../protocol/json-key.ts';
import { JsonScanner } from '../protocol/json-scanner.ts';
import { decodeLongString } from '../protocol/long-string.ts';

/** Texts of more bytes than this are read piece by piece. */
const BIG = 256 * 1024;

/** Strings of more bytes than this are decoded without a copy. */
const LONG = 16 * 1024;

/** As deep as any limit goes that the message has been held to; this only bounds the calls of `read` inside each other. */
const MOST_DEPTH = 512;

const QUOTE = 0x22;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;

/**
 * The value that fills `bytes[start..end)`, as `parseJson` makes it. A big one is read out of the bytes, so that its text is not in memory
 * a third time, beside the bytes and the values.
 *
 * @throws SyntaxError where it is not valid JSON, or nested deeper than any message may be
 */
export function readValue(bytes: Buffer, start: number, end: number): JsonValue {
  if (end - start <= BIG) return parseJson(bytes.toString('utf8', start, end));
  const reader = new ValueReader(bytes, start, end);
  return reader.read();
}

class ValueReader {
  readonly #scanner = new JsonScanner(MOST_DEPTH);

  constructor(bytes: Buffer, start: number, end: number) {
    this.#scanner.reset(bytes, start, end);
    // What follows relies on the grammar.
    if (!this.#scanner.skipValue() || this.#scanner.peek() !== -1) throw new SyntaxError('not valid JSON');
    this.#scanner.reset(bytes, start, end);
  }

  read(): JsonValue {
    const scanner = this.#scanner;
    const byte = scanner.peek();
    const { bytes, pos } = scanner;
    if (byte === OPEN_BRACE) return this.#readObject();
    if (byte === OPEN_BRACKET) return this.#readArray();
    if (byte === QUOTE) return this.#readString();
    scanner.skipValue();
    return parseJson(bytes.toString('latin1', pos, scanner.pos));
  }

  #readString(): string {
    const scanner = this.#scanner;
    const { bytes, pos } = scanner;
    scanner.skipString();
    const text = scanner.pos - pos > LONG ? decodeLongString(bytes, pos, scanner.pos) : decodeString(bytes, pos, scanner.pos);
    if (text === undefined) throw new SyntaxError('not a valid JSON string');
    return text;
  }

  #readObject(): JsonValue {
    const object: Record<string, JsonValue> = {};
    while (this.#isNext(CLOSE_BRACE)) {
      const key = this.#readString();
      this.#scanner.peek();
      this.#scanner.pos++;
      const value = this.read();
      // An assignment would set the prototype.
      if (key === '__proto__')
        Object.defineProperty(object, key, { value, configurable: true, enumerable: true, writable: true });
      else object[key] = value;
    }
    return object;
  }

  #readArray(): JsonValue {
    const array: JsonValue[] = [];
    while (this.#isNext(CLOSE_BRACKET)) array.push(this.read());
    return array;
  }

  /** Moves past the opening bracket or the comma under the cursor, to the next element; false at the closing bracket, which it moves past. */
  #isNext(closing: number): boolean {
    const scanner = this.#scanner;
    const byte = scanner.peek();
    scanner.pos++;
    if (byte === closing) return false;
    if (scanner.peek() !== closing) return true;
    scanner.pos++;
    return false;
  }
}
