import type { JsonScanner } from '../protocol/json-scanner.ts';
import { idText, readMessage } from '../protocol/jsonrpc.ts';
import type { OversizedLine } from '../protocol/ndjson.ts';

/** What can still be told of a message that was too long to be read. */
export interface Remains {
  /** JSON text of its id. */
  readonly id: string | undefined;
  /** It has a method, so it is a request and no answer. */
  readonly isRequest: boolean;
}

/** An id as the last member of an object that is the whole line: SDKs put it there. */
const LAST_ID = /[,{]\s*"id"\s*:\s*("(?:[^"\\]|\\.)*"|-?\d+)\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$/;

/** Looks for the id of an oversized message in its first and last bytes, so that whoever waits for an answer gets one. */
export function readRemains(scanner: JsonScanner, { head, tail }: OversizedLine): Remains {
  const message = readMessage(scanner, head, 0, head.length);
  const id = message.id === undefined ? LAST_ID.exec(tail.toString('utf8'))?.[1] : idText(message);
  return { id, isRequest: message.method !== undefined };
}
