import type { JsonScanner } from '../protocol/json-scanner.ts';
import { idText, readMessage } from '../protocol/jsonrpc.ts';
import type { OversizedLine } from '../protocol/ndjson.ts';

/** What can still be told of a message that was too long to be read. */
export interface Remains {
  /** JSON text of its id. */
  readonly id: string | undefined;
  /** It has a method, so it is a request and no answer. */
  readonly isRequest: boolean;
  /** It has a result or an error. */
  readonly isAnswer: boolean;
}

/** An id as the last member of an object that is the whole line: SDKs put it there. */
const LAST_ID = /[,{]\s*"id"\s*:\s*("(?:[^"\\]|\\.)*"|-?\d+)\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$/;

/** Looks for the id of an oversized message in its first and last bytes, so that whoever waits for an answer gets one. */
export function readRemains(scanner: JsonScanner, { head, tail }: OversizedLine): Remains {
  const message = readMessage(scanner, head, 0, head.length);
  const id = message.id === undefined ? lastId(scanner, tail) : idText(message);
  return { id, isRequest: message.method !== undefined, isAnswer: message.method === undefined && message.hasAnswer };
}

function lastId(scanner: JsonScanner, tail: Buffer): string | undefined {
  const text = LAST_ID.exec(tail.toString('utf8'))?.[1];
  if (text === undefined) return undefined;
  // Read as an id would be, so that one that no answer can repeat is none.
  const bytes = Buffer.from(`{"id":${text},"method":""}`);
  return readMessage(scanner, bytes, 0, bytes.length).id === undefined ? undefined : text;
}
