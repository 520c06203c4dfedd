import { Agent, type IncomingMessage, request as sendRequest } from 'node:http';
import { pipeline, Readable } from 'node:stream';
import { connect } from './connect.ts';
import { hasForbiddenCharacter } from './headers.ts';
import { UpstreamFault, toUpstreamFault } from './upstream-fault.ts';

/** Milliseconds that a connection is kept for the next request; fewer where the server says so. */
const IDLE = 15_000;
const CONNECT_TIMEOUT = 10_000;
/** Of a response. */
const MAX_HEADER_BYTES = 32 * 1024;
/** Methods whose requests have a Content-Length also where they have no body (RFC 9110 8.6). */
const EXPECTING_BODY = new Set(['POST', 'PUT', 'PATCH']);

export interface UpstreamOptions {
  /** Of the remote server, http or https. Only its scheme, host and port count. */
  readonly url: URL;
  /** SHA-256 of the public key (DER SubjectPublicKeyInfo) that the server must have: `sha256:` and 64 hexadecimal digits. */
  readonly tlsFingerprint?: string;
  /** Milliseconds until there must be a connection, TLS included. */
  readonly connectTimeout?: number;
}

export interface UpstreamRequest {
  readonly method: string;
  /** Path and query, percent-encoded. */
  readonly path: string;
  /** Name, value, name, value; with Host, and without Content-Length, Transfer-Encoding and Connection, which are set here. */
  readonly headers: readonly string[];
  /** A stream goes on as it comes, with the length and encoding that the headers say. */
  readonly body: Buffer | Readable | undefined;
  /** Ends the request, and the response where there is one. */
  readonly signal?: AbortSignal;
}

/**
 * A remote server and the connections to it, which are kept and used again. Redirects are not followed, and nothing is sent twice: a
 * request whose connection breaks may have been processed.
 */
export class Upstream {
  /** For the Host header: name, and port where it is not the scheme's. */
  readonly host: string;
  readonly #origin: string;
  readonly #agent: Agent;

  constructor({ url, tlsFingerprint, connectTimeout = CONNECT_TIMEOUT }: UpstreamOptions) {
    this.host = url.host;
    this.#origin = url.origin;
    this.#agent = new Agent({ keepAlive: true, timeout: IDLE });
    // Returns nothing: Node waits for the callback then, and writes to a socket only after it was handed over.
    this.#agent.createConnection = (_options, done) => {
      connect({ url, tlsFingerprint, timeout: connectTimeout }, (fault, socket) => {
        if (socket === undefined) (done as FailedConnection)(fault);
        else done?.(null, socket);
      });
      return undefined;
    };
  }

  /**
   * Sends a request and resolves with the response once its headers are there; its body is the caller's to read or destroy.
   *
   * Rejects with an UpstreamFault, or with the signal's reason where that ended it. An error after the headers is one of the response.
   */
  send({ method, path, headers, body, signal }: UpstreamRequest): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      if (hasForbiddenCharacter(headers)) {
        reject(new UpstreamFault('protocol', `cannot ask ${this.#origin}: a header has a character that HTTP does not allow`));
        return;
      }
      const lines = [...headers];
      const bytes = body instanceof Readable ? undefined : body;
      if (bytes !== undefined || (body === undefined && EXPECTING_BODY.has(method))) {
        lines.push('content-length', String(bytes?.length ?? 0));
      }
      const fail = (error: Error): void =>
        reject(signal?.aborted === true ? signal.reason : toUpstreamFault(error, this.#origin));
      try {
        const request = sendRequest({
          agent: this.#agent,
          host: this.host,
          method,
          path,
          headers: lines,
          maxHeaderSize: MAX_HEADER_BYTES,
          ...(signal === undefined ? {} : { signal }),
        });
        // No limit: Node would drop what is beyond without a word.
        request.maxHeadersCount = 0;
        request.on('error', fail);
        request.on('response', resolve);
        request.on('upgrade', (_response, socket) => {
          socket.destroy();
          fail(new UpstreamFault('protocol', `cannot ask ${this.#origin}: it switched to another protocol`));
        });
        if (body instanceof Readable) pipeline(body, request, () => {});
        else request.end(body);
      } catch (error) {
        // Node refuses methods and paths that would end the request line.
        reject(
          new UpstreamFault('protocol', `cannot ask ${this.#origin}: the method or path is not one of HTTP`, { cause: error }),
        );
      }
    });
  }

  /** Closes all connections, also those with a request on its way. */
  close(): void {
    this.#agent.destroy();
  }
}

/** Node's types ask for a socket also where there is an error. */
type FailedConnection = (error: Error | null) => void;
