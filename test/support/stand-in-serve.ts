import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { writeServeRecord, type ServeRecord } from '../../src/remote/serve-record.ts';

export interface StandInServe {
  /** Its origin. */
  readonly url: string;
  readonly record: ServeRecord;
  /** Answers no more, and takes its record away. */
  readonly close: () => Promise<void>;
}

type Answer = (request: IncomingMessage, response: ServerResponse, record: ServeRecord) => void;

const healthy: Answer = (request, response, { id, version }) => {
  const isHealth = request.url === '/healthz';
  response.writeHead(isHealth ? 200 : 404, { 'content-type': 'application/json' });
  response.end(isHealth ? JSON.stringify({ status: 'ok', id, version }) : '');
};

/** Stands in for a running `clawai serve`, as other commands see it: a record in the folder of the state, and `/healthz`. */
export async function startStandIn(stateDir: string, answer: Answer = healthy): Promise<StandInServe> {
  const server = createServer((request, response) => answer(request, response, record));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const record = { pid: process.pid, started: new Date().toISOString(), id: `stand-in ${url}`, url, version: '1.2.3' };
  const remove = writeServeRecord(stateDir, record);
  return {
    url,
    record,
    async close() {
      remove();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
