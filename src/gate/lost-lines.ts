import { readMessage } from '../protocol/jsonrpc.ts';
import type { JsonScanner } from '../protocol/json-scanner.ts';
import type { Message } from '../protocol/message.ts';
import { keyOf } from './connection.ts';
import type { IdKey } from './id-key.ts';

const LINE_FEED = 0x0a;

/**
 * The requests in lines that were forwarded, by the keys of their ids.
 *
 * @param elements takes a batch apart; undefined where it is none
 */
export function requestKeysIn(
  scanner: JsonScanner,
  lines: Buffer,
  elements: (batch: Message) => readonly Message[] | undefined,
): IdKey[] {
  const keys: IdKey[] = [];
  for (let start = 0; start < lines.length;) {
    const feed = lines.indexOf(LINE_FEED, start);
    const end = feed === -1 ? lines.length : feed;
    const message = readMessage(scanner, lines, start, end);
    for (const part of message.kind === 'batch' ? (elements(message) ?? []) : [message]) {
      const key = part.method === undefined ? undefined : keyOf(part);
      if (key !== undefined) keys.push(key);
    }
    start = end + 1;
  }
  return keys;
}
