import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type PeerOptions, StdioPeer, type Wire } from './stdio-peer.ts';

/** Streamable HTTP in front of a stdio server. */
export interface HttpBridge {
  readonly url: string;
  /** Ends the servers and the listener. */
  close(): Promise<void>;
}

const META = 'io.modelcontextprotocol/';
const SESSION = 'mcp-session-id';
const MOST_SESSIONS = 4;
const MODERN = { [`${META}protocolVersion`]: '2026-07-28', [`${META}clientCapabilities`]: {} };

/** HTTP status of an error of the modern era; the others go with 200. */
const STATUS: Readonly<Record<number, number>> = { [-32601]: 404, [-32020]: 400, [-32021]: 400, [-32022]: 400 };

/**
 * Puts a stdio server behind loopback HTTP, so that suites which only speak HTTP can look at it: one process for each session
 * of the legacy era, and one for all requests of the modern era, whose state may span requests.
 */
export async function startHttpBridge(options: PeerOptions): Promise<HttpBridge> {
  const sessions = new Map<string, StdioPeer>();
  const peers = new Set<StdioPeer>();
  let modern: Promise<StdioPeer> | undefined;

  function startPeer(): StdioPeer {
    const peer = new StdioPeer(options);
    peers.add(peer);
    void peer.ended.then(() => peers.delete(peer));
    return peer;
  }

  /** A server of both eras settles on one by the first request that does work, which must not be a test's malformed one. */
  function startModernPeer(): Promise<StdioPeer> {
    const peer = startPeer();
    return new Promise((settle) => {
      const opening = { jsonrpc: '2.0', id: 'bridge-opening', method: 'tools/list', params: { _meta: MODERN } };
      peer.request(opening, { send: () => {}, finish: () => settle(peer) });
    });
  }

  /** Suites leave their sessions open, and each is a process: the oldest ones are ended. */
  function openSession(peer: StdioPeer): string {
    const [oldest] = sessions;
    if (oldest !== undefined && sessions.size >= MOST_SESSIONS) {
      sessions.delete(oldest[0]);
      void oldest[1].close();
    }
    const session = randomUUID();
    sessions.set(session, peer);
    return session;
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!isLocal(request.headers.host) || !isLocal(originHost(request.headers.origin))) return refuse(response, 403);
    const session = request.headers[SESSION];
    const known = typeof session === 'string' ? sessions.get(session) : undefined;
    if (session !== undefined && known === undefined) return refuse(response, 404);
    if (request.method === 'POST') return post(request, response, known);
    if (known === undefined) return refuse(response, 405);
    if (request.method === 'GET') return stream(response, known);
    if (request.method !== 'DELETE') return refuse(response, 405);
    sessions.delete(String(session));
    response.writeHead(200).end();
    await known.close();
  }

  async function post(request: IncomingMessage, response: ServerResponse, known: StdioPeer | undefined): Promise<void> {
    let message: Wire;
    try {
      message = JSON.parse(await readText(request)) as Wire;
    } catch {
      return refuse(response, 400); // what is no JSON can't be sent as a line
    }
    const isOpening = message.method === 'initialize' && !isOfModernEra(message);
    const peer = known ?? (isOpening ? startPeer() : await (modern ??= startModernPeer()));
    const headers: Record<string, string> = isOpening ? { [SESSION]: openSession(peer) } : {};
    if (message.method === undefined || message.id === undefined) {
      peer.notify(message);
      response.writeHead(202).end();
      return;
    }
    const isModern = known === undefined && !isOpening;
    const recipient = {
      send: (part: Wire) => writeEvent(response, part, headers),
      finish: (answer: Wire | undefined) => {
        if (answer === undefined) fail(response, peer);
        else if (response.headersSent) response.end(formatEvent(answer));
        else
          response
            .writeHead(isModern ? statusOf(message, answer) : 200, { ...headers, 'content-type': 'application/json' })
            .end(JSON.stringify(answer));
      },
    };
    const cancel = peer.request(message, recipient);
    // Only in the modern era does a closed stream mean that the request is cancelled.
    if (isModern) response.once('close', cancel);
  }

  const listener = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined));
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  // By name, since suites check what a server does about other names.
  const url = `http://localhost:${(listener.address() as AddressInfo).port}/mcp`;
  return {
    url,
    async close() {
      listener.close();
      listener.closeAllConnections();
      await Promise.all([...peers].map((peer) => peer.close()));
    },
  };
}

function refuse(response: ServerResponse, status: number): void {
  response.writeHead(status, { 'content-type': 'text/plain' }).end();
}

/** The server has ended without an answer; a suite quotes what it is told. */
function fail(response: ServerResponse, peer: StdioPeer): void {
  if (response.headersSent) response.destroy();
  else response.writeHead(502, { 'content-type': 'text/plain' }).end(`the server ended: ${peer.lastWords}`);
}

/** The stream of what belongs to no request. */
function stream(response: ServerResponse, peer: StdioPeer): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
  peer.listen((message) => response.write(formatEvent(message)));
  response.once('close', () => peer.listen(undefined));
}

function writeEvent(response: ServerResponse, message: Wire, headers: Readonly<Record<string, string>>): void {
  if (!response.headersSent) response.writeHead(200, { ...headers, 'content-type': 'text/event-stream' });
  response.write(formatEvent(message));
}

function formatEvent(message: Wire): string {
  return `event: message\ndata: ${JSON.stringify(message)}\n\n`;
}

function isOfModernEra({ params }: Wire): boolean {
  return params?.['_meta']?.[`${META}protocolVersion`] !== undefined;
}

function statusOf({ params }: Wire, { error }: Wire): number {
  if (error === undefined) return 200;
  const isIncomplete = Object.keys(MODERN).some((key) => params?.['_meta']?.[key] === undefined);
  return error.code === -32602 && isIncomplete ? 400 : (STATUS[error.code] ?? 200);
}

function originHost(origin: string | undefined): string | undefined {
  return origin === undefined ? 'localhost' : URL.parse(origin)?.host;
}

function isLocal(host: string | undefined): boolean {
  return host !== undefined && /^(localhost|127\.0\.0\.1)(:\d+)?$/.test(host);
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
