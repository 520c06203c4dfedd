import { formatSseEvent } from '../../protocol/sse/event.ts';
import { UpstreamResponse } from '../http/upstream-response.ts';
import { EVENT_STREAM, JSON_TYPE } from '../mcp-http/mcp-headers.ts';

/** Milliseconds after which a response without a message begins as a stream: some clients wait no longer for its head than for a message. */
const HEAD_AFTER = 5000;

/** A response to a request that is made here, message by message: JSON if its first message is its last, else a stream of events. */
export class WrittenResponse {
  /** Resolves with the head; rejects if nobody waits for it any more. */
  readonly response: Promise<UpstreamResponse>;
  readonly #begun = Promise.withResolvers<UpstreamResponse>();
  readonly #headers: readonly string[];
  readonly #onGone: () => void;
  readonly #timer: NodeJS.Timeout;
  #response: UpstreamResponse | undefined;
  #room: PromiseWithResolvers<void> | undefined;
  #isOver = false;

  /** @param headers besides the content type: name, value, name, value. @param onGone called if the reader leaves before the end */
  constructor(headers: readonly string[], onGone: () => void) {
    this.#headers = headers;
    this.#onGone = onGone;
    this.response = this.#begun.promise;
    this.#timer = setTimeout(() => this.open(), HEAD_AFTER).unref();
  }

  /** Sends the head of a stream, unless there is one. */
  open(): UpstreamResponse {
    return this.#response ?? this.#begin(EVENT_STREAM);
  }

  /** Writes a message. Resolves when there is room for more. */
  async write(line: Buffer, isLast: boolean): Promise<void> {
    if (this.#isOver) return;
    if (isLast && this.#response === undefined) this.#begin(JSON_TYPE).deliver(line);
    else this.open().deliver(Buffer.from(formatSseEvent({ data: line.toString() })));
    if (isLast) this.end();
    await this.#room?.promise;
  }

  end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.open().finish();
    this.#leave();
  }

  /** Gives the response up, as its reader does. */
  abort(reason: Error): void {
    if (this.#response !== undefined) this.#response.destroy(reason);
    else if (!this.#isOver) {
      this.#begun.reject(reason);
      this.#gone();
    }
  }

  #begin(type: string): UpstreamResponse {
    clearTimeout(this.#timer);
    this.#response = new UpstreamResponse(200, ['content-type', type, ...this.#headers], {
      pause: () => (this.#room ??= Promise.withResolvers()),
      resume: () => this.#leave(),
      abort: () => this.#gone(),
    });
    this.#begun.resolve(this.#response);
    return this.#response;
  }

  #gone(): void {
    clearTimeout(this.#timer);
    this.#leave();
    if (this.#isOver) return;
    this.#isOver = true;
    this.#onGone();
  }

  /** Lets whoever waits for room go on. */
  #leave(): void {
    this.#room?.resolve();
    this.#room = undefined;
  }
}
