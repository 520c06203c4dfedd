import { createServer, type IncomingMessage, type Server, type ServerOptions, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { bracketed, createAdmission, ownNames } from './admission.ts';
import { type ListenerLimits, usualLimits } from './listener-limits.ts';
import { OpenConnections } from './open-connections.ts';
import { refuse } from './respond.ts';
import type { Target } from './target.ts';

export interface ListenerOptions {
  /** Address to listen on, as in `127.0.0.1`. */
  readonly host: string;
  /** 0 for any free one. */
  readonly port: number;
  /** PEM. */
  readonly tls?: { readonly cert: Buffer; readonly key: Buffer };
  /** What the X-Clawai-Token header of every request must be. */
  readonly token?: string;
  /** Names, beside those of loopback and `host`, under which requests may ask for us. */
  readonly hosts: readonly string[];
  /** Called with every request that was not refused, and may answer later; what it throws becomes a status of 500. */
  readonly handle: (request: IncomingMessage, response: ServerResponse, target: Target) => void;
  /** Is there anything under this target for whoever does not know a secret? Without it, there is under all. */
  readonly isOurs?: (target: Target) => boolean;
  /** Called with what whoever runs the listener should know. */
  readonly warn: (message: string) => void;
  readonly limits?: Partial<ListenerLimits>;
}

export interface Listener {
  /** Scheme, host and the real port: `http://127.0.0.1:4711`. */
  readonly origin: string;
  /** How many there are now. */
  readonly connections: number;
  /** Takes no new connections, closes those that wait for a request, and the others after this many milliseconds or once they are done. */
  close(graceMs: number): Promise<void>;
}

const MAX_HEADER_BYTES = 32 * 1024;

/**
 * Starts to listen. Requests that are not for us, or that could be read in more than one way, are refused before anybody sees them.
 *
 * Rejects with Node's error (`EADDRINUSE`, `EACCES` …) where that address cannot be had.
 */
export async function startListener(options: ListenerOptions): Promise<Listener> {
  const limits = { ...usualLimits(), ...options.limits };
  const server = createHttpServer(options.tls, limits);
  // A burst of connections waits with the system until we get to them; whoever finds that queue full tries again after a second.
  const { port } = await listen(server, { host: options.host, port: options.port, backlog: limits.maxConnections });
  const open = new OpenConnections(server, limits, options.warn);
  // Only now is the port known that requests must name; nothing has been accepted in between, as no turn of the event loop has passed.
  const scheme = options.tls === undefined ? 'http' : 'https';
  const admit = createAdmission(ownNames({ scheme, host: options.host, port, hosts: options.hosts }), options.token);
  const take = (request: IncomingMessage, response: ServerResponse, begin?: () => void): void => {
    if (!open.take(request, response)) return;
    const admitted = admit(request);
    if ('status' in admitted) {
      // What follows an ambiguous request on its connection may be a part of it.
      refuse(response, admitted.status, admitted.message, { connection: 'close' });
      return;
    }
    begin?.();
    open.welcome(request, () => options.isOurs?.(admitted) ?? true);
    try {
      options.handle(request, response, admitted);
    } catch (error) {
      // A bug of ours: it must neither let the request through nor end those of others.
      options.warn(`a request failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
      if (response.headersSent) response.destroy();
      else refuse(response, 500, 'internal error');
    }
  };
  // As where there are no more file descriptors: those who are connected need not suffer.
  server.on('error', (error) => options.warn(`could not accept a connection: ${error.message}`));
  server.on('request', (request, response) => take(request, response));
  // Nobody is invited to send a body that would be refused.
  server.on('checkContinue', (request, response) => take(request, response, () => response.writeContinue()));
  server.on('checkExpectation', (request, response) => take(request, response));
  return {
    origin: `${scheme}://${bracketed(options.host)}:${port}`,
    get connections() {
      return open.count;
    },
    close: (graceMs) => open.close(graceMs),
  };
}

function createHttpServer(tls: ListenerOptions['tls'], limits: ListenerLimits): Server {
  const settings: ServerOptions = {
    headersTimeout: limits.headersTimeout,
    requestTimeout: 0,
    keepAliveTimeout: limits.idleTimeout,
    connectionsCheckingInterval: Math.min(1000, limits.headersTimeout),
    maxHeaderSize: MAX_HEADER_BYTES,
    noDelay: true,
    insecureHTTPParser: false,
    // Ours to check, and to answer as any other name that is not ours.
    requireHostHeader: false,
  };
  const server =
    tls === undefined
      ? createServer(settings)
      : createTlsServer({ ...settings, ...tls, handshakeTimeout: limits.headersTimeout });
  // No limit: Node drops what is beyond, we refuse.
  server.maxHeadersCount = 0;
  return server;
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
