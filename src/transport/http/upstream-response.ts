import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';

/** The reader's control over the connection. */
export interface ResponseControl {
  pause(): void;
  resume(): void;
  abort(reason: Error): void;
}

/** Receives a body in chunks. */
export interface BodyTaker {
  /** The taker owns the bytes. */
  data(chunk: Buffer): void;
  end(): void;
  /** The body was cut off. */
  fail(error: Error): void;
}

/** Headers of which Node uses only the first. */
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
 * A remote server's response with complete headers. Its body is read as a stream, or by `takeBody`, which costs a fraction if there are
 * many chunks.
 */
export class UpstreamResponse extends Readable {
  readonly statusCode: number;
  /** Name, value, name, value, as they came. */
  readonly rawHeaders: readonly string[];
  readonly #control: ResponseControl;
  #headers: IncomingHttpHeaders | undefined;
  #taker: BodyTaker | undefined;
  #isOver = false;
  #isHeld = false;
  /**
   * Chunks from before the body was taken or read. Most bodies are taken, and a stream's queue would cost more than everything else here.
   */
  #early: Buffer[] = [];
  #earlyBytes = 0;
  /** True once it is read as a stream. */
  #isRead = false;

  constructor(statusCode: number, rawHeaders: readonly string[], control: ResponseControl) {
    super();
    this.statusCode = statusCode;
    this.rawHeaders = rawHeaders;
    this.#control = control;
    // An error before anybody reads the response must not crash us; the reader gets it later.
    this.on('error', () => {});
  }

  /** Headers by lower-case name. */
  get headers(): IncomingHttpHeaders {
    return (this.#headers ??= toHeaders(this.rawHeaders));
  }

  /** Returns one header by its lower-case name. Cheaper than `headers` if few are needed. */
  header(name: string): string | undefined {
    const raw = this.rawHeaders;
    let value: string | undefined;
    for (let at = 0; at + 1 < raw.length; at += 2) {
      const found = raw[at] ?? '';
      if (found.length !== name.length || found.toLowerCase() !== name) continue;
      if (value !== undefined) return String(this.headers[name]);
      value = raw[at + 1];
    }
    return value;
  }

  /**
   * Delivers the body to the taker instead of as a stream; call it once, before anything is read. Either `end` or `fail` is called once and
   * last; `fail` also if the taker aborts the response.
   */
  takeBody(taker: BodyTaker): void {
    const isWhole = this.#isOver;
    if (!this.destroyed) {
      this.#taker = taker;
      for (const chunk of this.#takeEarly()) if (!this.destroyed) taker.data(chunk);
    }
    if (!this.destroyed) {
      if (isWhole) taker.end();
      else this.release();
    } else if (isWhole) {
      taker.fail(this.errored ?? givenUp());
    }
  }

  /** Pauses the taken body; `release` resumes it. */
  hold(): void {
    this.#isHeld = true;
    this.#control.pause();
  }

  release(): void {
    if (!this.#isHeld) return;
    this.#isHeld = false;
    // The parser delivers synchronously, and all connections share it: it is busy while it handles another response's chunk.
    queueMicrotask(() => {
      if (!this.#isHeld) this.#control.resume();
    });
  }

  /** Receives the next bytes of the body. Like `finish` and `break`, only the connection's reader calls it. */
  deliver(chunk: Buffer): void {
    if (this.#isOver) return;
    if (this.#taker !== undefined) this.#taker.data(chunk);
    else if (!this.#keep(chunk)) this.hold();
  }

  finish(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    if (this.#taker !== undefined) this.#taker.end();
    else if (this.#isRead) this.push(null);
  }

  break(error: Error): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#taker?.fail(error);
    this.destroy(error);
  }

  override _read(): void {
    if (this.#taker !== undefined) return;
    if (!this.#isRead) {
      this.#isRead = true;
      for (const chunk of this.#takeEarly()) this.push(chunk);
      if (this.#isOver) this.push(null);
    }
    this.release();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    if (!this.#isOver) {
      this.#isOver = true;
      const reason = error ?? givenUp();
      this.#control.abort(reason);
      this.#taker?.fail(reason);
    }
    this.#takeEarly();
    done(error);
  }

  /** @returns whether there is room for more */
  #keep(chunk: Buffer): boolean {
    if (this.#isRead) return this.push(chunk);
    this.#early.push(chunk);
    this.#earlyBytes += chunk.length;
    return this.#earlyBytes < this.readableHighWaterMark;
  }

  #takeEarly(): readonly Buffer[] {
    const early = this.#early;
    this.#early = [];
    this.#earlyBytes = 0;
    return early;
  }
}

/** A response that is here as a whole. */
export function wholeResponse(status: number, rawHeaders: readonly string[], body: Buffer): UpstreamResponse {
  const response = new UpstreamResponse(status, rawHeaders, { pause: () => {}, resume: () => {}, abort: () => {} });
  if (body.length > 0) response.deliver(body);
  response.finish();
  return response;
}

function givenUp(): Error {
  return new Error('the response was given up');
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
