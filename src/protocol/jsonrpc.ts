import { EnvelopeReader } from './envelope-reader.ts';
import type { JsonScanner } from './json-scanner.ts';
import { type Message, type Span, withoutParts } from './message.ts';
import { COMMA, OPEN_BRACKET, CLOSE_BRACKET, OPEN_BRACE } from './json-bytes.ts';

const CARRIAGE_RETURN = 0x0d;

/** JSON-RPC 2.0 §5.1. */
export const PARSE_ERROR = -32700;
export const INVALID_REQUEST = -32600;
export const METHOD_NOT_FOUND = -32601;
export const INVALID_PARAMS = -32602;
export const INTERNAL_ERROR = -32603;

/** MCP 2025-11-25: the server wants the user to open URLs first; they are in the error's data. */
export const URL_ELICITATION_REQUIRED = -32042;

let lastReader: { readonly scanner: JsonScanner; readonly reader: EnvelopeReader } | undefined;

/** The reader that goes with a scanner; each connection has one scanner, and messages come in thousands. */
function readerOf(scanner: JsonScanner): EnvelopeReader {
  if (lastReader?.scanner !== scanner) lastReader = { scanner, reader: new EnvelopeReader(scanner) };
  return lastReader.reader;
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
  if (first === -1) return withoutParts('blank', scanner, undefined);
  if (first === OPEN_BRACKET) return withoutParts('batch', scanner, 'batches are not accepted');
  if (first !== OPEN_BRACE) {
    if (!isByteOrderMark(scanner)) return withoutParts('malformed', scanner, 'not a JSON object');
    scanner.pos += 3;
    if (scanner.peek() !== OPEN_BRACE) return withoutParts('malformed', scanner, 'not a JSON object');
    // Parsers differ on it. It is read on all the same, since whoever sent this waits for an answer.
    return { ...new EnvelopeReader(scanner).read(), kind: 'malformed', problem: 'it begins with a byte order mark' };
  }
  return readerOf(scanner).read();
}

/** Reads the envelope of a line without its line feed, in an object of its own, which others may be read beside. */
export function readLine(scanner: JsonScanner, line: Buffer): Message {
  return { ...readMessage(scanner, line, 0, line.length) };
}

function isByteOrderMark({ bytes, pos }: JsonScanner): boolean {
  return bytes[pos] === 0xef && bytes[pos + 1] === 0xbb && bytes[pos + 2] === 0xbf;
}

/** Messages that a batch may have. Each becomes objects and perhaps an answer and a record, at two bytes on the wire. */
export const MOST_ELEMENTS = 4096;

/**
 * The spans of the elements of the batch in `bytes[start..end)`; undefined if it is not a JSON array with at least one element (JSON-RPC
 * 2.0 §6), or has more than `MOST_ELEMENTS`.
 */
export function readBatch(scanner: JsonScanner, bytes: Buffer, start: number, end: number): Span[] | undefined {
  scanner.reset(bytes, start, end);
  if (!scanner.take(OPEN_BRACKET)) return undefined;
  const elements: Span[] = [];
  do {
    const element = scanner.takeValue(1);
    if (element === undefined || elements.length === MOST_ELEMENTS) return undefined;
    elements.push(element);
  } while (scanner.take(COMMA));
  return scanner.take(CLOSE_BRACKET) && scanner.peek() === -1 ? elements : undefined;
}

/** Text of an id exactly as it was sent, type included; `null` if there is none. */
export function idText(message: Pick<Message, 'id' | 'bytes'>): string {
  return message.id === undefined ? 'null' : message.bytes.toString('utf8', message.id.start, message.id.end);
}
