import type { SseEvent } from '../sse/splitter.ts';
import { type CallVerdict, isComment, type ModelCall, type ModelStream, type StreamOptions } from './dialect.ts';
import { PendingFrames } from './pending-frames.ts';
import { formatFrame, formatLongFrame, type Frame } from './typed-frame.ts';

/** Characters of an event's data from which it is written in parts. */
const LONG = 256 * 1024;

/**
 * A stream in an API that tells the end of each call: it asks about one call at a time, and what comes meanwhile waits in order. The API's
 * own class says what its events mean.
 */
export abstract class CallStream<F extends Frame = Frame> implements ModelStream {
  abstract readonly keepAlive: string;
  protected readonly options: StreamOptions;
  protected readonly pending: PendingFrames<F>;
  /** The continuation of the pending question. */
  #onAnswer: ((verdict: CallVerdict) => void) | undefined;
  #hasEnded = false;
  #isPumping = false;
  /** True once nothing more passes. */
  #isOver = false;

  constructor(options: StreamOptions) {
    this.options = options;
    this.pending = new PendingFrames({ maxSize: options.maxHeld, take: (frame) => this.take(frame, undefined) });
  }

  get isHolding(): boolean {
    return !this.#isOver && (this.isBehind || this.isWaiting);
  }

  push(event: SseEvent): void {
    if (this.#isOver) return;
    const { data } = event;
    if (data !== undefined) this.read(event, data);
    else if (event.isPlain && isComment(event)) this.options.output.pass(event);
  }

  answer(verdict: CallVerdict): void {
    const onAnswer = this.#onAnswer;
    this.#onAnswer = undefined;
    if (onAnswer === undefined || this.#isOver) return;
    onAnswer(verdict);
    this.pump();
  }

  end(): void {
    this.#hasEnded = true;
    this.pump();
  }

  fail(why: string): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.pending.clear();
    this.options.output.text(this.formatFault(why));
    this.options.output.fault(why);
  }

  /** True if events outside of the open call must wait for its end. */
  protected abstract get isBehind(): boolean;

  /** The call whose end has not come. */
  protected abstract get unfinished(): ModelCall | undefined;

  /** Parses an event with data, and takes it or queues it. */
  protected abstract read(event: SseEvent, data: Buffer): void;

  /** Takes an event in its turn. @param event the original event, if it came just now */
  protected abstract take(frame: F, event: SseEvent | undefined): void;

  /** Formats the event that ends the stream for a fault. */
  protected abstract formatFault(why: string): string;

  protected get isAsking(): boolean {
    return this.#onAnswer !== undefined;
  }

  protected get isWaiting(): boolean {
    return this.isAsking || !this.pending.isEmpty;
  }

  /** Passes an event on. @param event the original, if it came just now @param data another payload */
  protected write(frame: F, event: SseEvent | undefined, data: string = frame.data): void {
    const { output } = this.options;
    if (event !== undefined && frame.isPlain && data === frame.data) output.pass(event);
    else if (data.length < LONG) output.text(formatFrame(frame, data));
    else output.parts(formatLongFrame(frame, [data]));
  }

  protected ask(call: ModelCall, onAnswer: (verdict: CallVerdict) => void): void {
    this.#onAnswer = onAnswer;
    this.options.output.ask(call);
  }

  protected wait(add: () => void): void {
    add();
    if (this.pending.isTooMuch) this.fail('more than may be held while a call is decided');
  }

  /** Runs queued steps in order, until an answer is needed. */
  protected pump(): void {
    // A synchronous answer re-enters this method.
    if (this.#isPumping) return;
    this.#isPumping = true;
    while (!this.#isOver && this.#onAnswer === undefined && !this.pending.isEmpty) this.pending.runNext();
    this.#isPumping = false;
    if (this.#hasEnded && !this.#isOver && !this.isWaiting) this.stop();
  }

  /** Stops the stream. An unfinished call is asked about, so that it is recorded. */
  protected stop(): void {
    const wasAsking = this.isAsking;
    const { unfinished } = this;
    this.#isOver = true;
    this.pending.clear();
    if (unfinished !== undefined && !wasAsking) this.ask(unfinished, () => undefined);
  }
}
