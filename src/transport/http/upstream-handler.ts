import type { HttpControl, HttpHandler } from './http-client.ts';
import { UpstreamFault, toUpstreamFault } from './upstream-fault.ts';
import { UpstreamResponse } from './upstream-response.ts';

const SWITCHING_PROTOCOLS = 101;

export interface UpstreamHandlerOptions {
  /** Scheme, host and port, for messages. */
  readonly origin: string;
  readonly resolve: (response: UpstreamResponse) => void;
  /** Called with an UpstreamFault, or with the reason of the abort. */
  readonly reject: (reason: unknown) => void;
  /** Aborts the request. */
  readonly signal: AbortSignal | undefined;
}

/** The connection that a request occupies, released when the request is over. */
export interface RequestPlace {
  release(): void;
}

/** Handles undici's events of one request in flight. */
export class UpstreamHandler implements HttpHandler {
  /**
   * Released once, when the request is over. It is an object, since a closure per request would outlive the request and keep its memory.
   */
  place: RequestPlace | undefined;
  readonly #options: UpstreamHandlerOptions;
  #controller: HttpControl | undefined;
  #response: UpstreamResponse | undefined;
  #givenUp: { readonly reason: unknown } | undefined;
  #onSignal: (() => void) | undefined;

  constructor(options: UpstreamHandlerOptions) {
    this.#options = options;
    const { signal } = options;
    if (signal?.aborted === true) this.abort(signal.reason);
    else if (signal !== undefined) signal.addEventListener('abort', (this.#onSignal = () => this.abort(signal.reason)));
  }

  get isGivenUp(): boolean {
    return this.#givenUp !== undefined;
  }

  /** Aborts the request, and its response if there is one. Unsent bytes are not sent any more. */
  abort(reason: unknown): void {
    if (this.#givenUp !== undefined) return;
    this.#givenUp = { reason };
    this.#options.reject(reason);
    this.#controller?.abort(toError(reason));
  }

  /** Ends a response whose connection broke, before undici interprets the break. */
  breakResponse(error: Error): void {
    this.#response?.break(error);
  }

  onRequestStart(controller: HttpControl): void {
    this.#controller = controller;
    if (this.#givenUp !== undefined) controller.abort(toError(this.#givenUp.reason));
  }

  onResponseStart(controller: HttpControl, statusCode: number): void {
    if (statusCode === SWITCHING_PROTOCOLS) {
      controller.abort(new UpstreamFault('protocol', `cannot reach ${this.#options.origin}: it switched to another protocol`));
      return;
    }
    // Informational responses may come before the actual one.
    if (statusCode < 200) return;
    this.#response = new UpstreamResponse(statusCode, textsOf(controller.rawHeaders), controller);
    this.#options.resolve(this.#response);
  }

  onResponseData(_controller: HttpControl, chunk: Buffer): void {
    this.#response?.deliver(chunk);
  }

  onResponseEnd(): void {
    this.#end();
    this.#response?.finish();
  }

  onResponseError(_controller: HttpControl | null, error: Error): void {
    this.#end();
    if (this.#response !== undefined) this.#response.break(error);
    else this.#options.reject(toUpstreamFault(error, this.#options.origin));
  }

  #end(): void {
    // The signal may be shared by many requests.
    if (this.#onSignal !== undefined) this.#options.signal?.removeEventListener('abort', this.#onSignal);
    const { place } = this;
    this.place = undefined;
    place?.release();
  }
}

function textsOf(raw: HttpControl['rawHeaders']): readonly string[] {
  return Array.isArray(raw)
    ? raw.map((part: Buffer | string) => (typeof part === 'string' ? part : part.toString('latin1')))
    : [];
}

function toError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(String(reason));
}
