import type { ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import type { ModelApi } from '../../protocol/llm/model-api.ts';
import type { CallVerdict, ModelCall, ModelStream, StreamOutput } from '../../protocol/llm/dialect.ts';
import { type SseEvent, SseSplitter } from '../../protocol/sse/splitter.ts';
import { judgeCall, type Judging } from './judge-call.ts';

/** Milliseconds of silence after which a client is told that we are still there; those that give up do so after minutes. */
const KEEP_ALIVE = 5000;

export interface ModelRelayOptions extends Judging {
  readonly api: ModelApi;
  /** What the provider sends, decoded. */
  readonly source: Readable;
  /** Its head has been written. */
  readonly response: ServerResponse;
  /** Bytes that an event may have, and that may be held of a call. */
  readonly maxFrame: number;
  readonly warn: (line: string) => void;
  /** Milliseconds of silence, where it is not the usual. */
  readonly keepAlive?: number;
}

/** How a model's stream ended. `fault`: it could not be followed, and the client was told. */
export type ModelStreamEnd = 'ended' | 'broken' | 'fault' | 'client_gone';

/** Carries a model's answer to the client while it is made, as the verdicts on its calls say. Text is never held back. */
export function relayModel(options: ModelRelayOptions): Promise<ModelStreamEnd> {
  return new Promise((resolve) => new ModelRelay(options, resolve));
}

class ModelRelay implements StreamOutput {
  readonly #options: ModelRelayOptions;
  readonly #resolve: (end: ModelStreamEnd) => void;
  readonly #splitter: SseSplitter;
  readonly #stream: ModelStream;
  readonly #visit = (event: SseEvent): void => this.#stream.push(event);
  readonly #timer: NodeJS.Timeout;
  /** Bytes to forward that have not been written: one range of one buffer. */
  #run: Buffer | undefined;
  #runStart = 0;
  #runEnd = 0;
  /** What the chunk that is read lies in. */
  #memory: ArrayBufferLike | undefined;
  #isWaiting = false;
  #hasEnded = false;
  #isOver = false;
  #lastWrite = performance.now();

  constructor(options: ModelRelayOptions, resolve: (end: ModelStreamEnd) => void) {
    const { api, gate, request, maxFrame, source, response, keepAlive = KEEP_ALIVE } = options;
    this.#options = options;
    this.#resolve = resolve;
    this.#splitter = new SseSplitter({ maxFrame });
    this.#stream = api.createStream({ output: this, nameVerdict: (call) => gate.nameVerdict(call, request), maxHeld: maxFrame });
    this.#timer = setInterval(() => this.#keepAlive(keepAlive), keepAlive).unref();
    response.once('close', () => this.#finish('client_gone'));
    response.on('drain', () => this.#resumeIfClear());
    source.on('data', (chunk: Buffer) => this.#chunk(chunk));
    source.once('end', () => this.#end());
    source.once('error', () => this.#finish('broken'));
    source.once('close', () => {
      if (!this.#hasEnded) this.#finish('broken');
    });
    if (response.destroyed) this.#finish('client_gone');
  }

  bytes(bytes: Buffer, start: number, end: number): void {
    if (this.#run === bytes && this.#runEnd === start) {
      this.#runEnd = end;
      return;
    }
    this.#flush();
    // What came in several chunks lies in memory that is used again.
    if (bytes.buffer !== this.#memory) {
      this.#write(Buffer.from(bytes.subarray(start, end)));
      return;
    }
    this.#run = bytes;
    this.#runStart = start;
    this.#runEnd = end;
  }

  text(text: string): void {
    this.#flush();
    this.#write(text);
  }

  ask(call: ModelCall): void {
    const judged = judgeCall(call, this.#options);
    if (!(judged instanceof Promise)) {
      this.#stream.answer(judged);
      return;
    }
    this.#isWaiting = true;
    judged.then(
      (verdict) => this.#answered(verdict),
      (error: unknown) => {
        // Judging promises not to fail; if it does, the call goes nowhere.
        this.#options.warn(`a model's call could not be judged: ${String(error)}`);
        this.#answered({ isAllowed: false, note: '[clawai] a tool call was denied, because clawai failed to judge it.' });
      },
    );
  }

  fault(why: string): void {
    this.#options.warn(`an answer of a model was ended: ${why}`);
    this.#finish('fault');
  }

  #chunk(chunk: Buffer): void {
    if (this.#isOver) return;
    const { response, source } = this.#options;
    this.#memory = chunk.buffer;
    const isWhole = this.#splitter.push(chunk, this.#visit);
    this.#flush();
    if (!isWhole) {
      this.#options.warn(
        'an answer of a model was ended: an event of it is longer than clawai takes (limits.frame in its config)',
      );
      this.#finish('broken');
    } else if (this.#isWaiting || response.writableNeedDrain) source.pause();
  }

  #answered(verdict: CallVerdict): void {
    if (this.#isOver) return;
    this.#isWaiting = false;
    this.#memory = undefined;
    this.#stream.answer(verdict);
    this.#flush();
    if (this.#isWaiting || this.#isOver) return;
    if (this.#hasEnded) this.#end();
    else this.#resumeIfClear();
  }

  #resumeIfClear(): void {
    if (!this.#isOver && !this.#isWaiting && !this.#options.response.writableNeedDrain) this.#options.source.resume();
  }

  #end(): void {
    this.#hasEnded = true;
    if (this.#isWaiting || this.#isOver) return;
    this.#stream.end();
    this.#flush();
    if (!this.#isWaiting) this.#finish('ended');
  }

  #flush(): void {
    const run = this.#run;
    if (run === undefined) return;
    this.#run = undefined;
    this.#write(run.subarray(this.#runStart, this.#runEnd));
  }

  #write(data: Buffer | string): void {
    if (this.#isOver || this.#options.response.destroyed) return;
    this.#lastWrite = performance.now();
    this.#options.response.write(data);
  }

  #keepAlive(after: number): void {
    if (this.#stream.isHolding && performance.now() - this.#lastWrite >= after * 0.9) this.#write(this.#stream.keepAlive);
  }

  #finish(end: ModelStreamEnd): void {
    if (this.#isOver) return;
    this.#flush();
    this.#isOver = true;
    clearInterval(this.#timer);
    const { response, source } = this.#options;
    // A stream that broke is seen to have broken.
    if (end === 'broken') response.destroy();
    else if (end !== 'client_gone') response.end();
    if (end !== 'ended') source.destroy();
    this.#resolve(end);
  }
}
