import { isUtf8 } from 'node:buffer';
import { hash } from 'node:crypto';
import { ExactNumber, isJsonObject, type JsonObject, parseJson } from '../../core/json.ts';
import type { JsonScanner } from '../../protocol/json-scanner.ts';
import { idText, readMessage } from '../../protocol/jsonrpc.ts';
import type { Message, Span } from '../../protocol/message.ts';
import { type IdKey, idKey, plainInteger, spanKey } from './id-key.ts';
import { readValue } from './read-value.ts';

const LINE_FEED = 0x0a;

/** The messages of one line. */
export interface LineMessages {
  readonly isBatch: boolean;
  readonly messages: readonly Message[];
}

/** Longest part that is parsed for a small member only: values take many times as much memory. */
const MOST_SMALL = 1024 * 1024;

/** The object in a part of a message, which honest senders keep small; undefined if it is none, or big. Never throws. */
export function readSmallObject(message: Message, span: Span | undefined): JsonObject | undefined {
  return span === undefined || span.end - span.start > MOST_SMALL ? undefined : readObject(message, span);
}

/** The object in a part of a message; undefined if it is none. Never throws. */
export function readObject(message: Message, span: Span): JsonObject | undefined {
  return readSpan(message.bytes, span.start, span.end);
}

/** The object in `bytes[start..end)`; undefined if there is none. Never throws. */
export function readSpan(bytes: Buffer, start: number, end: number): JsonObject | undefined {
  try {
    const value = readValue(bytes, start, end);
    return isJsonObject(value) ? value : undefined;
  } catch {
    // The scanner checks the grammar but not the insides of strings; those fail here.
    return undefined;
  }
}

/** Shorter lists are parsed at once, which takes a fifth of the time and a few times the memory. */
const MOST_LIST = 8 * 1024 * 1024;

/** The object in `bytes[start..end)` for lists: there are few of them, and clients wait for each. */
export function readList(bytes: Buffer, start: number, end: number): JsonObject | undefined {
  if (end - start > MOST_LIST) return readSpan(bytes, start, end);
  try {
    const value = parseJson(bytes.toString('utf8', start, end));
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Tells whether a whole message is valid UTF-8. */
export function isText({ bytes, start, end }: Message): boolean {
  return isUtf8(bytes.subarray(start, end));
}

/** The message as it was sent. */
export function messageText(message: Message): string {
  return message.bytes.toString('utf8', message.start, message.end);
}

/** Key of a message's id; undefined without one. */
export function keyOf({ bytes, id }: Message): IdKey | undefined {
  return id === undefined ? undefined : spanKey(bytes, id);
}

/** Key of an id that is a plain integer, as ids that clients count up are; undefined for others. */
export function plainKeyOf({ bytes, id }: Message): number | undefined {
  return id === undefined ? undefined : plainInteger(bytes, id);
}

/** The id of a request as JSON text; undefined for a notification. */
export function requestIdOf(message: Message): string | undefined {
  return message.id === undefined ? undefined : idText(message);
}

/** Key of the id that a `notifications/cancelled` names; undefined without a valid one. */
export function cancelledKey(message: Message): IdKey | undefined {
  const id = readSmallObject(message, message.params)?.['requestId'];
  if (typeof id === 'string' || typeof id === 'number') return idKey(JSON.stringify(id));
  return id instanceof ExactNumber ? idKey(id.source) : undefined;
}

/** SHA-256 of a part of a message, in hex. */
export function digestOf(bytes: Buffer, { start, end }: Span): string {
  return hash('sha256', bytes.subarray(start, end), 'hex');
}

/**
 * The messages in lines, grouped by line.
 *
 * @param elements splits a batch; undefined if it is none
 */
export function messagesIn(
  scanner: JsonScanner,
  lines: Buffer,
  elements: (batch: Message) => readonly Message[] | undefined,
): LineMessages[] {
  const found: LineMessages[] = [];
  for (let start = 0; start < lines.length;) {
    const feed = lines.indexOf(LINE_FEED, start);
    const end = feed === -1 ? lines.length : feed;
    const message = readMessage(scanner, lines, start, end);
    const isBatch = message.kind === 'batch';
    found.push({ isBatch, messages: isBatch ? (elements(message) ?? []) : [message] });
    start = end + 1;
  }
  return found;
}

/** The keys of the ids of the requests among messages. */
export function requestKeys(messages: readonly Message[]): IdKey[] {
  return messages.flatMap((message) => {
    const key = message.method === undefined ? undefined : keyOf(message);
    return key === undefined ? [] : [key];
  });
}
