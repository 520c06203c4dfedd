import { randomUUID } from 'node:crypto';
import { Readable, type Writable } from 'node:stream';
import type { Meeting } from '../../protocol/eras/meeting.ts';
import type { Sent, Translation } from '../../protocol/eras/translation.ts';
import { JsonScanner } from '../../protocol/json-scanner.ts';
import { idText, readMessage } from '../../protocol/jsonrpc.ts';
import type { Message } from '../../protocol/message.ts';
import { LineSplitter, type LineVisitor } from '../../protocol/ndjson.ts';
import type { ServerProcess } from '../stdio/child-process.ts';
import { lineSink } from './line-sink.ts';

export interface EraBridgeOptions {
  readonly server: ServerProcess;
  /** The client's side of the conversation. Only its first line is read here, and others read it too. */
  readonly input: Readable;
  readonly limits: { readonly message: number; readonly depth: number };
  /** True if the client speaks only the modern era: others fall back by themselves if `server/discover` is refused. */
  readonly isModernOnly: boolean;
  readonly warn: (line: string) => void;
}

/** Milliseconds that a server gets to say whether it speaks the other era. */
const PATIENCE = 10_000;

/** Longer lines are no greetings. */
const LONGEST_GREETING = 1024 * 1024;

/** The server's refusal of the greeting, while it is asked about the other era. */
interface Refusal {
  readonly line: Buffer;
  readonly message: Message;
  /** Id of our question, as JSON text. */
  readonly asked: string;
  readonly timer: NodeJS.Timeout;
}

/**
 * A server process that also serves a client whose era it does not speak. If it refuses the client's greeting, it is asked whether it speaks
 * the other era. If it does, everything is translated from then on. In all other cases bytes pass as they are, and what is written goes to
 * the server's own pipe.
 */
export class EraBridge implements ServerProcess {
  readonly stdout: Readable;
  readonly #options: EraBridgeOptions;
  readonly #scanner: JsonScanner;
  readonly #prefix = `clawai-${randomUUID()}`;
  #ids = 0;
  /** Cuts the server's lines as long as they are read; undefined when all of them pass as they are. */
  #lines: LineSplitter | undefined;
  #greeting: { readonly line: Buffer; readonly id: string } | undefined;
  #refusal: Refusal | undefined;
  #meeting: Meeting | undefined;
  #translated: { readonly translation: Translation; readonly stdin: Writable } | undefined;

  constructor(options: EraBridgeOptions) {
    this.#options = options;
    const { server, limits } = options;
    this.#scanner = new JsonScanner(limits.depth);
    this.#lines = new LineSplitter(limits.message, ({ length, head, tail }) => {
      // Whoever reads it next refuses it by its length, and knows it by its ends.
      this.#push(Buffer.concat([head, Buffer.alloc(Math.max(length - head.length - tail.length, 0), ' '), tail]));
      this.#push(Buffer.from('\n'));
    });
    this.stdout = new Readable({ read: () => void server.stdout.resume() });
    server.stdout.on('data', (chunk: Buffer) => this.#fromServer(chunk));
    let hasEnded = false;
    for (const event of ['end', 'close', 'error']) {
      server.stdout.once(event, () => {
        if (!hasEnded) this.#end();
        hasEnded = true;
      });
    }
    this.#watch(options);
  }

  get stdin(): Writable {
    return this.#translated?.stdin ?? this.#options.server.stdin;
  }

  get stderr(): Readable | null {
    return this.#options.server.stderr;
  }

  get exited(): Promise<number> {
    return this.#options.server.exited;
  }

  signal(signal: NodeJS.Signals): void {
    this.#options.server.signal(signal);
  }

  isThere(): boolean {
    return this.#options.server.isThere();
  }

  release(): void {
    clearTimeout(this.#refusal?.timer);
    this.#options.server.release();
    this.stdout.destroy();
    this.#translated?.stdin.destroy();
  }

  /** Reads the client's first line. It is copied, since others use its memory again. */
  #watch({ input, isModernOnly }: EraBridgeOptions): void {
    let head = Buffer.alloc(0);
    const watch = (chunk: Buffer): void => {
      head = Buffer.concat([head, chunk]);
      const end = head.indexOf('\n');
      if (end === -1 && head.length < LONGEST_GREETING) return;
      input.off('data', watch);
      const line = head.subarray(0, Math.max(end, 0));
      const message = readMessage(this.#scanner, line, 0, line.length);
      const greets = message.method === 'initialize' || (isModernOnly && message.method === 'server/discover');
      if (message.kind === 'request' && greets) this.#greeting = { line, id: idText(message) };
      else this.#passAll();
    };
    input.prependListener('data', watch);
  }

  #fromServer(chunk: Buffer): void {
    const lines = this.#lines;
    if (lines === undefined) this.#push(chunk);
    else {
      lines.push(chunk, this.#visit);
      if (this.#lines === undefined) lines.end(this.#visit);
    }
  }

  readonly #visit: LineVisitor = (bytes, start, end, next, release) => {
    const line = Buffer.from(bytes.subarray(start, next));
    release?.();
    if (this.#lines === undefined) this.#push(line);
    else if (this.#translated === undefined) this.#greeted(line);
    else this.#send(this.#translated.translation.fromServer(line.subarray(0, end - start)));
  };

  /** Takes a line of the server's before its era is known. */
  #greeted(line: Buffer): void {
    const message = { ...readMessage(this.#scanner, line, 0, line.length - 1) };
    const id = message.kind === 'response' ? idText(message) : undefined;
    const greeting = this.#greeting;
    if (id !== undefined && id === this.#refusal?.asked) this.#settle(message);
    else if (id === undefined || greeting?.id !== id || this.#refusal !== undefined) this.#push(line);
    else if (message.error === undefined) {
      this.#push(line);
      this.#passAll();
    } else void this.#ask(greeting.line, message);
  }

  /** Asks the server whether it speaks the other era. */
  async #ask(greeting: Buffer, message: Message): Promise<void> {
    const asked = this.#newId();
    this.#refusal = { line: message.bytes, message, asked, timer: setTimeout(() => this.#giveUp(), PATIENCE) };
    try {
      const { meet } = await import('../../protocol/eras/meeting.ts');
      this.#meeting = meet(this.#scanner, greeting, this.#newId);
      this.#options.server.stdin.write(`${this.#meeting.question(asked).toString()}\n`);
    } catch {
      // An update has deleted this version's files, and the server's own words are all there is.
      this.#giveUp();
    }
  }

  /** Takes the server's answer to our question. */
  #settle(message: Message): void {
    const met = this.#meeting?.answered(message);
    if (met?.kind !== 'translated') {
      if (met?.why !== undefined) this.#options.warn(`the server refuses this client, and ${met.why}`);
      this.#giveUp();
      return;
    }
    clearTimeout(this.#refusal?.timer);
    this.#refusal = undefined;
    const { server, limits } = this.#options;
    const { translation } = met;
    const stdin = lineSink(server.stdin, limits.message, (line) => this.#send(translation.fromClient(line)));
    this.#translated = { translation, stdin };
    this.#send(met.sent);
  }

  /** Takes the server's refusal as its last word. */
  #giveUp(): void {
    const refusal = this.#refusal;
    if (refusal === undefined) return;
    clearTimeout(refusal.timer);
    this.#refusal = undefined;
    this.#push(refusal.line);
    this.#passAll();
  }

  /** The eras fit, or cannot be made to. */
  #passAll(): void {
    this.#lines = undefined;
  }

  #end(): void {
    this.#giveUp();
    this.#lines?.end(this.#visit);
    this.#lines = undefined;
    this.stdout.push(null);
  }

  #send(all: readonly Sent[]): void {
    for (const { to, line } of all) {
      const whole = Buffer.concat([line, Buffer.from('\n')]);
      if (to === 'client') this.#push(whole);
      else if (this.#options.server.stdin.writable) this.#options.server.stdin.write(whole);
    }
  }

  #push(bytes: Buffer): void {
    if (!this.stdout.push(bytes)) this.#options.server.stdout.pause();
  }

  readonly #newId = (): string => JSON.stringify(`${this.#prefix}-${++this.#ids}`);
}
