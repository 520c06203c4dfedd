import type { ModelRequest } from '../../gate/model/call-targets.ts';
import type { AnswerRequest, ModelApi, OfferedTool } from '../../protocol/llm/model-api.ts';
import { formatRefusal, type ServerFrame, toEvent, toFrames } from '../../protocol/llm/openai/responses/socket-frames.ts';
import { restoredApi } from './answer-secrets.ts';
import { type CheckedRequest, NO_TOOLS } from './check-request.ts';
import { JudgedStream } from './judged-stream.ts';
import type { LlmGuard, LlmParts } from './llm-guard.ts';

export interface LaneOptions {
  /** The API's `stream_id`; undefined for the lane that needs none. */
  readonly id: string | undefined;
  readonly api: ModelApi;
  readonly guard: LlmGuard;
  readonly parts: Pick<LlmParts, 'rounds' | 'limits' | 'counters' | 'heap' | 'warn'>;
  /** Describes a request with these tools. */
  readonly describe: (asked: Pick<AnswerRequest, 'tools'>) => ModelRequest;
  /** Sends a frame to the client. */
  readonly write: (frame: Buffer | string) => void;
  /** Tells whether the client has much to read. */
  readonly isFull: () => boolean;
  /** Called when an answer begins. @param id the API's id of it */
  readonly onAnswer: (lane: ResponseLane, id: string) => void;
  /** Called when a verdict has come that was not there at once. */
  readonly onJudged: () => void;
  /** Called when an answer can't be followed any more. `fault`: the client was told. */
  readonly onEnd: (end: 'fault' | 'broken') => void;
}

/** An event of the provider. */
interface LaneEvent {
  readonly data: Buffer;
  /** The same as text. */
  readonly text: string;
  readonly frame: ServerFrame;
}

/** A request whose answer is expected or on its way. */
export interface AskedRequest extends Pick<CheckedRequest, 'asked' | 'about' | 'secrets'> {
  readonly tools: readonly OfferedTool[];
}

/** A sequence of answers on one connection, of which one is open at a time. */
export class ResponseLane {
  readonly id: string | undefined;
  /** True from a request to the end of its answer. */
  isOpen = false;
  /** The last request. */
  request: AskedRequest | undefined;
  readonly #options: LaneOptions;
  #stream: JudgedStream | undefined;
  /** Stores the open answer. */
  #keep: (() => void) | undefined;
  /** True once the last event of the open answer was pushed. */
  #hasEnded = false;
  /** Events of the provider behind a verdict that is awaited. */
  #events: LaneEvent[] = [];

  constructor(options: LaneOptions) {
    this.id = options.id;
    this.#options = options;
  }

  /** True while a verdict is awaited, or the client is; nothing may be pushed then. */
  get isWaiting(): boolean {
    return this.#stream?.isWaiting === true;
  }

  get isIdle(): boolean {
    return !this.isOpen && this.#stream === undefined && this.#events.length === 0;
  }

  /** Bytes of events that wait. */
  get waiting(): number {
    return this.#events.reduce((sum, { data }) => sum + data.length, 0);
  }

  /** Takes an event of the provider, at once or once a verdict is there. */
  take(event: LaneEvent): void {
    if (this.isWaiting || this.#events.length > 0) this.#events.push(event);
    else this.#push(event);
  }

  #push({ data, text, frame }: LaneEvent): void {
    if (frame.type === 'response.created' && frame.answer !== undefined) this.#options.onAnswer(this, frame.answer);
    const stream = (this.#stream ??= this.#begin());
    if (frame.isBeginning) this.isOpen = true;
    const event = this.#replay(frame, text) ?? data;
    stream.guarded(() => stream.push(toEvent(event, frame.type)));
    stream.received(data.length);
    this.#hasEnded ||= frame.isEnd;
    this.#settle();
  }

  /** Ends the open answer if the provider has left it incomplete. */
  end(): void {
    const stream = this.#stream;
    if (stream === undefined || this.#hasEnded) return;
    this.#hasEnded = true;
    stream.guarded(() => stream.end());
    this.#settle();
  }

  /** Goes on with what waits. Call it after each verdict, and when the client has read what it was sent. */
  resume(): void {
    this.#stream?.resume();
    while (!this.isWaiting && !this.#options.isFull()) {
      const next = this.#events.shift();
      if (next === undefined) break;
      this.#push(next);
    }
  }

  /** Takes open questions back: the client does not want the rest of the answer. */
  interrupt(): void {
    this.#stream?.withdraw();
  }

  /** Returns the frames that keep the client waiting; none if it need not wait. */
  keepAlive(): readonly string[] {
    return this.#stream?.isHolding === true ? toFrames(this.#stream.keepAlive, this.id) : [];
  }

  /** Gives the open answer up. */
  close(): void {
    this.#events = [];
    this.#end();
  }

  #end(): void {
    if (this.#stream === undefined) return;
    this.#stream.close();
    this.#stream = undefined;
    this.#keep?.();
    this.#keep = undefined;
    this.#options.parts.counters.streams--;
  }

  /** Closes the answer if it is complete; what belongs to no answer is complete by itself. */
  #settle(): void {
    const stream = this.#stream;
    if (stream === undefined || stream.isWaiting || (!this.#hasEnded && (this.isOpen || stream.isHolding))) return;
    this.#end();
    this.isOpen = false;
    this.#hasEnded = false;
  }

  /** Returns the error at which the client sends the whole conversation again, if the provider has refused to go on without it. */
  #replay({ type }: ServerFrame, text: string): Buffer | undefined {
    if (type !== 'error' || this.request?.asked.previousAnswer === undefined) return undefined;
    const anew = this.#options.api.replayError?.(text);
    return anew === undefined ? undefined : Buffer.from(formatRefusal(anew.body, { status: anew.status, lane: this.id }));
  }

  #begin(): JudgedStream {
    const { api, guard, parts, describe, write, isFull, onJudged, onEnd } = this.#options;
    const about = this.request?.about ?? describe(NO_TOOLS);
    const secrets = this.request?.secrets;
    const restored = restoredApi(api, secrets);
    const watched = guard.bodies?.watch(restored, about.id);
    this.#keep = () => {
      watched?.keep();
      secrets?.report();
    };
    parts.counters.streams++;
    let begun = '';
    const writeEvents = (events: string): void => {
      begun += events;
      // A WebSocket's frame is a whole event, which ends with a blank line.
      if (!begun.endsWith('\n\n')) return;
      const whole = begun;
      begun = '';
      for (const frame of toFrames(whole, this.id)) write(frame);
    };
    const options = {
      gate: guard.gate,
      decided: guard.decided,
      rounds: parts.rounds,
      request: about,
      api: watched?.api ?? restored,
      maxFrame: parts.limits.frame,
      warn: parts.warn,
      ...(parts.heap === undefined ? {} : { heap: parts.heap }),
    };
    return new JudgedStream(options, {
      get isFull() {
        return isFull();
      },
      pass: ({ bytes }) => write(bytes),
      own: (bytes) => writeEvents(bytes.toString('utf8')),
      text: writeEvents,
      judged: () => {
        this.#settle();
        onJudged();
      },
      finish: onEnd,
    });
  }
}
