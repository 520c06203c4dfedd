import type { Readable, Writable } from 'node:stream';
import type { Met } from '../../protocol/eras/meeting.ts';
import type { Sent, Translation } from '../../protocol/eras/translation.ts';
import { JsonScanner } from '../../protocol/json-scanner.ts';
import { idText, readLine } from '../../protocol/jsonrpc.ts';
import type { ServerProcess } from '../stdio/child-process.ts';
import { createIds, EraQuestion } from './era-question.ts';
import { watchFirstLine } from './first-line.ts';
import { lineSink } from './line-sink.ts';
import { TappedOutput } from './tapped-output.ts';

export interface EraBridgeOptions {
  readonly server: ServerProcess;
  /** The client's side of the conversation. Only its first line is read here, and others read it too. */
  readonly input: Readable;
  readonly limits: { readonly message: number; readonly depth: number };
  /** True if the client speaks only the modern era: others fall back by themselves if `server/discover` is refused. */
  readonly isModernOnly: boolean;
  readonly warn: (line: string) => void;
}

const LINE_FEED = 0x0a;

/**
 * A server process that also serves a client whose era it does not speak. If it refuses `initialize`, it is asked whether it speaks the modern
 * era. If it does, everything is translated from then on. In all other cases bytes pass as they are, and what is written goes to the server's
 * own pipe.
 *
 * A client of the modern era has to be announced (`isModernOnly`), since most fall back by themselves, and ask first in the same words. Then
 * its lines are held until the server's era is known.
 */
export class EraBridge implements ServerProcess {
  readonly #options: EraBridgeOptions;
  readonly #scanner: JsonScanner;
  readonly #output: TappedOutput;
  readonly #newId = createIds();
  readonly #question: EraQuestion;
  #greeting: { readonly line: Buffer; readonly id: string } | undefined;
  /** The server's refusal of the greeting, until it is clear whether the client gets it. */
  #refusal: Buffer | undefined;
  #translation: Translation | undefined;
  /** Takes the client's lines, if they do not go to the server as they are. */
  #sink: Writable | undefined;
  /** Lines of the client's that wait for the server's era. */
  #held: Buffer[] | undefined;
  #open = (): void => {};

  constructor(options: EraBridgeOptions) {
    this.#options = options;
    const { server, limits } = options;
    this.#question = new EraQuestion({
      newId: this.#newId,
      send: (line) => this.#send([{ to: 'server', line }]),
      settle: (met) => this.#settle(met),
    });
    this.#scanner = new JsonScanner(limits.depth);
    this.#output = new TappedOutput(server.stdout, {
      maxLine: limits.message,
      take: (line) => this.#fromServer(line),
      onEnd: () => this.#end(),
    });
    if (options.isModernOnly) {
      this.#held = [];
      this.#sink = this.#newSink(new Promise((resolve) => (this.#open = resolve)));
    } else {
      watchFirstLine(options.input, (line) => {
        const message = readLine(this.#scanner, line);
        if (message.kind === 'request' && message.method === 'initialize') this.#greeting = { line, id: idText(message) };
        else this.#output.passAll();
      });
    }
  }

  get stdin(): Writable {
    return this.#sink ?? this.#options.server.stdin;
  }

  get stdout(): Readable {
    return this.#output.stream;
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
    this.#question.drop();
    this.#options.server.release();
    this.#output.stream.destroy();
    this.#sink?.destroy();
  }

  #newSink(opened: Promise<void>): Writable {
    const { server, limits } = this.#options;
    return lineSink(server.stdin, {
      maxLine: limits.message,
      take: (line) => this.#fromClient(line),
      opened,
      onEnd: () => {
        if (this.#held?.length === 0) this.#settle({ kind: 'alike' });
      },
    });
  }

  #fromClient(line: Buffer): void {
    const held = this.#held;
    if (held === undefined) this.#send(this.#translation?.fromClient(line) ?? [{ to: 'server', line }]);
    else if (held.push(line) === 1) {
      const { kind, method } = readLine(this.#scanner, line);
      if (kind === 'request' && method !== 'initialize') void this.#ask(line);
      else this.#settle({ kind: 'alike' });
    }
  }

  #fromServer(line: Buffer): void {
    const translation = this.#translation;
    if (translation === undefined) this.#greeted(line);
    else this.#send(translation.fromServer(line.at(-1) === LINE_FEED ? line.subarray(0, -1) : line));
  }

  /** Takes a line of the server's before its era is known. */
  #greeted(line: Buffer): void {
    const message = readLine(this.#scanner, line.at(-1) === LINE_FEED ? line.subarray(0, -1) : line);
    const id = message.kind === 'response' ? idText(message) : undefined;
    const greeting = this.#greeting;
    if (this.#question.take(message)) return;
    if (id === undefined || greeting?.id !== id || this.#refusal !== undefined) this.#output.put(line);
    else if (message.error === undefined) {
      this.#output.put(line);
      this.#output.passAll();
    } else {
      this.#refusal = line;
      void this.#ask(greeting.line);
    }
  }

  /** Asks the server what it speaks. */
  async #ask(greeting: Buffer): Promise<void> {
    try {
      const { meet } = await import('../../protocol/eras/meeting.ts');
      this.#question.ask(meet(this.#scanner, greeting, this.#newId));
    } catch {
      // An update has deleted this version's files, and the server's own words are all there is.
      this.#settle({ kind: 'refused' });
    }
  }

  #settle(met: Met): void {
    const [refusal, held] = [this.#refusal, this.#held];
    this.#refusal = undefined;
    this.#held = undefined;
    if (met.kind === 'translated') {
      this.#translation = met.translation;
      this.#sink ??= this.#newSink(Promise.resolve());
      this.#send(met.sent);
    } else {
      if (met.kind === 'refused' && met.why !== undefined) this.#options.warn(`the server refuses this client, and ${met.why}`);
      if (refusal !== undefined) this.#output.put(refusal);
      this.#output.passAll();
    }
    for (const line of held ?? []) this.#fromClient(line);
    this.#open();
  }

  #end(): void {
    this.#question.drop();
    if (this.#translation === undefined) this.#settle({ kind: 'refused' });
  }

  #send(all: readonly Sent[]): void {
    for (const { to, line } of all) {
      const whole = Buffer.concat([line, Buffer.from('\n')]);
      if (to === 'client') this.#output.put(whole);
      else if (this.#options.server.stdin.writable) this.#options.server.stdin.write(whole);
    }
  }
}
