import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { createSplitter, type FrameSplitter, type Framing } from '../../protocol/llm/dialect.ts';
import type { ModelApi } from '../../protocol/llm/model-api.ts';
import type { SseEvent } from '../../protocol/sse/splitter.ts';
import { type BodySource, toBodySource } from '../http/body-source.ts';
import { TickWriter } from '../http/tick-writer.ts';
import { JudgedStream, type JudgedOutput, type JudgedStreamOptions } from './judged-stream.ts';

/** Milliseconds of silence before a keep-alive is sent; clients with a timeout wait for minutes. */
export const KEEP_ALIVE = 5000;

export interface ModelRelayOptions extends JudgedStreamOptions {
  /** The provider's stream, decoded. */
  readonly source: Readable;
  /** The response; its head has been written. */
  readonly response: ServerResponse;
  /** Milliseconds of silence before a keep-alive, if not the default. */
  readonly keepAlive?: number;
}

/** The end of a model's stream. `fault`: it could not be parsed, and the client was told. */
export type ModelStreamEnd = 'ended' | 'broken' | 'fault' | 'client_gone';

/** Streams a model's answer to the client, as the verdicts on its calls say. Text is never held back. */
export function relayModel(options: ModelRelayOptions): Promise<ModelStreamEnd> {
  return new Promise((resolve) => new ModelRelay(options, resolve));
}

class ModelRelay implements JudgedOutput {
  readonly #options: ModelRelayOptions;
  readonly #resolve: (end: ModelStreamEnd) => void;
  readonly #splitter: FrameSplitter;
  readonly #stream: JudgedStream;
  readonly #visit = (event: SseEvent): void => this.#stream.push(event);
  readonly #timer: NodeJS.Timeout;
  readonly #source: BodySource;
  readonly #writer: TickWriter;
  #hasEnded = false;
  #isOver = false;

  constructor(options: ModelRelayOptions, resolve: (end: ModelStreamEnd) => void) {
    const { framing = 'sse', maxFrame, source, response, keepAlive = KEEP_ALIVE } = options;
    this.#options = options;
    this.#resolve = resolve;
    this.#splitter = createSplitter(framing, maxFrame);
    const stream = new JudgedStream(options, this);
    this.#stream = stream;
    this.#timer = setInterval(() => this.#keepAlive(keepAlive), keepAlive).unref();
    response.once('close', () => this.finish('client_gone'));
    response.on('drain', () => {
      stream.resume();
      this.#resumeIfClear();
    });
    this.#source = toBodySource(source);
    this.#writer = new TickWriter(response);
    this.#source.take({
      data: (chunk) => stream.guarded(() => this.#chunk(chunk)),
      end: () => stream.guarded(() => this.#end()),
      fail: () => {
        if (!this.#hasEnded) this.finish('broken');
      },
    });
    if (response.destroyed) this.finish('client_gone');
  }

  get isFull(): boolean {
    return this.#writer.isFull;
  }

  pass(event: SseEvent): void {
    this.#writer.event(event);
  }

  own(bytes: Buffer): void {
    this.#writer.bytes(bytes, 0, bytes.length);
  }

  text(text: string): void {
    this.#writer.text(text);
  }

  judged(): void {
    if (this.#stream.isWaiting) return;
    if (this.#hasEnded) this.#end();
    else this.#resumeIfClear();
  }

  finish(end: ModelStreamEnd): void {
    if (this.#isOver) return;
    this.#writer.flush();
    this.#isOver = true;
    clearInterval(this.#timer);
    this.#stream.close();
    const { response, source } = this.#options;
    // A broken stream must look broken to the client.
    if (end === 'broken') response.destroy();
    else if (end !== 'client_gone') response.end();
    if (end !== 'ended') source.destroy();
    this.#resolve(end);
  }

  #chunk(chunk: Buffer): void {
    if (this.#isOver) return;
    const stream = this.#stream;
    const isWhole = this.#splitter.push(chunk, this.#visit);
    stream.received(chunk.length, this.#splitter.joined);
    if (!isWhole) {
      const isMalformed = this.#splitter.isMalformed === true;
      stream.fail(isMalformed ? 'no list of events' : TOO_LONG);
      // Anything after the end would be junk.
      this.finish('ended');
    } else if (stream.isAsking && !stream.isHolding) {
      // The provider failed while a person was asked, and said so.
      this.finish('ended');
    } else if (stream.isWaiting || this.#writer.isFull) this.#source.hold();
  }

  #resumeIfClear(): void {
    if (!this.#isOver && !this.#stream.isWaiting && !this.#writer.isFull) this.#source.release();
  }

  #end(): void {
    this.#hasEnded = true;
    if (this.#stream.isWaiting || this.#isOver) return;
    this.#stream.end(this.#splitter.end?.());
    if (!this.#stream.isWaiting) this.finish('ended');
  }

  #keepAlive(after: number): void {
    if (this.#stream.isHolding && performance.now() - this.#writer.lastWrite >= after * 0.9) this.text(this.#stream.keepAlive);
  }
}

/** Tells the client why its answer ends. */
export const TOO_LONG = 'an event that is longer than clawai accepts (limits.frame in its config)';

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
