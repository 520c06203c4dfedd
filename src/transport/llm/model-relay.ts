import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import {
  type CallVerdict,
  createSplitter,
  type FrameSplitter,
  type Framing,
  type ModelCall,
  type ModelStream,
  type StreamOutput,
} from '../../protocol/llm/dialect.ts';
import type { ModelApi } from '../../protocol/llm/model-api.ts';
import { formatNote } from '../../protocol/llm/note.ts';
import type { SseEvent } from '../../protocol/sse/splitter.ts';
import { type BodySource, toBodySource } from '../http/body-source.ts';
import { TickWriter } from '../http/tick-writer.ts';
import { judgeCall, type Judging, nameVerdict } from './judge-call.ts';
import type { BigCallHeap } from './llm-guard.ts';

/** Milliseconds of silence before a keep-alive is sent; clients with a timeout wait for minutes. */
const KEEP_ALIVE = 5000;

export interface ModelRelayOptions extends Omit<Judging, 'withdrawn'> {
  readonly api: ModelApi;
  /** Server-sent events by default. */
  readonly framing?: Framing;
  /** The provider's stream, decoded. */
  readonly source: Readable;
  /** The response; its head has been written. */
  readonly response: ServerResponse;
  /** Most bytes of an event, and of a held call. */
  readonly maxFrame: number;
  readonly warn: (line: string) => void;
  /** Milliseconds of silence before a keep-alive, if not the default. */
  readonly keepAlive?: number;
  readonly heap?: BigCallHeap;
}

/** Bytes from which a held call is big. */
const BIG = 512 * 1024;

/** The end of a model's stream. `fault`: it could not be parsed, and the client was told. */
export type ModelStreamEnd = 'ended' | 'broken' | 'fault' | 'client_gone';

/** Streams a model's answer to the client, as the verdicts on its calls say. Text is never held back. */
export function relayModel(options: ModelRelayOptions): Promise<ModelStreamEnd> {
  return new Promise((resolve) => new ModelRelay(options, resolve));
}

class ModelRelay implements StreamOutput {
  readonly #options: ModelRelayOptions;
  readonly #resolve: (end: ModelStreamEnd) => void;
  readonly #splitter: FrameSplitter;
  readonly #stream: ModelStream;
  readonly #visit = (event: SseEvent): void => this.#stream.push(event);
  readonly #timer: NodeJS.Timeout;
  readonly #source: BodySource;
  readonly #writer: TickWriter;
  /** Aborts questions whose answer nobody would see. */
  readonly #withdrawal = new AbortController();
  readonly #judging: Judging;
  #isWaiting = false;
  /** Bytes received since a call is held. */
  #held = 0;
  #hasEnded = false;
  #isOver = false;

  constructor(options: ModelRelayOptions, resolve: (end: ModelStreamEnd) => void) {
    const { api, framing = 'sse', maxFrame, source, response, keepAlive = KEEP_ALIVE } = options;
    this.#options = options;
    this.#resolve = resolve;
    this.#judging = { ...options, withdrawn: this.#withdrawal.signal };
    this.#splitter = createSplitter(framing, maxFrame);
    this.#stream = api.createStream({
      output: this,
      nameVerdict: (call) => nameVerdict(call, options),
      maxHeld: maxFrame,
      framing,
      passesUnknown: options.gate.isObserving,
    });
    this.#timer = setInterval(() => this.#keepAlive(keepAlive), keepAlive).unref();
    response.once('close', () => this.#finish('client_gone'));
    response.on('drain', () => this.#resumeIfClear());
    this.#source = toBodySource(source);
    this.#writer = new TickWriter(response);
    this.#source.take({
      data: (chunk) => this.#guarded(() => this.#chunk(chunk)),
      end: () => this.#guarded(() => this.#end()),
      fail: () => {
        if (!this.#hasEnded) this.#finish('broken');
      },
    });
    if (response.destroyed) this.#finish('client_gone');
  }

  pass(event: SseEvent): void {
    if (this.#isOver) return;
    this.#writer.event(event);
  }

  own(bytes: Buffer): void {
    if (this.#isOver) return;
    this.#writer.bytes(bytes, 0, bytes.length);
  }

  text(text: string): void {
    if (this.#isOver) return;
    this.#writer.text(text);
  }

  ask(call: ModelCall): void {
    const judged = judgeCall(call, this.#judging);
    if (!(judged instanceof Promise)) {
      this.#answer(judged);
      return;
    }
    this.#isWaiting = true;
    judged.then(
      (verdict) => this.#guarded(() => this.#answered(verdict)),
      (error: unknown) => {
        // Judging should never fail; if it does, the call is denied.
        this.#options.warn(`could not judge a call of the model: ${String(error)}`);
        const note = formatNote('a tool call was denied, because clawai failed to judge it.');
        this.#guarded(() => this.#answered({ isAllowed: false, note }));
      },
    );
  }

  fault(why: string): void {
    this.#options.warn(`ended an answer of the model: ${why}`);
    this.#finish('fault');
  }

  /** Runs a step; a bug of ours ends this one answer, and not the process. */
  #guarded(step: () => void): void {
    try {
      step();
    } catch (error) {
      this.#options.warn(`could not follow an answer of the model: ${String(error)}`);
      this.#finish('broken');
    }
  }

  #chunk(chunk: Buffer): void {
    if (this.#isOver) return;
    const isWhole = this.#splitter.push(chunk, this.#visit);
    this.#noteHeld(chunk.length);
    if (!isWhole) {
      const isMalformed = this.#splitter.isMalformed === true;
      this.#stream.fail(
        isMalformed ? 'no list of events' : 'an event that is longer than clawai accepts (limits.frame in its config)',
      );
      // Anything after the end would be junk.
      this.#finish('ended');
    } else if (this.#isWaiting && !this.#stream.isHolding) {
      // The provider failed while a person was asked, and said so.
      this.#finish('ended');
    } else if (this.#isWaiting || this.#writer.isFull) this.#source.hold();
  }

  #answer(verdict: CallVerdict): void {
    // The parsed call is not needed any more, and its output needs the memory.
    if (this.#held > BIG) this.#options.heap?.afterChunk(this.#held);
    this.#held = 0;
    this.#stream.answer(verdict);
  }

  #noteHeld(bytes: number): void {
    if (!this.#stream.isHolding) {
      this.#held = 0;
      return;
    }
    this.#held += bytes;
    if (this.#held > BIG) this.#options.heap?.beforeBig();
  }

  #answered(verdict: CallVerdict): void {
    if (this.#isOver) return;
    this.#isWaiting = false;
    this.#answer(verdict);
    if (this.#isWaiting || this.#isOver) return;
    if (this.#hasEnded) this.#end();
    else this.#resumeIfClear();
  }

  #resumeIfClear(): void {
    if (!this.#isOver && !this.#isWaiting && !this.#writer.isFull) this.#source.release();
  }

  #end(): void {
    this.#hasEnded = true;
    if (this.#isWaiting || this.#isOver) return;
    this.#stream.end(this.#splitter.end?.());
    if (!this.#isWaiting) this.#finish('ended');
  }

  #keepAlive(after: number): void {
    if (this.#stream.isHolding && performance.now() - this.#writer.lastWrite >= after * 0.9) this.text(this.#stream.keepAlive);
  }

  #finish(end: ModelStreamEnd): void {
    if (this.#isOver) return;
    this.#writer.flush();
    this.#isOver = true;
    clearInterval(this.#timer);
    this.#withdrawal.abort();
    const { response, source } = this.#options;
    // A broken stream must look broken to the client.
    if (end === 'broken') response.destroy();
    else if (end !== 'client_gone') response.end();
    if (end !== 'ended') source.destroy();
    this.#resolve(end);
  }
}

/** Returns the framing of a streamed answer; undefined if it is not streamed. @param path of the request, with any query */
export function framingOf(
  { headers }: { readonly headers: IncomingHttpHeaders },
  { api, path }: { readonly api: Pick<ModelApi, 'isArrayStream'>; readonly path: string },
): Framing | undefined {
  const type = headers['content-type'] ?? '';
  if (/^text\/event-stream\s*(?:;|$)/i.test(type)) return 'sse';
  const isJson = /^application\/json\s*(?:;|$)/i.test(type);
  return isJson && api.isArrayStream?.(path.split('?', 1)[0] ?? '') === true ? 'json_array' : undefined;
}
