import { connect, type Socket } from 'node:net';
import { FIRST_ID, type Template } from './messages.ts';
import { ResponseReader } from './response-reader.ts';

/** When what came of one request, in milliseconds after it was sent. */
export interface Timing {
  readonly firstByte: number;
  readonly whole: number;
  /** Bytes of the body. */
  readonly body: number;
}

let nextId = FIRST_ID;

const ENDPOINT = /event: endpoint\r?\ndata: (\S+)\r?\n/;

/** One connection that is kept, with one request at a time on it. */
export class Connection {
  readonly #socket: Socket;
  readonly #reader: ResponseReader;
  #sent = 0;
  #firstByte = 0;
  #done: (timing: Timing) => void = () => {};
  #failed: (error: Error) => void = () => {};
  #first: (() => void) | undefined;
  #named: ((path: string) => void) | undefined;
  #beginning = '';
  #latest: Buffer = Buffer.alloc(0);

  constructor(port: number) {
    this.#reader = new ResponseReader({ first: () => this.#noteFirst(), end: () => this.#noteEnd() });
    this.#socket = connect({ port, host: '127.0.0.1', noDelay: true });
    this.#socket.on('data', (chunk: Buffer) => {
      this.#latest = chunk;
      this.#reader.push(chunk);
      if (this.#named !== undefined) this.#findName(chunk);
    });
    this.#socket.on('error', (error) => this.#failed(error));
    this.#socket.on('close', () => this.#failed(new Error('the connection was closed before the answer was complete')));
  }

  /** Sends a request under an id of its own; rejects on any status but 200 and 202, and where the connection breaks. */
  request(template: Template): Promise<Timing> {
    return new Promise((done, failed) => {
      this.#done = done;
      this.#failed = failed;
      this.#send(template);
    });
  }

  /** Resolves with the first byte of an answer that then goes on. */
  open(template: Template): Promise<void> {
    return new Promise((opened, failed) => {
      this.#first = opened;
      this.#failed = failed;
      this.#send(template);
    });
  }

  /** Begins a session of HTTP+SSE; resolves with the path for its messages. */
  begin(template: Template): Promise<string> {
    return new Promise((named, failed) => {
      this.#beginning = '';
      this.#named = named;
      this.#failed = failed;
      this.#send(template);
    });
  }

  /** Times the next bytes of an open stream. */
  async next(): Promise<Timing> {
    this.#firstByte = 0;
    this.#sent = performance.now();
    await new Promise<void>((came, failed) => {
      this.#first = came;
      this.#failed = failed;
    });
    const took = this.#firstByte - this.#sent;
    return { firstByte: took, whole: took, body: 0 };
  }

  /** Times the rest of a stream, from now on. */
  async rest(): Promise<Timing> {
    const before = this.#reader.body;
    this.#firstByte = 0;
    this.#sent = performance.now();
    const { body, ...times } = await new Promise<Timing>((done, failed) => {
      this.#done = done;
      this.#failed = failed;
    });
    return { ...times, body: body - before };
  }

  close(): void {
    this.#failed = () => {};
    this.#socket.destroy();
  }

  #send({ before, after }: Template): void {
    this.#firstByte = 0;
    this.#sent = performance.now();
    this.#socket.write(`${before}${nextId++}${after}`, 'latin1');
  }

  #findName(chunk: Buffer): void {
    this.#beginning += chunk.toString('latin1');
    const path = ENDPOINT.exec(this.#beginning)?.[1];
    if (path === undefined) return;
    this.#named?.(path);
    this.#named = undefined;
  }

  #noteFirst(): void {
    if (this.#firstByte !== 0) return;
    this.#firstByte = performance.now();
    this.#check();
    this.#first?.();
  }

  #noteEnd(): void {
    this.#check();
    const now = performance.now();
    this.#done({ firstByte: (this.#firstByte || now) - this.#sent, whole: now - this.#sent, body: this.#reader.body });
  }

  #check(): void {
    if (this.#reader.status === 200 || this.#reader.status === 202) return;
    this.#failed(new Error(`answered with ${this.#reader.status}:\n${this.#latest.toString('latin1', 0, 600)}`));
  }
}
