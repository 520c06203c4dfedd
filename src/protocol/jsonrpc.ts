import { decodeString, foldKey } from './json-key.ts';
import type { JsonScanner } from './json-scanner.ts';

const COMMA = 0x2c;
const COLON = 0x3a;
const QUOTE = 0x22;
const OPEN_BRACKET = 0x5b;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const CARRIAGE_RETURN = 0x0d;
const MINUS = 0x2d;

/** JSON-RPC 2.0 §5.1. */
export const PARSE_ERROR = -32700;
export const INVALID_REQUEST = -32600;

/** A range of bytes, `end` exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** What a line is, as far as its envelope tells. */
export type MessageKind = 'request' | 'notification' | 'response' | 'batch' | 'blank' | 'malformed';

/** Envelope of one JSON-RPC message: where its parts lie in the line, nothing of them copied. */
export interface Message {
  readonly kind: MessageKind;
  readonly bytes: Buffer;
  /** Set on requests and notifications. */
  readonly method: string | undefined;
  /** Absent on notifications. */
  readonly id: Span | undefined;
  readonly params: Span | undefined;
  /** What is wrong, in words for the sender; set on `malformed` and `batch`. */
  readonly problem: string | undefined;
}

/** Bits in the set of protocol keys that a message was seen to have. */
const JSONRPC = 1;
const ID = 2;
const METHOD = 4;
const PARAMS = 8;
const RESULT = 16;
const ERROR = 32;
const KEY_NAMES = new Map([
  ['jsonrpc', JSONRPC],
  ['id', ID],
  ['method', METHOD],
  ['params', PARAMS],
  ['result', RESULT],
  ['error', ERROR],
]);
const KEY_BYTES = [...KEY_NAMES].map(([name, bit]) => ({ bit, bytes: Buffer.from(`"${name}"`) }));

/** Bit of the protocol key that is written in `bytes[start..end)`, quotes included; 0 for any other. No string is made. */
function protocolKey(bytes: Buffer, start: number, end: number): number {
  const length = end - start;
  const second = bytes[start + 1];
  for (const key of KEY_BYTES) {
    if (key.bytes.length !== length || key.bytes[1] !== second) continue;
    let i = 2;
    while (i < length && bytes[start + i] === key.bytes[i]) i++;
    if (i === length) return key.bit;
  }
  return 0;
}

/**
 * Reads the envelope of the message in `bytes[start..end)`, one line without its line feed.
 *
 * Strict where parsers are known to differ: keys that occur twice, protocol keys in other letter case or with a NUL appended,
 * ids that JSON-RPC doesn't have. Never throws.
 */
export function readMessage(scanner: JsonScanner, bytes: Buffer, start: number, end: number): Message {
  // Clients on Windows may end lines with CR LF.
  const last = end > start && bytes[end - 1] === CARRIAGE_RETURN ? end - 1 : end;
  scanner.reset(bytes, start, last);
  const first = scanner.peek();
  if (first === -1) return outcome('blank', bytes, undefined);
  if (first === OPEN_BRACKET) return outcome('batch', bytes, 'batches are not accepted');
  if (first !== OPEN_BRACE) return outcome('malformed', bytes, 'not a JSON object');
  return new EnvelopeReader(scanner).read();
}

function outcome(kind: MessageKind, bytes: Buffer, problem: string | undefined, id?: Span): Message {
  return { kind, bytes, method: undefined, id, params: undefined, problem };
}

class EnvelopeReader {
  readonly #scanner: JsonScanner;
  #seen = 0;
  #otherKeys: Set<string> | undefined;
  #method: Span | undefined;
  #id: Span | undefined;
  #params: Span | undefined;

  constructor(scanner: JsonScanner) {
    this.#scanner = scanner;
  }

  read(): Message {
    const scanner = this.#scanner;
    const { bytes } = scanner;
    scanner.pos++;
    if (scanner.peek() === CLOSE_BRACE) scanner.pos++;
    else {
      for (;;) {
        const problem = this.#readMember();
        // The id is given along where it was read already, so that whoever waits for an answer gets one.
        if (problem !== undefined) return outcome('malformed', bytes, problem, this.#answerable());
        const next = scanner.peek();
        scanner.pos++;
        if (next === CLOSE_BRACE) break;
        if (next !== COMMA) return outcome('malformed', bytes, 'not valid JSON', this.#answerable());
        scanner.peek();
      }
    }
    if (scanner.peek() !== -1) return outcome('malformed', bytes, 'more than one JSON value on a line', this.#answerable());
    return this.#classify();
  }

  #readMember(): string | undefined {
    const scanner = this.#scanner;
    const keyStart = scanner.pos;
    if (!scanner.skipString()) return 'not valid JSON';
    const keyEnd = scanner.pos;
    if (scanner.peek() !== COLON) return 'not valid JSON';
    scanner.pos++;
    const key = protocolKey(scanner.bytes, keyStart, keyEnd);
    const problem = key === 0 ? this.#noteOther(keyStart, keyEnd) : this.#note(key, keyStart, keyEnd);
    if (problem !== undefined) return problem;
    scanner.peek();
    const start = scanner.pos;
    if (!scanner.skipValue(1)) return 'not valid JSON, or nested too deeply';
    if (key === ID) this.#id = { start, end: scanner.pos };
    else if (key === METHOD) this.#method = { start, end: scanner.pos };
    else if (key === PARAMS) this.#params = { start, end: scanner.pos };
    return undefined;
  }

  #note(key: number, start: number, end: number): string | undefined {
    if ((this.#seen & key) !== 0) return `the key ${this.#scanner.bytes.toString('latin1', start, end)} occurs twice`;
    this.#seen |= key;
    return undefined;
  }

  #noteOther(start: number, end: number): string | undefined {
    const key = decodeString(this.#scanner.bytes, start, end);
    if (key === undefined) return 'not valid JSON';
    // Also a protocol key that is spelt with escapes: no client writes one, and it would have passed the byte comparison.
    if (KEY_NAMES.has(foldKey(key))) return `the key ${JSON.stringify(key)} is a variant of a JSON-RPC key`;
    this.#otherKeys ??= new Set();
    if (this.#otherKeys.has(key)) return `the key ${JSON.stringify(key)} occurs twice`;
    this.#otherKeys.add(key);
    return undefined;
  }

  #classify(): Message {
    const { bytes } = this.#scanner;
    const hasMethod = (this.#seen & METHOD) !== 0;
    const hasAnswer = (this.#seen & (RESULT | ERROR)) !== 0;
    if (hasMethod && hasAnswer) return outcome('malformed', bytes, 'both a request and an answer', this.#answerable());
    if (!hasMethod) {
      if (!hasAnswer) return outcome('malformed', bytes, 'neither a request nor an answer', this.#answerable());
      return { kind: 'response', bytes, method: undefined, id: this.#id, params: undefined, problem: undefined };
    }
    const span = this.#method as Span;
    const method = bytes[span.start] === QUOTE ? decodeString(bytes, span.start, span.end) : undefined;
    if (method === undefined) return outcome('malformed', bytes, 'the method is not a string', this.#answerable());
    if ((this.#seen & ID) === 0) {
      return { kind: 'notification', bytes, method, id: undefined, params: this.#params, problem: undefined };
    }
    const id = this.#answerable();
    if (id === undefined) return outcome('malformed', bytes, 'the id is neither a string nor a number');
    return { kind: 'request', bytes, method, id, params: this.#params, problem: undefined };
  }

  /** The id if an answer can carry it: JSON-RPC 2.0 §4, a string or a number (MCP forbids null). */
  #answerable(): Span | undefined {
    const id = this.#id;
    if (id === undefined) return undefined;
    const byte = this.#scanner.bytes[id.start] as number;
    return byte === QUOTE || byte === MINUS || (byte >= 0x30 && byte <= 0x39) ? id : undefined;
  }
}

/** Text of an id exactly as it was sent, type included; `null` where there is none. */
export function idText(message: Message): string {
  return message.id === undefined ? 'null' : message.bytes.toString('utf8', message.id.start, message.id.end);
}
