import type { JsonScanner } from '../../protocol/json-scanner.ts';
import { idText, INTERNAL_ERROR, INVALID_REQUEST, readMessage } from '../../protocol/jsonrpc.ts';
import type { OversizedLine } from '../../protocol/ndjson.ts';
import type { Connection } from '../connection.ts';
import { failRequest } from '../answers/deliver.ts';
import { idKey } from './id-key.ts';
import { errorLine } from '../calls/reply.ts';
import { DROP, type Verdict } from '../verdict.ts';

/** The facts that the ends of an oversized message show. */
interface OversizedFacts {
  /** JSON text of its id. */
  readonly id: string | undefined;
  /** True if it has a method, which makes it a request. */
  readonly isRequest: boolean;
  /** True if it has a result or an error. */
  readonly isAnswer: boolean;
}

/** Matches an id that is the last member of the line's object: SDKs put it there. */
const LAST_ID = /[,{]\s*"id"\s*:\s*("(?:[^"\\]|\\.)*"|-?\d+)\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$/;

/** The refused message for the record, since nothing of it was read. */
const NOTHING_READ = { bytes: Buffer.alloc(0), method: undefined, id: undefined };

/** Refuses a client's line that is too long to read; whoever waits for its answer gets one. */
export function refuseOversizedOfClient(connection: Connection, line: OversizedLine): Verdict {
  const { tally, scanner, fromServer } = connection;
  tally.countClient('(oversized)');
  const { id, isRequest, isAnswer } = readOversized(scanner, line);
  const why = `clawai refused a message of ${line.length} bytes, which is more than it accepts`;
  connection.noteRefusal('client', NOTHING_READ, `${line.length} bytes long`);
  const isAwaited = !isRequest && id !== undefined && fromServer.take(idKey(id)) !== undefined;
  if (isAwaited) return { kind: 'replace', line: errorLine(id, INTERNAL_ERROR, why) };
  // The client may have a request of its own under that id.
  if (isAnswer) return DROP;
  return { kind: 'reply', line: errorLine(id ?? 'null', INVALID_REQUEST, why) };
}

/** Refuses a server's line that is too long to read. */
export function refuseOversizedOfServer(connection: Connection, line: OversizedLine): Verdict {
  const { tally, scanner, fromClient } = connection;
  tally.countServer('(oversized)');
  const { id, isAnswer } = readOversized(scanner, line);
  const why = `clawai refused a message of ${line.length} bytes from the server, which is more than it accepts`;
  connection.noteRefusal('server', NOTHING_READ, `${line.length} bytes long`);
  if (id === undefined) return DROP;
  // A request whose params come first shows no method; its id is the server's own and must not end a client's request.
  if (!isAnswer) return { kind: 'reply', line: errorLine(id, INVALID_REQUEST, why) };
  const key = idKey(id);
  return fromClient.get(key) === undefined ? DROP : { kind: 'replace', line: failRequest(connection, key, why) };
}

/** Reads the id and kind of an oversized message from its first and last bytes, so that whoever waits for an answer gets one. */
export function readOversized(scanner: JsonScanner, { head, tail }: OversizedLine): OversizedFacts {
  const message = readMessage(scanner, head, 0, head.length);
  const id = message.id === undefined ? lastId(scanner, tail) : idText(message);
  return { id, isRequest: message.method !== undefined, isAnswer: message.method === undefined && message.hasAnswer };
}

function lastId(scanner: JsonScanner, tail: Buffer): string | undefined {
  const text = LAST_ID.exec(tail.toString('utf8'))?.[1];
  if (text === undefined) return undefined;
  // Parsed as an id would be, to reject an id that no answer can repeat.
  const bytes = Buffer.from(`{"id":${text},"method":""}`);
  return readMessage(scanner, bytes, 0, bytes.length).id === undefined ? undefined : text;
}
