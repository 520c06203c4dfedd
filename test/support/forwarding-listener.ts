import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type AddressInfo, type Socket, createServer } from 'node:net';
import { pipeline } from 'node:stream';
import { afterAll, beforeAll } from 'vitest';
import { toDownstreamHeaders, toUpstreamHeaders } from '../../src/transport/http/headers.ts';
import { type Listener, startListener } from '../../src/transport/http/listener.ts';
import { readBody } from '../../src/transport/http/read-body.ts';
import { refuse } from '../../src/transport/http/respond.ts';
import type { Target } from '../../src/transport/http/target.ts';
import { Upstream } from '../../src/transport/http/upstream.ts';

const DROPPED: ReadonlySet<string> = new Set(['cookie']);
/** What the configuration adds to each request. */
const CONFIGURED = { 'X-Api-Key': 'ours' };
const ANSWER = 'HTTP/1.1 200 OK\r\nmcp-session-id: s\r\ncontent-length: 2\r\n\r\nok';

export interface Forwarding {
  readonly listener: Listener;
  /** Host and port of the listener, for Host headers. */
  readonly host: string;
  /** Host and port of the remote server. */
  readonly remote: string;
  /** All bytes that the remote server got in this test file, as Latin-1. */
  readonly received: () => string;
  /** Bytes that it answers the next requests with. */
  answer: string;
}

/** A listener that sends on what it lets through, to a server that takes down the very bytes that reach it. For all tests of a file. */
export function useForwarding(): { readonly current: Forwarding } {
  let forwarding: Forwarding | undefined;
  const sockets = new Set<Socket>();
  let received = '';
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}));
    socket.on('data', (data) => {
      received += data.toString('latin1');
      // Requests here have no body, or one that comes with their head.
      socket.write(forwarding?.answer ?? ANSWER, 'latin1');
    });
  });
  let upstream: Upstream | undefined;
  beforeAll(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const remote = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    const to = new Upstream({ url: new URL(`http://${remote}`) });
    upstream = to;
    const handle = (request: IncomingMessage, response: ServerResponse, target: Target): void => {
      forward(to, request, response, target).catch((error: Error) => refuse(response, 502, error.message));
    };
    const listener = await startListener({ host: '127.0.0.1', port: 0, hosts: [], warn: () => {}, handle });
    forwarding = { listener, host: new URL(listener.origin).host, remote, received: () => received, answer: ANSWER };
  });
  afterAll(async () => {
    await forwarding?.listener.close(0);
    upstream?.close();
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return {
    get current() {
      if (forwarding === undefined) throw new Error('the listener has not been started');
      return forwarding;
    },
  };
}

async function forward(upstream: Upstream, request: IncomingMessage, response: ServerResponse, target: Target): Promise<void> {
  const read = await readBody(request, { limit: 1024 });
  if (read.kind !== 'ok') {
    refuse(response, 400, read.kind);
    return;
  }
  const answer = await upstream.send({
    method: request.method ?? '',
    path: target.path + target.query,
    headers: toUpstreamHeaders(request.rawHeaders, { host: upstream.host, set: CONFIGURED, drop: DROPPED }),
    body: read.body.length === 0 ? undefined : read.body,
  });
  response.writeHead(answer.statusCode ?? 502, toDownstreamHeaders(answer.rawHeaders, { isRewritten: false }));
  pipeline(answer, response, () => {});
}
