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

/** One connection that is kept, with one request at a time on it. */
export class Connection {
  readonly #socket: Socket;
  readonly #reader: ResponseReader;
  #sent = 0;
  #firstByte = 0;
  #done: (timing: Timing) => void = () => {};
  #failed: (error: Error) => void = () => {};
  #first: (() => void) | undefined;
  #latest: Buffer = Buffer.alloc(0);

  constructor(port: number) {
    this.#reader = new ResponseReader({ first: () => this.#noteFirst(), end: () => this.#noteEnd() });
    this.#socket = connect({ port, host: '127.0.0.1', noDelay: true });
    this.#socket.on('data', (chunk: Buffer) => {
      this.#latest = chunk;
      this.#reader.push(chunk);
    });
    this.#socket.on('error', (error) => this.#failed(error));
    this.#socket.on('close', () => this.#failed(new Error('the connection was closed before the answer was complete')));
  }

  /** Sends a request under an id of its own; rejects on any status but 200 and where the connection breaks. */
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

  close(): void {
    this.#failed = () => {};
    this.#socket.destroy();
  }

  #send({ before, after }: Template): void {
    this.#firstByte = 0;
    this.#sent = performance.now();
    this.#socket.write(`${before}${nextId++}${after}`, 'latin1');
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
    if (this.#reader.status === 200) return;
    this.#failed(new Error(`answered with ${this.#reader.status}:\n${this.#latest.toString('latin1', 0, 600)}`));
  }
}
