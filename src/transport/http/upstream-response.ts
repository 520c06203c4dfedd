import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';

/** What the connection lets its reader do. */
export interface ResponseControl {
  pause(): void;
  resume(): void;
  abort(reason: Error): void;
}

/** Takes a body as it comes. */
export interface BodyTaker {
  /** The bytes are the taker's. */
  data(chunk: Buffer): void;
  end(): void;
  /** It broke off. */
  fail(error: Error): void;
}

/** Of which the first one counts where there are several, as Node has it. */
const SINGLE = new Set([
  'age',
  'authorization',
  'content-length',
  'content-type',
  'etag',
  'expires',
  'host',
  'last-modified',
  'location',
  'retry-after',
  'server',
]);

/**
 * A remote server's response whose headers are there. Its body is read as a stream, or by `takeBody`, which costs a fraction where there are many
 * chunks.
 */
export class UpstreamResponse extends Readable {
  readonly statusCode: number;
  /** Name, value, name, value, as they came. */
  readonly rawHeaders: readonly string[];
  readonly #control: ResponseControl;
  #headers: IncomingHttpHeaders | undefined;
  #taker: BodyTaker | undefined;
  #isOver = false;

  constructor(statusCode: number, rawHeaders: readonly string[], control: ResponseControl) {
    super();
    this.statusCode = statusCode;
    this.rawHeaders = rawHeaders;
    this.#control = control;
  }

  /** By lower-case names. */
  get headers(): IncomingHttpHeaders {
    return (this.#headers ??= toHeaders(this.rawHeaders));
  }

  /** Has the body delivered here instead of as a stream; to be called once, before anything is read. */
  takeBody(taker: BodyTaker): void {
    this.#taker = taker;
    // What came before anybody took it.
    for (let chunk: unknown = this.read(); chunk !== null; chunk = this.read()) taker.data(chunk as Buffer);
    if (this.destroyed) taker.fail(this.errored ?? new Error('the response was given up'));
    else if (this.#isOver) taker.end();
    else this.#control.resume();
  }

  /** Holds the body that is taken back, and lets it come again. */
  hold(): void {
    this.#control.pause();
  }

  release(): void {
    this.#control.resume();
  }

  /** For whoever reads the connection. */
  deliver(chunk: Buffer): void {
    if (this.#taker !== undefined) this.#taker.data(chunk);
    else if (!this.push(chunk)) this.#control.pause();
  }

  finish(): void {
    this.#isOver = true;
    if (this.#taker === undefined) this.push(null);
    else this.#taker.end();
  }

  break(error: Error): void {
    if (this.#isOver) return;
    this.#isOver = true;
    if (this.#taker !== undefined) this.#taker.fail(error);
    else this.destroy(error);
  }

  override _read(): void {
    if (this.#taker === undefined) this.#control.resume();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    if (!this.#isOver) {
      this.#isOver = true;
      this.#control.abort(error ?? new Error('the response was given up'));
    }
    done(error);
  }
}

function toHeaders(raw: readonly string[]): IncomingHttpHeaders {
  const headers: Record<string, string | string[]> = Object.create(null) as Record<string, string | string[]>;
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const name = (raw[index] ?? '').toLowerCase();
    const value = raw[index + 1] ?? '';
    const known = headers[name];
    if (name === 'set-cookie') headers[name] = Array.isArray(known) ? [...known, value] : [value];
    else if (known === undefined) headers[name] = value;
    else if (!SINGLE.has(name)) headers[name] = `${String(known)}, ${value}`;
  }
  return headers;
}
