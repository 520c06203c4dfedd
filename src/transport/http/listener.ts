import { createServer, type IncomingMessage, type Server, type ServerOptions, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { bracketed, createAdmission, ownNames } from './admission.ts';
import { type ListenerLimits, usualLimits } from './listener-limits.ts';
import { OpenConnections } from './open-connections.ts';
import { hasBody, refuse } from './respond.ts';
import { parseTarget, type Target } from './target.ts';
import { UpgradeResponse } from './upgrade-response.ts';

export interface ListenerOptions {
  /** Listen address, e.g. `127.0.0.1`. */
  readonly host: string;
  /** 0 picks any free port. */
  readonly port: number;
  /** Certificate and key as PEM. */
  readonly tls?: { readonly cert: Buffer; readonly key: Buffer };
  /** The required value of every request's X-Clawai-Token header. */
  readonly token?: string;
  /** Host names that requests may use besides those of loopback and `host`. */
  readonly hosts: readonly string[];
  /** Called with every admitted request, and may answer later; an exception becomes status 500. */
  readonly handle: (request: IncomingMessage, response: ServerResponse, target: Target) => void;
  /**
   * Tells whether a target may become a WebSocket; its requests then come with an `UpgradeResponse`. By default, none may. Node before 24.9
   * can't tell such requests apart, so there none may either.
   */
  readonly mayUpgrade?: (target: Target) => boolean;
  /** Tells whether a target is ours, so that its connection counts as known. By default every target is. */
  readonly isOurs?: (target: Target) => boolean;
  /** Called with messages for the person who runs the listener. */
  readonly warn: (message: string) => void;
  readonly limits?: Partial<ListenerLimits>;
}

export interface Listener {
  /** Scheme, host and actual port: `http://127.0.0.1:4711`. */
  readonly origin: string;
  /** Open connections. */
  readonly connections: number;
  /** Stops accepting connections, closes idle ones, and closes the others once they are done or after this many milliseconds. */
  close(graceMs: number): Promise<void>;
}

const MAX_HEADER_BYTES = 32 * 1024;

/**
 * Starts to listen. Requests that are not for us, or that are ambiguous, are refused before any handler sees them.
 *
 * Rejects with Node's error (`EADDRINUSE`, `EACCES` …) if the address is not available.
 */
export async function startListener(options: ListenerOptions): Promise<Listener> {
  const limits = { ...usualLimits(), ...options.limits };
  const server = createHttpServer(options, limits);
  // A burst of connections waits in the system's backlog; a client that finds it full retries after a second.
  const { port } = await listen(server, { host: options.host, port: options.port, backlog: limits.maxConnections });
  const open = new OpenConnections(server, limits, options.warn);
  // The port that requests must name is known only now. No connection was accepted in between, since no turn of the event loop has passed.
  const scheme = options.tls === undefined ? 'http' : 'https';
  const admit = createAdmission(ownNames({ scheme, host: options.host, port, hosts: options.hosts }), options.token);
  const take = (request: IncomingMessage, response: ServerResponse, begin?: () => void): void => {
    if (!open.take(request, response)) return;
    const admitted = admit(request);
    if ('status' in admitted) {
      // The bytes after an ambiguous request may be a part of it.
      refuse(response, admitted.status, admitted.message, { connection: 'close' });
      return;
    }
    begin?.();
    open.welcome(request, () => options.isOurs?.(admitted) ?? true);
    try {
      options.handle(request, response, admitted);
    } catch (error) {
      // This is a bug of ours: it must neither let the request through nor end those of others.
      options.warn(`a request failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
      if (response.headersSent) response.destroy();
      else refuse(response, 500, 'internal error');
    }
  };
  // The system may be out of file descriptors; existing connections must not suffer.
  server.on('error', (error) => options.warn(`could not accept a connection: ${error.message}`));
  server.on('request', (request, response) => take(request, response));
  // A client is not invited to send a body that would be refused.
  server.on('checkContinue', (request, response) => take(request, response, () => response.writeContinue()));
  server.on('checkExpectation', (request, response) => take(request, response));
  const closing = new AbortController();
  if ('shouldUpgradeCallback' in server) {
    server.on('upgrade', (request, socket, head) => {
      // Two answers must not mix on one connection.
      if (open.isAnswering(socket)) socket.destroy();
      else take(request, new UpgradeResponse(request, socket as Socket, { head, closing: closing.signal }));
    });
  }
  return {
    origin: `${scheme}://${bracketed(options.host)}:${port}`,
    get connections() {
      return open.count;
    },
    close(graceMs) {
      closing.abort();
      return open.close(graceMs);
    },
  };
}

function createHttpServer({ tls, mayUpgrade }: Pick<ListenerOptions, 'tls' | 'mayUpgrade'>, limits: ListenerLimits): Server {
  const settings: ServerOptions = {
    shouldUpgradeCallback: (request) => isSocketRequest(request, mayUpgrade),
    headersTimeout: limits.headersTimeout,
    requestTimeout: 0,
    keepAliveTimeout: limits.idleTimeout,
    connectionsCheckingInterval: Math.min(1000, limits.headersTimeout),
    maxHeaderSize: MAX_HEADER_BYTES,
    noDelay: true,
    insecureHTTPParser: false,
    // Our admission checks Host, and answers as for any other foreign name.
    requireHostHeader: false,
  };
  const server =
    tls === undefined
      ? createServer(settings)
      : createTlsServer({ ...settings, ...tls, handshakeTimeout: limits.headersTimeout });
  // 0 means no limit: Node would silently drop further headers, while we refuse them.
  server.maxHeadersCount = 0;
  return server;
}

/** Tells whether a request asks for a WebSocket that may be had. Any other one stays HTTP, whatever it asks to become. */
function isSocketRequest(request: IncomingMessage, mayUpgrade: ListenerOptions['mayUpgrade']): boolean {
  const { method, headers, url = '' } = request;
  if (mayUpgrade === undefined || method !== 'GET' || headers.upgrade?.toLowerCase() !== 'websocket' || hasBody(request))
    return false;
  const target = parseTarget(url);
  return typeof target !== 'string' && mayUpgrade(target);
}

function listen(
  server: Server,
  where: { readonly host: string; readonly port: number; readonly backlog: number },
): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(where, () => {
      server.off('error', reject);
      const address = server.address();
      if (address === null || typeof address === 'string') reject(new Error('listening on something that has no port'));
      else resolve(address);
    });
  });
}
