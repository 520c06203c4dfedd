import { randomUUID } from 'node:crypto';
import type { CallVerdict, Framing, ModelCall, ModelStream, StreamOutput } from '../../protocol/llm/dialect.ts';
import type { ModelApi } from '../../protocol/llm/model-api.ts';
import { formatNote } from '../../protocol/llm/note.ts';
import type { SseEvent } from '../../protocol/sse/splitter.ts';
import { judgeCall, type Judging, nameVerdict } from './judge-call.ts';
import type { BigCallHeap } from './llm-guard.ts';

/** Bytes from which a held call is big. */
const BIG = 512 * 1024;

export interface JudgedStreamOptions extends Omit<Judging, 'withdrawn'> {
  readonly api: ModelApi;
  /** Server-sent events by default. */
  readonly framing?: Framing;
  /** Most bytes of a held call. */
  readonly maxFrame: number;
  readonly warn: (line: string) => void;
  readonly heap?: BigCallHeap;
}

/** Receives the output of an answer, and its turns. */
export interface JudgedOutput extends Pick<StreamOutput, 'pass' | 'own' | 'text'> {
  /** True while the client has much to read: what is long is written once it has read that. */
  readonly isFull: boolean;
  /** The answer goes on: a verdict has come that was not there at once, or a long text is written. `isWaiting` may be true again. */
  judged(): void;
  /** The answer ends here. `fault`: it can't be read, and the client was told. `broken`: a bug of ours. */
  finish(end: 'fault' | 'broken'): void;
}

/** A model's streamed answer whose calls are judged, however its events come and go. */
export class JudgedStream implements StreamOutput {
  /** True while a verdict is awaited. */
  isAsking = false;
  readonly #options: JudgedStreamOptions;
  readonly #output: JudgedOutput;
  readonly #stream: ModelStream;
  readonly #judging: Judging;
  /** Aborts questions whose answer nobody would see. */
  readonly #withdrawal = new AbortController();
  /** Bytes received since a call is held. */
  #held = 0;
  /** Bytes of the big events since `received`: their values are garbage by then. */
  #bigEvents = 0;
  #isOver = false;
  /** Output that is written once the client has read more, in order. */
  #unwritten: Iterator<string | Buffer, unknown>[] = [];
  /** Characters and bytes of it that were written so far. */
  #written = 0;

  constructor(options: JudgedStreamOptions, output: JudgedOutput) {
    const { api, framing = 'sse', maxFrame } = options;
    this.#options = options;
    this.#output = output;
    this.#judging = { ...options, withdrawn: this.#withdrawal.signal };
    this.#stream = api.createStream({
      output: this,
      nonce: randomUUID(),
      nameVerdict: (call) => nameVerdict(call, options),
      maxHeld: maxFrame,
      framing,
      passesUnknown: options.gate.isObserving,
    });
  }

  /** True while a verdict is awaited, or the client is; nothing more may be pushed then. */
  get isWaiting(): boolean {
    return this.isAsking || this.#unwritten.length > 0;
  }

  get isHolding(): boolean {
    return this.#stream.isHolding;
  }

  get keepAlive(): string {
    return this.#stream.keepAlive;
  }

  push(event: SseEvent): void {
    const length = event.end - event.start;
    if (length > BIG) this.#bigEvents += length;
    this.#stream.push(event);
  }

  /** Notes the bytes that were just pushed. @param joined bytes of an event whose end has not come */
  received(bytes: number, joined = 0): void {
    const { heap } = this.#options;
    this.#held = this.isHolding ? this.#held + bytes : 0;
    if (this.#held > BIG) heap?.beforeBig();
    if (joined > BIG) heap?.copied(bytes);
    if (this.#bigEvents > 0) heap?.afterChunk(this.#bigEvents);
    this.#bigEvents = 0;
  }

  end(rest?: Buffer): void {
    this.#stream.end(rest);
  }

  /** Ends the answer with an error that tells the client why. */
  fail(why: string): void {
    this.#stream.fail(why);
  }

  /** Takes open questions back, which denies their calls. */
  withdraw(): void {
    this.#withdrawal.abort();
  }

  /** Call it when the client has read what it was sent. */
  resume(): void {
    if (this.#unwritten.length === 0) return;
    this.guarded(() => this.#write());
    if (!this.isWaiting && !this.#isOver) this.#output.judged();
  }

  /** Takes open questions back; nothing comes any more. */
  close(): void {
    this.#isOver = true;
    this.#unwritten = [];
    this.withdraw();
  }

  pass(event: SseEvent): void {
    const { bytes, start, end } = event;
    if (this.#unwritten.length > 0) this.#writeLater([Buffer.from(bytes.subarray(start, end))]);
    else if (!this.#isOver) this.#output.pass(event);
  }

  own(bytes: Buffer): void {
    if (this.#unwritten.length > 0) this.#writeLater([bytes]);
    else if (!this.#isOver) this.#output.own(bytes);
  }

  text(text: string): void {
    if (this.#unwritten.length > 0) this.#writeLater([text]);
    else if (!this.#isOver) this.#output.text(text);
  }

  parts(parts: Iterable<string>): void {
    if (this.#isOver) return;
    this.#writeLater(parts);
    if (this.#unwritten.length === 1) this.#write();
  }

  #writeLater(parts: Iterable<string | Buffer>): void {
    this.#unwritten.push(parts[Symbol.iterator]());
  }

  /** Writes what waits, until the client is behind. @param isAll true to write all of it in any case */
  #write(isAll = false): void {
    let written = 0;
    for (let [next] = this.#unwritten; next !== undefined; [next] = this.#unwritten) {
      if (this.#output.isFull && !isAll) break;
      const { done = false, value } = next.next();
      if (done) this.#unwritten.shift();
      else if (typeof value === 'string') this.#output.text(value);
      else this.#output.own(value as Buffer);
      written += (value as string | Buffer | undefined)?.length ?? 0;
    }
    // V8 does not see how much of what was written is garbage, and in the end all of it is.
    this.#written += written;
    this.#options.heap?.afterChunk(this.#unwritten.length > 0 ? written : this.#written);
    if (this.#unwritten.length === 0) this.#written = 0;
  }

  ask(call: ModelCall): void {
    const judged = judgeCall(call, this.#judging);
    if (!(judged instanceof Promise)) {
      this.#answer(judged);
      return;
    }
    this.isAsking = true;
    judged.then(
      (verdict) => this.guarded(() => this.#answered(verdict)),
      (error: unknown) => {
        // Judging should never fail; if it does, the call is denied.
        this.#options.warn(`could not judge a call of the model: ${String(error)}`);
        const note = formatNote('a tool call was denied, because clawai failed to judge it.');
        this.guarded(() => this.#answered({ isAllowed: false, note }));
      },
    );
  }

  fault(why: string): void {
    this.#options.warn(`ended an answer of the model: ${why}`);
    this.#write(true);
    this.#output.finish('fault');
  }

  /** Runs a step; a bug of ours ends this one answer, and not the process. */
  guarded(step: () => void): void {
    try {
      step();
    } catch (error) {
      this.#options.warn(`could not follow an answer of the model: ${String(error)}`);
      this.#output.finish('broken');
    }
  }

  #answer(verdict: CallVerdict): void {
    // The parsed call is not needed any more, and its output needs the memory.
    if (this.#held > BIG) this.#options.heap?.afterChunk(this.#held);
    this.#held = 0;
    this.#stream.answer(verdict);
  }

  #answered(verdict: CallVerdict): void {
    if (this.#isOver) return;
    this.isAsking = false;
    this.#answer(verdict);
    if (!this.#isOver) this.#output.judged();
  }
}
