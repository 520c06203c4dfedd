import { INTERNAL_ERROR, INVALID_REQUEST } from '../protocol/jsonrpc.ts';
import type { OversizedLine } from '../protocol/ndjson.ts';
import type { Connection } from './connection.ts';
import { failRequest } from './failure.ts';
import { idKey } from './id-key.ts';
import { readRemains } from './remains.ts';
import { errorLine } from './reply.ts';
import { DROP, type Verdict } from './verdict.ts';

/** What is known of a message that was too long to be read. */
const NOTHING_READ = { bytes: Buffer.alloc(0), method: undefined, id: undefined };

/** A line from the client that was too long to be read. It goes nowhere, and whoever waits for its answer gets one. */
export function refuseOversizedOfClient(connection: Connection, line: OversizedLine): Verdict {
  const { census, scanner, fromServer } = connection;
  census.countClient('(oversized)');
  const { id, isRequest, isAnswer } = readRemains(scanner, line);
  const why = `clawai refused a message of ${line.length} bytes, which is more than it takes`;
  connection.noteRefusal('client', NOTHING_READ, `${line.length} bytes long`);
  const isAwaited = !isRequest && id !== undefined && fromServer.take(idKey(id)) !== undefined;
  if (isAwaited) return { kind: 'replace', line: errorLine(id, INTERNAL_ERROR, why) };
  // The client may have a request of its own under that id.
  if (isAnswer) return DROP;
  return { kind: 'reply', line: errorLine(id ?? 'null', INVALID_REQUEST, why) };
}

/** A line from the server that was too long to be read. */
export function refuseOversizedOfServer(connection: Connection, line: OversizedLine): Verdict {
  const { census, scanner, fromClient } = connection;
  census.countServer('(oversized)');
  const { id, isAnswer } = readRemains(scanner, line);
  const why = `clawai refused a message of ${line.length} bytes from the server, which is more than it takes`;
  connection.noteRefusal('server', NOTHING_READ, `${line.length} bytes long`);
  if (id === undefined) return DROP;
  // A request whose params come first shows no method; its id is the server's own and must not end a request of the client's.
  if (!isAnswer) return { kind: 'reply', line: errorLine(id, INVALID_REQUEST, why) };
  const key = idKey(id);
  return fromClient.get(key) === undefined ? DROP : { kind: 'replace', line: failRequest(connection, key, why) };
}
