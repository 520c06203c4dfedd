import type { ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import type { Interceptor } from '../../gate/interceptor.ts';
import type { LateVerdict, Rounds } from '../../gate/rounds.ts';
import { DROP, FORWARD, type Verdict } from '../../gate/verdict.ts';
import { formatSseEvent } from '../../protocol/sse/format.ts';
import { type SseEvent, SseSplitter } from '../../protocol/sse/splitter.ts';
import { type BodySource, toBodySource } from '../http/body-source.ts';
import { TickWriter } from '../http/tick-writer.ts';
import { toLooseText, toOneLine } from './body-lines.ts';

export interface StreamOptions {
  /** What the server sends, decoded. */
  readonly source: Readable;
  /** Its head has been written. */
  readonly response: ServerResponse;
  readonly gate: Interceptor;
  readonly rounds: Rounds;
  /** It is one on which the server says what it says by itself, so that clawai does, too: of a session, or of one request. */
  readonly listening: 'session' | 'request' | undefined;
  /** Bytes that an event may have. */
  readonly maxFrame: number;
  /** Sends the server what it is answered in the client's place, as lines. */
  readonly postBack: (lines: string) => void;
  /** What the client is told where the stream came to its end, as lines; where an answer is missing, for example. */
  readonly ended: () => string;
  /** What the client is told where an event was too long for the stream to go on, as lines. */
  readonly tooLong: () => string;
}

/**
 * Milliseconds that a chunk takes at most before others get their turn; honest ones take a tenth of that. Node reads up to two megabytes of one
 * connection in a turn, and a million frames of a byte each lie in there. Chunks of fewer bytes are not timed.
 */
const LONG = 2;
const WORTH_TIMING = 1024;

/** How a stream of the server's ended. */
export type StreamEnd = 'ended' | 'broken' | 'too_long' | 'client_gone';

/** What is kept of an event until its verdict is there. */
interface Held {
  readonly event: KeptEvent;
  /** Undefined while it is not known. */
  verdict: Verdict | undefined;
  /** A person is asked, and it keeps its place no more. */
  isParked: boolean;
}

interface KeptEvent {
  readonly frame: Buffer;
  readonly isPlain: boolean;
  readonly name: string | undefined;
  readonly id: string | undefined;
  readonly retry: string | undefined;
  /** Undefined where it has none, and nobody dispatches it. */
  readonly data: string | undefined;
}

/**
 * Carries a server's stream of events to the client, as the gate's verdicts say. Frames that may pass are the very bytes that came, those that lie
 * next to each other in one write; ids, retry times, comments and events without data pass in their places.
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
  /** How many events wait for a person. */
  #parked = 0;
  /** `ended`, `too_long`: how the source did, while there are events that wait. */
  #state: 'flowing' | 'ended' | 'too_long' | 'over' = 'flowing';
  #isResting = false;

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
      // What no blank line ended is no event, and goes nowhere.
      end: () => this.#end('ended'),
      fail: () => {
        if (this.#state === 'flowing') this.#finish('broken');
      },
    });
    const tell = (line: string): void => this.#writer.text(formatSseEvent({ data: line.trimEnd() }));
    if (response.destroyed) this.#finish('client_gone');
    else if (options.listening !== undefined)
      response.once('close', options.gate.hidden.listen(tell, options.listening === 'request'));
  }

  #chunk(chunk: Buffer): void {
    if (this.#state !== 'flowing') return;
    const began = chunk.length < WORTH_TIMING ? undefined : performance.now();
    const isWhole = this.#splitter.push(chunk, this.#visit, this.#skip);
    if (!isWhole) this.#end('too_long');
    else if (began !== undefined && performance.now() - began > LONG) this.#rest();
    else if (this.#held.length > 0 || this.#writer.isFull) this.#source.hold();
  }

  /** Goes on when others had their turn. */
  #rest(): void {
    this.#source.hold();
    this.#isResting = true;
    setImmediate(() => {
      this.#isResting = false;
      this.#resumeIfClear();
    });
  }

  #event(event: SseEvent): void {
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

  /** What is known to pass goes on as it came, many events at once, where nothing waits before it. */
  #passAlike(bytes: Buffer, from: number): number {
    const { gate, maxFrame, rounds } = this.#options;
    if (this.#held.length > 0) return from;
    const end = rounds.look(gate, () => gate.alike.pass(bytes, from, maxFrame));
    if (end > from) this.#writer.bytes(bytes, from, end);
    return end;
  }

  #judge({ bytes, data, dataStart, dataEnd, event, isJoined }: SseEvent, onParked: () => void): Verdict | LateVerdict {
    if (data === undefined || dataStart === dataEnd) return FORWARD;
    // Data that lies in the frame is one line of it. What is joined is written anew before the gate may look at it again.
    if (data === bytes && !isJoined && !isOther(event)) return this.#ask(data, dataStart, dataEnd, onParked);
    // Of the transport before this one: it sends the client to another address, past us.
    if (event?.trim().toLowerCase() === 'endpoint') return DROP;
    let line = toOneLine(data.subarray(dataStart, dataEnd));
    // Other events than messages say something to the client alone; some clients take every event for a message, though.
    const isLoose = isOther(event) && !mayBeMessage(line);
    if (isLoose && line.length < LEAST_TEXT) return FORWARD;
    if (isLoose) line = toLooseText(line).line;
    else if (data === bytes && isJoined) line = Buffer.from(line);
    return this.#ask(line, 0, line.length, onParked);
  }

  #ask(bytes: Buffer, start: number, end: number, onParked: () => void): Verdict | LateVerdict {
    const { gate, rounds } = this.#options;
    return rounds.judge(gate, () => gate.fromServer(bytes, start, end), onParked);
  }

  /** What else the server sends does not wait for a person. */
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
        // An id that comes late would have the client resume at the wrong place.
        this.#carryOut({ ...held.event, id: undefined, isPlain: false }, verdict);
      } else held.verdict = verdict;
      this.#carryOutHeld();
    } catch {
      // Without its verdict an event must not pass, and those after it can't.
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
    // The server waits for it also where the client has gone.
    if (back !== '') postBack(back);
    if (this.#state === 'over') return;
    const { frame, isPlain, name, id, retry, data } = event;
    if (verdict.kind === 'forward') {
      if (isPlain) this.#writer.bytes(frame, 0, frame.length);
      else this.#writer.text(formatSseEvent({ event: name, id, retry, data }));
      return;
    }
    // What is left of what is no message is nothing that the client waits for.
    const isMessage = !isOther(name) || data === undefined || mayBeMessage(Buffer.from(data));
    const [first, ...rest] = verdict.kind === 'replace' && isMessage ? linesOf(verdict.line) : [];
    if (first !== undefined) {
      this.#writer.text(formatSseEvent({ event: name, id, retry, data: first }));
      for (const line of rest) this.#writer.text(formatSseEvent({ event: name, data: line }));
    } else if (id !== undefined || retry !== undefined) {
      // Where the client resumes must not change by what it does not get to see.
      this.#writer.text(formatSseEvent({ id, retry, data: '' }));
    }
  }

  #resumeIfClear(): void {
    const isBusy = this.#isResting || this.#held.length > 0 || this.#writer.isFull;
    if (!isBusy && this.#state === 'flowing') this.#source.release();
  }

  /** The source has nothing more; what waits still passes. */
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
    for (const line of linesOf(state === 'ended' ? ended() : tooLong())) this.#writer.text(formatSseEvent({ data: line }));
    this.#finish(state);
  }

  #finish(end: StreamEnd): void {
    if (this.#state === 'over') return;
    this.#writer.flush();
    this.#state = 'over';
    const { response, source } = this.#options;
    // A stream that broke is seen to have broken.
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
    // As it was judged: readers differ on line ends within a message.
    data: data === undefined ? undefined : toOneLine(data.subarray(dataStart, dataEnd)).toString('utf8'),
  };
}

/** Bytes from which on an event of another name may say something: fewer are a sign of life, or a number. */
const LEAST_TEXT = 16;

function isOther(name: string | undefined): boolean {
  return name !== undefined && name !== 'message';
}

/** Text or a number, as servers send in events of their own, is no message to anybody. */
function mayBeMessage(data: Buffer): boolean {
  return !PLAIN_TEXT.test(data.toString('latin1', 0, MOST_OF_TEXT));
}

const PLAIN_TEXT = /^[\t ]*[\w/"'<.:+-]/;
const MOST_OF_TEXT = 64;

function linesOf(lines: string): readonly string[] {
  return lines.split('\n').filter((line) => line !== '');
}
