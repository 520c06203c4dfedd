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
  #isHeld = false;
  /** What came before anybody took or read it. Most bodies are taken, and putting them through a stream's queue costs more than all else here. */
  #early: Buffer[] = [];
  #earlyBytes = 0;
  /** It is read as a stream. */
  #isRead = false;

  constructor(statusCode: number, rawHeaders: readonly string[], control: ResponseControl) {
    super();
    this.statusCode = statusCode;
    this.rawHeaders = rawHeaders;
    this.#control = control;
    // Where it breaks before anybody reads it, that is no fault of ours: whoever reads it then is told.
    this.on('error', () => {});
  }

  /** By lower-case names. */
  get headers(): IncomingHttpHeaders {
    return (this.#headers ??= toHeaders(this.rawHeaders));
  }

  /** One of the headers, by its lower-case name. Costs less than `headers` where few are asked for. */
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
   * Has the body delivered here instead of as a stream; to be called once, before anything is read. Either `end` or `fail` is called once,
   * `fail` also where the taker gives the response up; nothing comes after that.
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

  /** Holds the body that is taken back, and lets it come again. */
  hold(): void {
    this.#isHeld = true;
    this.#control.pause();
  }

  release(): void {
    if (!this.#isHeld) return;
    this.#isHeld = false;
    // The parser delivers at once, and there is one for all connections: where another response's chunk is the occasion, it is busy.
    queueMicrotask(() => {
      if (!this.#isHeld) this.#control.resume();
    });
  }

  /** For whoever reads the connection, as `finish` and `break` are: the next bytes of the body. */
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
