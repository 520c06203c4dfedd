import { decodeString, foldKey, inputRequestsKey, quoteKey } from './json-key.ts';
import type { JsonScanner } from './json-scanner.ts';
import { ID, METHOD, PARAMS, RESULT, ERROR, KEY_NAMES, protocolKey } from './protocol-key.ts';
import { type Message, type MessageKind, type Span, withoutParts } from './message.ts';
import { QUOTE, COMMA, COLON, OPEN_BRACE, CLOSE_BRACE, MINUS } from './json-bytes.ts';

const SLOTS = 64;
/** Longer strings are not kept: they come from peers. */
const LONGEST = 64;

/**
 * Reads JSON strings of which a few come again and again, method names above all, without making a new text each time. It keeps
 * at most so many, whatever it is given.
 */
export class Interner {
  readonly #slots: (readonly [bytes: Buffer, text: string] | undefined)[] = [];

  /** Text of the JSON string that fills `bytes[start..end)`, as `decodeString` reads it; undefined if it is malformed. */
  read(bytes: Buffer, start: number, end: number): string | undefined {
    const length = end - start;
    if (length > LONGEST) return decodeString(bytes, start, end);
    const slot = (length * 31 + (bytes[start + (length >> 1)] as number)) % SLOTS;
    const known = this.#slots[slot];
    if (known !== undefined && isSame(known[0], bytes, start, length)) return known[1];
    const text = decodeString(bytes, start, end);
    if (text !== undefined) this.#slots[slot] = [Buffer.from(bytes.subarray(start, end)), text];
    return text;
  }
}

function isSame(known: Buffer, bytes: Buffer, start: number, length: number): boolean {
  if (known.length !== length) return false;
  for (let i = 0; i < length; i++) if (known[i] !== bytes[start + i]) return false;
  return true;
}

/** First byte of `null`, and of no other value. */
const LOWER_N = 0x6e;

/** Members of a message besides those of JSON-RPC; honest ones have none or few, and each is remembered while reading. */
const MOST_OTHER_KEYS = 256;

/** Methods that were read already. A cache: it changes what reading costs and nothing else. */
const METHODS = new Interner();

/**
 * Reads the members of a message's object, with the scanner at its opening brace. Strict where parsers are known to differ: see
 * `readMessage`. It can be used for one message after the other, so that none costs more objects than it needs.
 */
export class EnvelopeReader {
  readonly #scanner: JsonScanner;
  #seen = 0;
  #otherKeys: Set<string> | undefined;
  /** Offset of the method's value; -1 before it was read. */
  #methodStart = -1;
  #methodEnd = -1;
  #id: Span | undefined;
  #params: Span | undefined;
  #paramKeys = 0;
  #result: Span | undefined;
  #resultKeys = 0;
  #error: Span | undefined;
  #inputRequests: Span | undefined;
  /** The first thing wrong with the keys. */
  #problem: string | undefined;
  #hasTwoIds = false;
  #hasAnswerVariant = false;

  constructor(scanner: JsonScanner) {
    this.#scanner = scanner;
  }

  read(): Message {
    const scanner = this.#scanner;
    this.#reset();
    scanner.pos++;
    if (scanner.peek() === CLOSE_BRACE) scanner.pos++;
    else {
      for (;;) {
        const problem = this.#readMember();
        if (problem !== undefined) return this.#malformed(problem);
        const { pos } = scanner;
        const next = scanner.peek();
        scanner.pos++;
        if (next === CLOSE_BRACE) break;
        if (next !== COMMA) {
          // An id that is cut off or followed by something else is not the one that was meant.
          if (this.#id?.end === pos) this.#id = undefined;
          return this.#malformed('not valid JSON');
        }
        scanner.peek();
      }
    }
    if (scanner.peek() !== -1) return this.#malformed(this.#problem ?? 'more than one JSON value on a line');
    return this.#problem === undefined ? this.#classify() : this.#malformed(this.#problem);
  }

  #reset(): void {
    this.#seen = 0;
    this.#otherKeys = undefined;
    this.#methodStart = -1;
    this.#id = undefined;
    this.#params = undefined;
    this.#result = undefined;
    this.#error = undefined;
    this.#inputRequests = undefined;
    this.#problem = undefined;
    this.#hasTwoIds = false;
    this.#hasAnswerVariant = false;
  }

  #readMember(): string | undefined {
    const scanner = this.#scanner;
    const keyStart = scanner.pos;
    const known = protocolKey(scanner.bytes, keyStart, scanner.end);
    const key = known?.bit ?? 0;
    if (known !== undefined) scanner.pos += known.bytes.length;
    else if (!scanner.skipString()) return 'not valid JSON';
    const keyEnd = scanner.pos;
    if (scanner.peek() !== COLON) return 'not valid JSON';
    scanner.pos++;
    const problem = key === 0 ? this.#noteOther(keyStart, keyEnd) : this.#note(key, keyStart, keyEnd);
    // Read on, since whoever sent this waits for an answer under an id that may come later.
    this.#problem ??= problem;
    scanner.peek();
    const start = scanner.pos;
    const { keys } = scanner;
    const isBody = key === RESULT || key === PARAMS;
    if (!(isBody ? this.#readBody() : scanner.skipValue(1))) {
      const what = 'not valid JSON, or nested too deeply';
      scanner.pos = start;
      if (!scanner.skipBrackets()) return what;
      this.#problem ??= what;
    }
    if (key === ID) this.#id = this.#hasTwoIds ? undefined : { start, end: scanner.pos };
    else if (key === METHOD) {
      this.#methodStart = start;
      this.#methodEnd = scanner.pos;
    } else if (key === PARAMS) {
      this.#params = { start, end: scanner.pos };
      this.#paramKeys = scanner.keys - keys;
    } else if (key === RESULT) {
      this.#result = { start, end: scanner.pos };
      this.#resultKeys = scanner.keys - keys;
    } else if (key === ERROR) this.#error = { start, end: scanner.pos };
    return undefined;
  }

  /** Moves past `params` or `result`, one level deep by hand, so that what lies in it for the gate is found on the way. */
  #readBody(): boolean {
    const scanner = this.#scanner;
    if (scanner.peek() !== OPEN_BRACE) return scanner.skipValue(1);
    scanner.pos++;
    if (scanner.peek() === CLOSE_BRACE) {
      scanner.pos++;
      return true;
    }
    for (;;) {
      scanner.peek();
      const keyStart = scanner.pos;
      if (!scanner.skipString()) return false;
      const keyEnd = scanner.pos;
      if (scanner.peek() !== COLON) return false;
      scanner.pos++;
      scanner.keys++;
      scanner.peek();
      const start = scanner.pos;
      if (!scanner.skipValue(2)) return false;
      const kind = inputRequestsKey(scanner.bytes, keyStart, keyEnd);
      // Whoever reads the other one would be asked for what nobody reviewed.
      if (kind === 'variant') this.#problem ??= 'a key is a variant of "inputRequests"';
      if (kind === 'exact' && this.#inputRequests !== undefined) this.#problem ??= 'the key "inputRequests" occurs twice';
      if (kind === 'exact') this.#inputRequests = { start, end: scanner.pos };
      const next = scanner.peek();
      scanner.pos++;
      if (next === CLOSE_BRACE) return true;
      if (next !== COMMA) return false;
    }
  }

  #note(key: number, start: number, end: number): string | undefined {
    if ((this.#seen & key) !== 0) {
      if (key === ID) this.#hasTwoIds = true;
      return `the key ${this.#scanner.bytes.toString('latin1', start, end)} occurs twice`;
    }
    this.#seen |= key;
    return undefined;
  }

  #noteOther(start: number, end: number): string | undefined {
    const key = decodeString(this.#scanner.bytes, start, end);
    if (key === undefined) return 'not valid JSON';
    // A protocol key that is spelt with escapes is a variant too: no client writes one, and it would have passed the byte comparison.
    const variantOf = KEY_NAMES.get(foldKey(key));
    if (variantOf === RESULT || variantOf === ERROR) this.#hasAnswerVariant = true;
    if (variantOf !== undefined) return `the key ${quoteKey(key)} is a variant of a JSON-RPC key`;
    this.#otherKeys ??= new Set();
    if (this.#otherKeys.has(key)) return `the key ${quoteKey(key)} occurs twice`;
    if (this.#otherKeys.size >= MOST_OTHER_KEYS) return 'too many keys';
    this.#otherKeys.add(key);
    return undefined;
  }

  #classify(): Message {
    const hasMethod = (this.#seen & METHOD) !== 0;
    const hasAnswer = this.#hasAnswer();
    if (hasMethod && hasAnswer) return this.#malformed('both a request and an answer');
    // Clients differ in which of the two they take.
    if (this.#isPresent(this.#result) && this.#isPresent(this.#error)) return this.#malformed('both a result and an error');
    if (!hasMethod) {
      if (!hasAnswer) return this.#malformed('neither a request nor an answer');
      const id = this.#answerable();
      // An error has no id if the message that it is about could not be read; anything else is an id that no request has.
      if (id === undefined && !this.#hasNoId()) return this.#malformed('the id is neither a string nor a number');
      return this.#message('response', undefined, id);
    }
    const method = this.#readMethod();
    if (method === undefined) return this.#malformed('the method is not a string');
    if ((this.#seen & ID) === 0) return this.#message('notification', method, undefined);
    const id = this.#answerable();
    if (id === undefined) return this.#malformed('the id is neither a string nor a number');
    return this.#message('request', method, id);
  }

  #readMethod(): string | undefined {
    const { bytes } = this.#scanner;
    const start = this.#methodStart;
    return start !== -1 && bytes[start] === QUOTE ? METHODS.read(bytes, start, this.#methodEnd) : undefined;
  }

  #message(kind: MessageKind, method: string | undefined, id: Span | undefined): Message {
    const { bytes, start, end } = this.#scanner;
    return {
      kind,
      bytes,
      start,
      end,
      method,
      id,
      params: this.#params,
      paramKeys: this.#params === undefined ? 0 : this.#paramKeys,
      // Sloppy peers write the other of the two as null.
      result: this.#isPresent(this.#result) || !this.#isPresent(this.#error) ? this.#result : undefined,
      resultKeys: this.#result === undefined ? 0 : this.#resultKeys,
      error: this.#isPresent(this.#error) || this.#result === undefined ? this.#error : undefined,
      inputRequests: this.#inputRequests,
      hasAnswer: this.#hasAnswer(),
      problem: undefined,
    };
  }

  /** Id and method are given along where they were read already, so that whoever waits for an answer gets one. */
  #malformed(problem: string): Message {
    const method = this.#readMethod();
    return {
      ...withoutParts('malformed', this.#scanner, problem),
      id: this.#answerable(),
      method,
      hasAnswer: this.#hasAnswer(),
    };
  }

  #hasAnswer(): boolean {
    return this.#hasAnswerVariant || (this.#seen & (RESULT | ERROR)) !== 0;
  }

  /** Tells whether there is no id, or it is null. */
  #hasNoId(): boolean {
    return !this.#isPresent(this.#id);
  }

  /** Tells whether a member is there, and not null. */
  #isPresent(member: Span | undefined): boolean {
    return member !== undefined && this.#scanner.bytes[member.start] !== LOWER_N;
  }

  /** The id if an answer can carry it: JSON-RPC 2.0 §4, a string or a number (MCP forbids null). */
  #answerable(): Span | undefined {
    const id = this.#id;
    if (id === undefined) return undefined;
    const { bytes } = this.#scanner;
    const byte = bytes[id.start] as number;
    // An id that no answer could repeat is none: a broken escape, bytes that are no text.
    if (byte === QUOTE) return isText(bytes, id) ? id : undefined;
    return byte === MINUS || (byte >= 0x30 && byte <= 0x39) ? id : undefined;
  }
}

/** Tells whether a string can be repeated: its escapes are valid, its bytes UTF-8. */
function isText(bytes: Buffer, { start, end }: Span): boolean {
  if (decodeString(bytes, start, end) === undefined) return false;
  for (let i = start; i < end; i++) {
    if ((bytes[i] as number) >= 0x80) return Buffer.from(bytes.toString('utf8', start, end)).equals(bytes.subarray(start, end));
  }
  return true;
}
