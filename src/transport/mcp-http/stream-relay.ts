import type { ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import type { Interceptor } from '../../gate/interceptor.ts';
import type { PendingVerdict, Rounds } from '../../gate/rounds.ts';
import { FORWARD, type Verdict } from '../../gate/verdict.ts';
import { formatSseEvent } from '../../protocol/sse/event.ts';
import { type SseEvent, SseSplitter } from '../../protocol/sse/splitter.ts';
import { type BodySource, toBodySource } from '../http/body-source.ts';
import { TickWriter } from '../http/tick-writer.ts';
import { toLooseText, toOneLine } from './body-lines.ts';

export interface StreamOptions {
  /** The server's stream, decoded. */
  readonly source: Readable;
  /** The response; its head has been written. */
  readonly response: ServerResponse;
  readonly gate: Interceptor;
  readonly rounds: Rounds;
  /** Set if the stream may carry messages that answer nothing, so that clawai may send its own: for a session, or for one request. */
  readonly listening: 'session' | 'request' | undefined;
  /** Most bytes of an event. */
  readonly maxFrame: number;
  /** Sends the server our answers in the client's place, as lines. */
  readonly postBack: (lines: string) => void;
  /** Returns what the client is told at the end of the stream, as lines; e.g. if an answer is missing. */
  readonly ended: () => string;
  /** Returns what the client is told if a too long event ended the stream, as lines. */
  readonly tooLong: () => string;
  /**
   * Gets the data of an `endpoint` event of HTTP+SSE, and a way to send the client lines. Returns the data for the client; undefined ends the
   * stream. Without it, such events are dropped: they would send the client to another address, bypassing us.
   */
  readonly endpoint?: ((data: string, tell: (lines: string) => void) => string | undefined) | undefined;
}

/**
 * Most milliseconds that chunks may take before other work gets its turn; honest ones take a tenth. Node reads up to two megabytes of one
 * connection per turn, enough for a million one-byte frames. Chunks below `WORTH_TIMING` bytes are not timed.
 */
const LONG = 2;
const WORTH_TIMING = 1024;

/** The end of a server's stream. */
export type StreamEnd = 'ended' | 'broken' | 'too_long' | 'refused' | 'client_gone';

/** An event that waits for its verdict. */
interface Held {
  readonly event: KeptEvent;
  /** Undefined until the verdict is known. */
  verdict: Verdict | undefined;
  /** True if a person was asked, so that later events may overtake it. */
  isParked: boolean;
}

interface KeptEvent {
  readonly frame: Buffer;
  readonly isPlain: boolean;
  readonly name: string | undefined;
  readonly id: string | undefined;
  readonly retry: string | undefined;
  /** Undefined if the event has no data, so that no client dispatches it. */
  readonly data: string | undefined;
}

/**
 * Streams a server's events to the client, as the gate's verdicts say. Passing frames are the very bytes that came, adjacent ones in one
 * write; ids, retry times, comments and events without data keep their places.
 */
export function relayStream(options: StreamOptions): Promise<StreamEnd> {
  return new Promise((resolve) => new StreamRelay(options, resolve));
}

class StreamRelay {
  readonly #options: StreamOptions;
  readonly #resolve: (end: StreamEnd) => void;
  readonly #splitter: SseSplitter;
  readonly #visit = (event: SseEvent): void => this.#event(event);
  readonly #skip = (bytes: Buffer, at: number): number => this.#passAlike(bytes, at);
  readonly #source: BodySource;
  readonly #writer: TickWriter;
  #held: Held[] = [];
  /** Events that wait for a person. */
  #parked = 0;
  /** `ended`, `too_long`: the source is over, while events still wait. */
  #state: 'flowing' | 'ended' | 'too_long' | 'over' = 'flowing';
  #isResting = false;
  #stopListening = (): void => {};

  constructor(options: StreamOptions, resolve: (end: StreamEnd) => void) {
    this.#options = options;
    this.#resolve = resolve;
    this.#splitter = new SseSplitter({ maxFrame: options.maxFrame });
    const { source, response } = options;
    response.once('close', () => this.#finish('client_gone'));
    response.on('drain', () => this.#resumeIfClear());
    this.#source = toBodySource(source);
    this.#writer = new TickWriter(response);
    this.#source.take({
      data: (chunk) => this.#chunk(chunk),
      // Bytes without a final blank line are not an event, and are dropped.
      end: () => this.#end('ended'),
      fail: () => {
        if (this.#state === 'flowing') this.#finish('broken');
      },
    });
    if (response.destroyed) this.#finish('client_gone');
    else this.#listen(options.listening);
  }

  #listen(as: StreamOptions['listening']): void {
    if (as === undefined) return;
    const stop = this.#options.gate.hidden.listen(this.#tell, as === 'request');
    this.#stopListening = stop;
    this.#options.response.once('close', stop);
  }

  readonly #tell = (lines: string): void => {
    if (this.#state === 'over') return;
    for (const line of linesOf(lines)) this.#writer.text(formatSseEvent({ data: line }));
  };

  #chunk(chunk: Buffer): void {
    if (this.#state !== 'flowing') return;
    const began = chunk.length < WORTH_TIMING ? undefined : performance.now();
    const isWhole = this.#splitter.push(chunk, this.#visit, this.#skip);
    if (!isWhole) this.#end('too_long');
    else if (began !== undefined && performance.now() - began > LONG) this.#rest();
    else if (this.#held.length > 0 || this.#writer.isFull) this.#source.hold();
  }

  /** Pauses until other work had its turn. */
  #rest(): void {
    this.#source.hold();
    this.#isResting = true;
    setImmediate(() => {
      this.#isResting = false;
      this.#resumeIfClear();
    });
  }

  #event(event: SseEvent): void {
    if (isEndpoint(event)) {
      this.#endpoint(event);
      return;
    }
    const place: { held?: Held } = {};
    const judged = this.#judge(event, () => {
      if (place.held !== undefined) this.#park(place.held);
    });
    if (judged.kind !== 'late' && this.#held.length === 0) {
      if (judged === FORWARD && event.isPlain) {
        this.#writer.event(event);
        if (!isOther(event.event)) this.#options.gate.alike.learn(event);
      } else this.#carryOut(keep(event), judged);
      return;
    }
    const held: Held = { event: keep(event), verdict: undefined, isParked: false };
    place.held = held;
    this.#held.push(held);
    if (judged.kind !== 'late') held.verdict = judged;
    else {
      void this.#carryOutLate(held, judged.verdict);
      if (judged.isParked) this.#park(held);
    }
  }

  /** Sends the client our own address in place of the server's. */
  #endpoint(event: SseEvent): void {
    const { id, retry, data = '' } = keep(event);
    const ours = this.#options.endpoint?.(data, this.#tell);
    if (ours !== undefined) {
      this.#writer.text(formatSseEvent({ event: 'endpoint', id, retry, data: ours }));
      // From now on, it is the one stream of a session.
      this.#stopListening();
      this.#listen('session');
    } else if (this.#options.endpoint !== undefined) this.#finish('refused');
    else if (id !== undefined || retry !== undefined) this.#writer.text(formatSseEvent({ id, retry, data: '' }));
  }

  /** Passes events that are known to be harmless unchanged, many at once, if nothing waits before them. */
  #passAlike(bytes: Buffer, from: number): number {
    const { gate, maxFrame, rounds } = this.#options;
    if (this.#held.length > 0) return from;
    const end = rounds.lookUp(gate, () => gate.alike.pass(bytes, from, maxFrame));
    if (end > from) this.#writer.bytes(bytes, from, end);
    return end;
  }

  #judge({ bytes, data, dataStart, dataEnd, event, isJoined }: SseEvent, onParked: () => void): Verdict | PendingVerdict {
    if (data === undefined || dataStart === dataEnd) return FORWARD;
    // Data inside the frame is one line of it. A joined frame is copied before the gate may read it again.
    if (data === bytes && !isJoined && !isOther(event)) return this.#ask(data, dataStart, dataEnd, onParked);
    let line = toOneLine(data.subarray(dataStart, dataEnd));
    // Events with other names are not messages to most clients, but some clients parse every event as one.
    const isLoose = isOther(event) && !mayBeMessage(line);
    if (isLoose && line.length < LEAST_TEXT) return FORWARD;
    if (isLoose) line = toLooseText(line).line;
    else if (data === bytes && isJoined) line = Buffer.from(line);
    return this.#ask(line, 0, line.length, onParked);
  }

  #ask(bytes: Buffer, start: number, end: number, onParked: () => void): Verdict | PendingVerdict {
    const { gate, rounds } = this.#options;
    return rounds.judge(gate, () => gate.fromServer(bytes, start, end), onParked);
  }

  /** Lets later events of the server overtake this one, which waits for a person. */
  #park(held: Held): void {
    const at = this.#held.indexOf(held);
    if (at === -1) return;
    this.#held.splice(at, 1);
    held.isParked = true;
    this.#parked++;
    this.#carryOutHeld();
  }

  async #carryOutLate(held: Held, late: Promise<Verdict>): Promise<void> {
    try {
      const verdict = await late;
      if (held.isParked) {
        this.#parked--;
        // An id that comes late would make the client resume at the wrong place.
        this.#carryOut({ ...held.event, id: undefined, isPlain: false }, verdict);
      } else held.verdict = verdict;
      this.#carryOutHeld();
    } catch {
      // An event without a verdict must not pass, and later ones must not overtake it.
      this.#finish('broken');
    }
  }

  #carryOutHeld(): void {
    while (this.#held[0]?.verdict !== undefined) {
      const [next] = this.#held.splice(0, 1);
      if (next?.verdict !== undefined) this.#carryOut(next.event, next.verdict);
    }
    this.#finishIfClear();
    this.#resumeIfClear();
  }

  #carryOut(event: KeptEvent, verdict: Verdict): void {
    const { postBack } = this.#options;
    const back = verdict.kind === 'reply' ? verdict.line : verdict.kind === 'replace' ? (verdict.reply ?? '') : '';
    // The server waits for the answer even if the client has gone.
    if (back !== '') postBack(back);
    if (this.#state === 'over') return;
    const { frame, isPlain, name, id, retry, data } = event;
    if (verdict.kind === 'forward') {
      if (isPlain) this.#writer.bytes(frame, 0, frame.length);
      else this.#writer.text(formatSseEvent({ event: name, id, retry, data }));
      return;
    }
    // The client does not wait for the rest of something that was not a message.
    const isMessage = !isOther(name) || data === undefined || mayBeMessage(Buffer.from(data));
    const [first, ...rest] = verdict.kind === 'replace' && isMessage ? linesOf(verdict.line) : [];
    if (first !== undefined) {
      this.#writer.text(formatSseEvent({ event: name, id, retry, data: first }));
      for (const line of rest) this.#writer.text(formatSseEvent({ event: name, data: line }));
    } else if (id !== undefined || retry !== undefined) {
      // The id passes even if its event does not, so that the client resumes at the right place.
      this.#writer.text(formatSseEvent({ id, retry, data: '' }));
    }
  }

  #resumeIfClear(): void {
    const isBusy = this.#isResting || this.#held.length > 0 || this.#writer.isFull;
    if (!isBusy && this.#state === 'flowing') this.#source.release();
  }

  /** Notes that the source is over; waiting events still pass. */
  #end(end: 'ended' | 'too_long'): void {
    if (this.#state !== 'over') this.#state = end;
    if (end === 'too_long') this.#source.hold();
    this.#finishIfClear();
  }

  #finishIfClear(): void {
    const { ended, tooLong } = this.#options;
    const state = this.#state;
    if (state === 'flowing' || state === 'over' || this.#held.length > 0) return;
    if (state === 'ended' && this.#parked > 0) return;
    this.#tell(state === 'ended' ? ended() : tooLong());
    this.#finish(state);
  }

  #finish(end: StreamEnd): void {
    if (this.#state === 'over') return;
    this.#writer.flush();
    this.#state = 'over';
    const { response, source } = this.#options;
    // A broken stream must look broken to the client.
    if (end === 'broken') response.destroy();
    else if (end !== 'client_gone') response.end();
    if (end !== 'ended') source.destroy();
    this.#resolve(end);
  }
}

function keep({ bytes, start, end, data, dataStart, dataEnd, event, id, retry, isPlain }: SseEvent): KeptEvent {
  return {
    frame: Buffer.from(bytes.subarray(start, end)),
    isPlain,
    name: event,
    id,
    retry,
    // Normalised as it was judged: parsers differ on line ends within a message.
    data: data === undefined ? undefined : toOneLine(data.subarray(dataStart, dataEnd)).toString('utf8'),
  };
}

/** Bytes from which a custom event is checked: shorter ones are a sign of life, or a number. */
const LEAST_TEXT = 16;

function isEndpoint({ event, data, dataStart, dataEnd }: SseEvent): boolean {
  return event !== undefined && data !== undefined && dataEnd > dataStart && event.trim().toLowerCase() === 'endpoint';
}

function isOther(name: string | undefined): boolean {
  return name !== undefined && name !== 'message';
}

/** Tells whether data may be a message: text or a number, as in custom events, never is. */
function mayBeMessage(data: Buffer): boolean {
  return !PLAIN_TEXT.test(data.toString('latin1', 0, MOST_OF_TEXT));
}

const PLAIN_TEXT = /^[\t ]*[\w/"'<.:+-]/;
const MOST_OF_TEXT = 64;

function linesOf(lines: string): readonly string[] {
  return lines.split('\n').filter((line) => line !== '');
}
