import { readMessage } from '../protocol/jsonrpc.ts';
import type { JsonScanner } from '../protocol/json-scanner.ts';
import type { Message } from '../protocol/message.ts';
import { keyOf } from './message-parts.ts';
import type { IdKey } from './id-key.ts';

const LINE_FEED = 0x0a;

/** The messages of one line. */
export interface LineMessages {
  readonly isBatch: boolean;
  readonly messages: readonly Message[];
}

/**
 * The messages in lines, those of each line together.
 *
 * @param elements takes a batch apart; undefined where it is none
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
