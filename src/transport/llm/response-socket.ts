import type { RequestFate } from '../../gate/ports/records.ts';
import type { OfferedTool } from '../../protocol/llm/model-api.ts';
import { formatRefusal, readClientFrame, readServerFrame } from '../../protocol/llm/openai/responses/socket-frames.ts';
import { formatEnd } from '../../protocol/llm/note.ts';
import { isBehind, isClosingCode, isOpen, type WebSocket } from '../http/web-socket.ts';
import { checkRequest, NO_TOOLS } from './check-request.ts';
import type { LlmParts } from './llm-guard.ts';
import { KEEP_ALIVE, TOO_LONG } from './model-relay.ts';
import { type LaneOptions, ResponseLane } from './response-lane.ts';

/** Milliseconds without an open answer or a frame after which a connection is closed: clients keep one for a whole session. */
const IDLE = 10 * 60_000;

/** Most bytes of the provider's frames that wait for a verdict or for the client; beyond them it is not read any more. */
const MOST_WAITING = 256 * 1024;

/** Most lanes of a connection, and most answers whose tools are remembered for those that continue them. */
const MOST = { lanes: 64, answers: 64 } as const;

/** Codes of close frames (RFC 6455, 7.4.1); `broken` stands for none. */
const CODES = { away: 1001, unsupported: 1003, broken: 1006, failed: 1011 } as const;

const TEXT = { binary: false } as const;

export interface ResponseSocketOptions extends Pick<LaneOptions, 'api' | 'guard' | 'describe'> {
  readonly client: WebSocket;
  readonly upstream: WebSocket;
  readonly parts: LaneOptions['parts'] & Pick<LlmParts, 'name' | 'keepAlive'>;
  readonly count: (fate: RequestFate) => void;
  /** Aborts when no more requests are welcome. */
  readonly closing: AbortSignal;
}

/**
 * Relays the two sides of a WebSocket of OpenAI's Responses API until one of them closes. Each request is checked and each answer judged as
 * over HTTP; what nobody understands is refused.
 */
export function relayFrames(options: ResponseSocketOptions): Promise<void> {
  return new Promise((resolve) => new ResponseSocket(options, resolve));
}

class ResponseSocket {
  readonly #options: ResponseSocketOptions;
  readonly #resolve: () => void;
  readonly #lanes = new Map<string | undefined, ResponseLane>();
  /** Tools by the answer that they were offered for: a request that continues it need not repeat them. */
  readonly #tools = new Map<string, readonly OfferedTool[]>();
  readonly #timer: NodeJS.Timeout;
  /** Frames of the client that wait for their turn. */
  #requests: Buffer[] = [];
  #isChecking = false;
  /** Called when the provider has read what it was sent. */
  #onRoom: (() => void) | undefined;
  /** Frames of the provider that wait for their turn, and their bytes. */
  #events: Buffer[] = [];
  #waiting = 0;
  /** The provider's close frame. */
  #closed: { readonly code: number; readonly reason: Buffer } | undefined;
  #lastWrite = performance.now();
  #lastFrame = performance.now();
  #isOver = false;
  readonly #takeMore = (): void => this.#takeEvents();
  readonly #leave = (): void => this.#leaveIfIdle();

  constructor(options: ResponseSocketOptions, resolve: () => void) {
    this.#options = options;
    this.#resolve = resolve;
    const { client, upstream, closing, parts } = options;
    const { keepAlive = KEEP_ALIVE } = parts;
    this.#timer = setInterval(() => this.#tick(keepAlive), keepAlive).unref();
    client
      .on('message', (data, isBinary) => this.#fromClient(data, isBinary))
      .on('ping', (data) => passControl(upstream, 'ping', data))
      .on('pong', (data) => passControl(upstream, 'pong', data))
      .on('error', () => {})
      .on('close', (code, reason) => this.#finish(code, reason));
    upstream
      .on('message', (data, isBinary) => this.#fromUpstream(data, isBinary))
      .on('ping', (data) => passControl(client, 'ping', data))
      .on('pong', (data) => passControl(client, 'pong', data))
      .on('error', (error) => this.#failed(error))
      .on('close', (code, reason) => this.#upstreamClosed(code, reason));
    closing.addEventListener('abort', this.#leave);
    client.resume();
    upstream.resume();
    this.#leave();
  }

  get #isObserving(): boolean {
    return this.#options.guard.gate.isObserving;
  }

  get #isBusy(): boolean {
    return this.#isChecking || this.#events.length > 0 || [...this.#lanes.values()].some((lane) => !lane.isIdle);
  }

  /** True while something of the provider waits for a verdict or for the client. */
  get #isWaiting(): boolean {
    return this.#events.length > 0 || [...this.#lanes.values()].some(({ isWaiting, waiting }) => isWaiting || waiting > 0);
  }

  /** True while so much waits that the provider is not read any more. */
  get #isFull(): boolean {
    return [...this.#lanes.values()].reduce((sum, { waiting }) => sum + waiting, this.#waiting) > MOST_WAITING;
  }

  #fromClient(data: Buffer, isBinary: boolean): void {
    if (this.#isOver) return;
    this.#lastFrame = performance.now();
    if (isBinary) return this.#end(CODES.unsupported, 'clawai passes no binary frames on');
    this.#requests.push(data);
    this.#options.client.pause();
    if (!this.#isChecking) void this.#check();
  }

  /** Takes the client's frames one by one; it reads the next ones once these are on their way. */
  async #check(): Promise<void> {
    const { client, parts } = this.#options;
    this.#isChecking = true;
    try {
      for (let next = this.#requests.shift(); next !== undefined && !this.#isOver; next = this.#requests.shift()) {
        const text = await this.#checked(next.toString('utf8'));
        if (text !== undefined && !this.#isOver) await this.#send(text);
      }
      if (!this.#isOver) client.resume();
    } catch (error) {
      // A bug of ours must not let the request through.
      parts.warn(`a request to ${parts.name} failed: ${String(error)}`);
      parts.counters.failed++;
      this.#end(CODES.failed, 'clawai failed to handle this request');
    } finally {
      this.#isChecking = false;
      this.#leaveIfIdle();
    }
  }

  /** Returns what is sent in place of a frame of the client; undefined if it is refused, and the client was told. */
  async #checked(text: string): Promise<string | undefined> {
    const frame = readClientFrame(text);
    if (typeof frame === 'string') return this.#isObserving ? text : this.#refuseUnchecked(frame, undefined);
    if (frame.kind === 'steer') return this.#withoutSecrets(text);
    if (frame.kind === 'interrupt') {
      this.#lanes.get(frame.lane)?.interrupt();
      return text;
    }
    const lane = this.#laneOf(frame.lane);
    if (lane === undefined) return this.#refuseUnchecked(`it opens more than ${MOST.lanes} streams`, frame.lane);
    if (lane.isOpen && !this.#isObserving) return this.#refuseUnchecked('the last response is not complete yet', frame.lane);
    const { api, guard, parts, describe, count } = this.#options;
    if (!lane.isOpen) lane.close();
    lane.isOpen = true;
    parts.counters.requests++;
    parts.counters.last = Date.now();
    let tools: readonly OfferedTool[] = [];
    const checked = await checkRequest(text, {
      api,
      guard,
      rounds: parts.rounds,
      place: 'body',
      isFromAgent: true,
      describe: (asked) => {
        tools = joinTools(this.#tools.get(asked.previousAnswer ?? '') ?? [], asked.tools);
        return describe({ tools });
      },
      count,
    });
    if ('status' in checked) {
      lane.isOpen = false;
      return this.#refuse(checked.status, checked.why, frame.lane);
    }
    lane.request = { asked: checked.asked, about: checked.about, secrets: checked.secrets, tools };
    return checked.text ?? text;
  }

  async #withoutSecrets(text: string): Promise<string> {
    const { api, guard, describe } = this.#options;
    return (await guard.secrets?.edit(text, { api, place: 'body', request: describe(NO_TOOLS) })) ?? text;
  }

  #laneOf(id: string | undefined): ResponseLane | undefined {
    const known = this.#lanes.get(id);
    if (known !== undefined) return known;
    if (this.#lanes.size >= MOST.lanes) {
      const idle = [...this.#lanes.values()].find(({ isIdle }) => isIdle);
      if (idle === undefined) return undefined;
      this.#lanes.delete(idle.id);
    }
    const { api, guard, parts, describe, client } = this.#options;
    const lane = new ResponseLane({
      id,
      api,
      guard,
      parts,
      describe,
      write: (frame) => this.#write(frame),
      isFull: () => isBehind(client),
      onAnswer: (of, answer) => this.#noteAnswer(of, answer),
      onJudged: this.#takeMore,
      onEnd: (end) => {
        if (end === 'fault') this.#end(CODES.failed, UNREADABLE);
        else this.#finish(CODES.broken, '');
      },
    });
    this.#lanes.set(id, lane);
    return lane;
  }

  #refuseUnchecked(why: string, lane: string | undefined): undefined {
    this.#options.count('refused');
    return this.#refuse(400, `clawai refused this request: ${why}`, lane);
  }

  #refuse(status: number, why: string, lane: string | undefined): undefined {
    const { api, parts } = this.#options;
    parts.counters.answered++;
    this.#write(formatRefusal(api.errorBody(why, status < 500 ? 'request' : 'server'), { status, lane }));
  }

  /** Sends a frame to the provider; resolves when it has read most of what it was sent. */
  async #send(text: string): Promise<void> {
    const { upstream } = this.#options;
    if (!isOpen(upstream)) return;
    upstream.send(text, TEXT, () => {
      if (!isBehind(upstream)) this.#onRoom?.();
    });
    if (isBehind(upstream)) await new Promise<void>((resolve) => (this.#onRoom = resolve));
    this.#onRoom = undefined;
  }

  #fromUpstream(data: Buffer, isBinary: boolean): void {
    if (this.#isOver) return;
    this.#lastFrame = performance.now();
    if (isBinary) return this.#fault('a binary frame');
    this.#events.push(data);
    this.#waiting += data.length;
    this.#takeEvents();
    if (this.#isFull) this.#options.upstream.pause();
  }

  /** Takes the provider's frames, as far as nothing holds them up. */
  #takeEvents(): void {
    for (const lane of this.#lanes.values()) this.#guarded(() => lane.resume());
    while (!this.#isOver && !isBehind(this.#options.client)) {
      const next = this.#events.shift();
      if (next === undefined) break;
      this.#waiting -= next.length;
      this.#guarded(() => this.#take(next));
    }
    if (this.#isOver || this.#isFull) return;
    if (this.#closed === undefined) this.#options.upstream.resume();
    else if (!this.#isWaiting) this.#endAnswers(this.#closed);
    this.#leaveIfIdle();
  }

  /** Runs a step; a bug of ours ends the connection, and not the process. */
  #guarded(step: () => void): void {
    try {
      step();
    } catch (error) {
      this.#options.parts.warn(`could not follow an answer of the model: ${String(error)}`);
      this.#finish(CODES.broken, '');
    }
  }

  #take(data: Buffer): void {
    const text = data.toString('utf8');
    const frame = readServerFrame(text);
    if (typeof frame === 'string') return this.#isObserving ? this.#write(data) : this.#fault(frame);
    // Only the client opens lanes; the one without a name is always there.
    const isKnown = frame.lane === undefined || this.#lanes.has(frame.lane) || this.#isObserving;
    const lane = isKnown ? this.#laneOf(frame.lane) : undefined;
    if (lane === undefined) return this.#fault('an event of a stream that nobody asked for');
    if (frame.isReceipt) return this.#write(data);
    lane.take({ data, text, frame });
  }

  /** Remembers the tools for a request that continues this answer. */
  #noteAnswer({ request }: ResponseLane, answer: string): void {
    if (request === undefined) return;
    const { asked, tools } = request;
    // The provider has taken the results of the denied calls.
    if (asked.isConversation === true) this.#options.guard.gate.denied.settle(asked.previousAnswer ?? '');
    this.#tools.delete(answer);
    this.#tools.set(answer, tools);
    const [oldest] = this.#tools.keys();
    if (this.#tools.size > MOST.answers && oldest !== undefined) this.#tools.delete(oldest);
  }

  #write(frame: Buffer | string): void {
    const { client } = this.#options;
    if (this.#isOver || !isOpen(client)) return;
    this.#lastWrite = performance.now();
    client.send(frame, TEXT, this.#takeMore);
  }

  #tick(after: number): void {
    const now = performance.now();
    if (now - this.#lastWrite >= after * 0.9)
      for (const lane of this.#lanes.values()) for (const frame of lane.keepAlive()) this.#write(frame);
    const isDone = !this.#isBusy || this.#closed !== undefined;
    if (isDone && now - this.#lastFrame > IDLE) this.#end(CODES.away, 'nothing was said for too long');
  }

  /** Ends the connection because the provider's frames can't be read; the client is told. */
  #fault(why: string): void {
    const { api, parts } = this.#options;
    parts.warn(`ended an answer of the model: ${why}`);
    this.#write(formatRefusal(api.errorBody(formatEnd(why), 'server'), { status: 502, lane: undefined }));
    this.#end(CODES.failed, UNREADABLE);
  }

  #failed({ code = 'unknown error' }: { readonly code?: string }): void {
    if (this.#isOver) return;
    if (code === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH') return this.#fault(TOO_LONG);
    this.#options.parts.warn(`the WebSocket of ${this.#options.parts.name} broke: ${code}`);
    this.#end(CODES.failed, `the WebSocket of ${this.#options.parts.name} broke`);
  }

  #upstreamClosed(code: number, reason: Buffer): void {
    if (this.#isOver) return;
    if (code === CODES.broken) return this.#finish(code, reason);
    this.#closed = { code, reason };
    this.#onRoom?.();
    this.#takeEvents();
  }

  /** Ends open answers as the provider did, and then the connection. */
  #endAnswers({ code, reason }: { readonly code: number; readonly reason: Buffer }): void {
    for (const lane of this.#lanes.values()) lane.end();
    if (!this.#isWaiting) this.#end(code, reason);
  }

  #leaveIfIdle(): void {
    if (this.#options.closing.aborted && !this.#isOver && !this.#isBusy) this.#end(CODES.away, 'clawai is shutting down');
  }

  /** Closes both sides with the same code. */
  #end(code: number, reason: Buffer | string): void {
    if (this.#isOver) return;
    close(this.#options.client, code, reason);
    this.#finish(code, reason);
  }

  /** Gives everything up. If one side has broken, the other one must look broken as well. */
  #finish(code: number, reason: Buffer | string): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const { client, upstream, closing } = this.#options;
    clearInterval(this.#timer);
    closing.removeEventListener('abort', this.#leave);
    for (const lane of this.#lanes.values()) lane.close();
    this.#requests = [];
    this.#events = [];
    this.#onRoom?.();
    close(upstream, code, reason);
    if (isOpen(client)) client.terminate();
    this.#resolve();
  }
}

const UNREADABLE = 'clawai could not read an answer of the model';

/** Adds the tools of a request to those of the answer that it continues; later definitions replace earlier ones. */
function joinTools(earlier: readonly OfferedTool[], own: readonly OfferedTool[]): readonly OfferedTool[] {
  if (earlier.length === 0 || own.length === 0) return own.length === 0 ? earlier : own;
  return [...new Map([...earlier, ...own].map((tool) => [JSON.stringify([tool.group ?? null, tool.name]), tool])).values()];
}

/** Closes a side with the code of the other one. Without one, the other side has broken. */
function close(socket: WebSocket, code: number, reason: Buffer | string): void {
  // The answer to our close frame must be read.
  socket.resume();
  if (code === CODES.broken) socket.terminate();
  else if (!isClosingCode(code)) socket.close();
  else socket.close(code, reason);
}

/** Passes a ping or a pong on, unless the other side is behind. */
function passControl(socket: WebSocket, kind: 'ping' | 'pong', data: Buffer): void {
  if (isOpen(socket) && !isBehind(socket)) socket[kind](data);
}
