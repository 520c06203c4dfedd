import { Readable } from 'node:stream';
import { type Dispatcher, Pool } from 'undici';
import { connect } from './connect.ts';
import { hasForbiddenCharacter } from './headers.ts';
import { UpstreamFault, toUpstreamFault } from './upstream-fault.ts';
import { UpstreamResponse } from './upstream-response.ts';

/** Milliseconds that a connection is kept for the next request; fewer where the server says so. Some servers close theirs after five seconds, unsaid. */
const IDLE = 4_000;
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
  /** Called at once with what ends it, which costs less than a signal. */
  readonly onStart?: (abort: (reason: Error) => void) => void;
}

/**
 * A remote server and the connections to it, which are kept and used again. Redirects are not followed, and nothing is sent twice: a
 * request whose connection breaks may have been processed.
 */
export class Upstream {
  /** For the Host header: name, and port where it is not the scheme's. */
  readonly host: string;
  readonly #origin: string;
  readonly #pool: Pool;

  constructor({ url, tlsFingerprint, connectTimeout = CONNECT_TIMEOUT }: UpstreamOptions) {
    this.host = url.host;
    this.#origin = url.origin;
    this.#pool = new Pool(url.origin, {
      connect: (_options, done) => {
        connect({ url, tlsFingerprint, timeout: connectTimeout }, (fault, socket) => {
          if (socket === undefined) done(fault ?? new Error('no connection'), null);
          else done(null, socket);
        });
      },
      connections: null,
      pipelining: 1,
      allowH2: false,
      // Calls take as long as they take, and streams last for hours.
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveTimeout: IDLE,
      keepAliveMaxTimeout: IDLE,
      maxHeaderSize: MAX_HEADER_BYTES,
    });
  }

  /**
   * Sends a request and resolves with the response once its headers are there; its body is the caller's to read or destroy.
   *
   * Rejects with an UpstreamFault, or with the signal's reason where that ended it. An error after the headers is one of the response.
   */
  send({ method, path, headers, body, signal, onStart }: UpstreamRequest): Promise<UpstreamResponse> {
    return new Promise((resolve, reject) => {
      if (hasForbiddenCharacter(headers)) {
        reject(new UpstreamFault('protocol', `cannot ask ${this.#origin}: a header has a character that HTTP does not allow`));
        return;
      }
      const bytes = body instanceof Readable ? undefined : body;
      const lines = [...headers];
      if (bytes !== undefined || (body === undefined && EXPECTING_BODY.has(method))) {
        lines.push('content-length', String(bytes?.length ?? 0));
      }
      const handler = new Handler({ origin: this.#origin, resolve, reject, onStart });
      if (signal?.aborted === true) {
        reject(signal.reason);
        return;
      }
      signal?.addEventListener('abort', () => handler.abort(signal.reason), { once: true });
      try {
        this.#pool.dispatch({ method: method as Dispatcher.HttpMethod, path, headers: lines, body: body ?? null }, handler);
      } catch (error) {
        // Methods and paths that would end the request line are refused.
        reject(
          new UpstreamFault('protocol', `cannot ask ${this.#origin}: the method or path is not one of HTTP`, { cause: error }),
        );
      }
    });
  }

  /** Closes all connections, also those with a request on its way. */
  close(): void {
    void this.#pool.destroy(new UpstreamFault('reset', `cannot ask ${this.#origin}: clawai is ending`)).catch(() => {});
  }
}

interface HandlerOptions {
  readonly onStart: UpstreamRequest['onStart'] | undefined;
  readonly origin: string;
  readonly resolve: (response: UpstreamResponse) => void;
  readonly reject: (reason: unknown) => void;
}

/** One request on its way. */
class Handler implements Dispatcher.DispatchHandler {
  readonly #options: HandlerOptions;
  #controller: Dispatcher.DispatchController | undefined;
  #response: UpstreamResponse | undefined;
  #reason: { readonly given: unknown } | undefined;

  constructor(options: HandlerOptions) {
    this.#options = options;
    options.onStart?.((reason) => this.abort(reason));
  }

  /** Gives the request up, and its response where there is one. */
  abort(given: unknown): void {
    this.#reason ??= { given };
    this.#controller?.abort(toError(given));
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#reason !== undefined) controller.abort(toError(this.#reason.given));
  }

  onRequestUpgrade(controller: Dispatcher.DispatchController): void {
    controller.abort(new UpstreamFault('protocol', `cannot ask ${this.#options.origin}: it switched to another protocol`));
  }

  onResponseStart(controller: Dispatcher.DispatchController, statusCode: number): void {
    // Before the response itself there may be informational ones.
    if (statusCode < 200 && statusCode !== 101) return;
    this.#response = new UpstreamResponse(statusCode, textsOf(controller.rawHeaders), controller);
    this.#options.resolve(this.#response);
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#response?.deliver(chunk);
  }

  onResponseEnd(): void {
    this.#response?.finish();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    const { origin, reject } = this.#options;
    if (this.#response !== undefined) this.#response.break(error);
    else reject(this.#reason === undefined ? toUpstreamFault(error, origin) : this.#reason.given);
  }
}

function textsOf(raw: Dispatcher.DispatchController['rawHeaders']): readonly string[] {
  return Array.isArray(raw)
    ? raw.map((part: Buffer | string) => (typeof part === 'string' ? part : part.toString('latin1')))
    : [];
}

function toError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(String(reason));
}
