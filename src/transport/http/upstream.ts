import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { connect, type ConnectOptions } from './connect.ts';
import { hasForbiddenCharacter } from './headers.ts';
import type { HttpRequest } from './http-client.ts';
import { UpstreamConnections } from './upstream-connections.ts';
import { UpstreamFault } from './upstream-fault.ts';
import { UpstreamHandler } from './upstream-handler.ts';
import type { UpstreamResponse } from './upstream-response.ts';

const CONNECT_TIMEOUT = 10_000;
/** Methods that need a Content-Length even without a body (RFC 9110 8.6). */
const EXPECTING_BODY = new Set(['POST', 'PUT', 'PATCH']);

export interface UpstreamOptions {
  /** The remote server's URL, http or https. Only its scheme, host and port count. */
  readonly url: URL;
  /** SHA-256 of the server's required public key (DER SubjectPublicKeyInfo): `sha256:` and 64 hexadecimal digits. */
  readonly tlsFingerprint?: string;
  /** Milliseconds to establish a connection, TLS included. */
  readonly connectTimeout?: number;
}

export interface UpstreamRequest {
  readonly method: string;
  /** Path and query, percent-encoded. */
  readonly path: string;
  /** Name, value, name, value; with Host, and without Content-Length, Transfer-Encoding and Connection, which are set here. */
  readonly headers: readonly string[];
  /** A stream is sent as it comes, with the length and encoding of the headers. */
  readonly body: Buffer | Readable | undefined;
  /** Aborts the request, and the response if there is one. */
  readonly signal?: AbortSignal | undefined;
  /** Called at once with the function that aborts it, which is cheaper than a signal. */
  readonly onStart?: (abort: (reason: Error) => void) => void;
}

/**
 * A remote server and its reusable connections. Redirects are not followed, and nothing is sent twice: a request whose connection breaks
 * may have been processed.
 */
export class Upstream {
  /** The value for the Host header: the name, and the port unless it is the scheme's default. */
  readonly host: string;
  /** Scheme, host and port. */
  readonly origin: string;
  readonly #options: ConnectOptions;
  readonly #connections: UpstreamConnections;

  constructor({ url, tlsFingerprint, connectTimeout = CONNECT_TIMEOUT }: UpstreamOptions) {
    this.host = url.host;
    this.origin = url.origin;
    this.#options = { url, tlsFingerprint, timeout: connectTimeout };
    this.#connections = new UpstreamConnections({ url, tlsFingerprint, connectTimeout });
  }

  /**
   * Sends a request and resolves with the response once its headers are complete; the caller must read or destroy its body.
   *
   * Rejects with an UpstreamFault, or with the reason of an abort. A later error is one of the response.
   */
  send({ method, path, headers, body, signal, onStart }: UpstreamRequest): Promise<UpstreamResponse> {
    const { promise, resolve, reject } = Promise.withResolvers<UpstreamResponse>();
    if (hasForbiddenCharacter(headers)) {
      reject(new UpstreamFault('protocol', `cannot reach ${this.origin}: a header has a character that HTTP does not allow`));
      return promise;
    }
    const bytes = body instanceof Readable ? undefined : body;
    const lines = [...headers];
    if (bytes !== undefined || (body === undefined && EXPECTING_BODY.has(method))) {
      lines.push('content-length', String(bytes?.length ?? 0));
    }
    const handler = new UpstreamHandler({ origin: this.origin, resolve, reject, signal });
    onStart?.((reason) => handler.abort(reason));
    if (!handler.isGivenUp) {
      this.#connections.dispatch({ method: method as HttpRequest['method'], path, headers: lines, body: body ?? null }, handler);
    }
    return promise;
  }

  /** Opens a connection that belongs to the caller alone. @param done called once, with an UpstreamFault or the socket */
  connect(done: (fault: UpstreamFault | null, socket?: Socket) => void): void {
    connect(this.#options, done);
  }

  /** Closes all shared connections, even those with a request in flight. */
  close(): void {
    this.#connections.close(new UpstreamFault('reset', `cannot reach ${this.origin}: clawai is shutting down`));
  }
}
