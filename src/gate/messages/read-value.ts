import { type JsonValue, parseJson } from '../../core/json.ts';
import { decodeString } from '../../protocol/json-key.ts';
import { JsonScanner } from '../../protocol/json-scanner.ts';
import { decodeLongString } from '../../protocol/long-string.ts';
import { QUOTE, COMMA, COLON, OPEN_BRACKET, CLOSE_BRACKET, OPEN_BRACE, CLOSE_BRACE } from '../../protocol/json-bytes.ts';
import { isUtf8 } from 'node:buffer';

/** Longer texts are read piece by piece. */
const BIG = 256 * 1024;

/** Longer strings are decoded without a copy. */
const LONG = 16 * 1024;

/** Deepest recursion of `#read`; no message's own limit is higher. */
const MOST_DEPTH = 512;

/**
 * Parses the value that fills `bytes[start..end)`, as `parseJson` does. A big one is read from the bytes, so that its text is not in memory
 * a third time, beside the bytes and the values.
 *
 * @throws SyntaxError if it is not valid JSON, or nested deeper than any message may be
 */
export function readValue(bytes: Buffer, start: number, end: number): JsonValue {
  if (end - start <= BIG) return parseJson(bytes.toString('utf8', start, end));
  const reader = new ValueReader(bytes, start, end);
  return reader.readWhole();
}

class ValueReader {
  readonly #scanner = new JsonScanner();
  #depth = 0;

  constructor(bytes: Buffer, start: number, end: number) {
    this.#scanner.reset(bytes, start, end);
  }

  readWhole(): JsonValue {
    const value = this.#read();
    expect(this.#scanner.peek() === -1);
    return value;
  }

  #read(): JsonValue {
    const scanner = this.#scanner;
    const byte = scanner.peek();
    const { bytes, pos } = scanner;
    if (byte === QUOTE) return this.#readString();
    if (byte !== OPEN_BRACE && byte !== OPEN_BRACKET) {
      expect(scanner.skipValue());
      return parseJson(bytes.toString('latin1', pos, scanner.pos));
    }
    expect(++this.#depth <= MOST_DEPTH);
    scanner.pos++;
    const value = byte === OPEN_BRACE ? this.#readObject() : this.#readArray();
    this.#depth--;
    return value;
  }

  #readString(): string {
    const scanner = this.#scanner;
    const { bytes, pos } = scanner;
    expect(scanner.skipString());
    const text = scanner.pos - pos > LONG ? decodeLongString(bytes, pos, scanner.pos) : decodeString(bytes, pos, scanner.pos);
    if (text === undefined) throw new SyntaxError('not a valid JSON string');
    return text;
  }

  #readObject(): JsonValue {
    const object: Record<string, JsonValue> = {};
    if (this.#scanner.take(CLOSE_BRACE)) return object;
    do {
      this.#scanner.peek();
      const key = this.#readString();
      expect(this.#scanner.take(COLON));
      const value = this.#read();
      // An assignment would set the prototype.
      if (key === '__proto__')
        Object.defineProperty(object, key, { value, configurable: true, enumerable: true, writable: true });
      else object[key] = value;
    } while (this.#scanner.take(COMMA));
    expect(this.#scanner.take(CLOSE_BRACE));
    return object;
  }

  #readArray(): JsonValue {
    const array: JsonValue[] = [];
    if (this.#scanner.take(CLOSE_BRACKET)) return array;
    do array.push(this.#read());
    while (this.#scanner.take(COMMA));
    expect(this.#scanner.take(CLOSE_BRACKET));
    return array;
  }
}

function expect(isValid: boolean): void {
  if (!isValid) throw new SyntaxError('not valid JSON');
}

/** The text that came as base64, as files of text may; undefined where its bytes are none. */
export function textOfBase64(base64: string): string | undefined {
  const bytes = Buffer.from(base64, 'base64');
  return isUtf8(bytes) && !bytes.includes(0) ? bytes.toString() : undefined;
}
