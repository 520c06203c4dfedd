import type { ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import type { Interceptor } from '../../gate/interceptor.ts';
import type { LateVerdict, Rounds } from '../../gate/rounds.ts';
import { FORWARD, type Verdict } from '../../gate/verdict.ts';
import { formatSseEvent } from '../../protocol/sse/format.ts';
import { type SseEvent, SseSplitter } from '../../protocol/sse/splitter.ts';
import { toOneLine } from './one-line.ts';

export interface StreamOptions {
  /** What the server sends, decoded. */
  readonly source: Readable;
  /** Its head has been written. */
  readonly response: ServerResponse;
  readonly gate: Interceptor;
  readonly rounds: Rounds;
  /** Bytes that an event may have. */
  readonly maxFrame: number;
  /** Sends the server what it is answered in the client's place, as lines. */
  readonly postBack: (lines: string) => void;
  /** What the client is told where an event was too long for the stream to go on, as lines. */
  readonly tooLong: () => string;
}

/** How a stream of the server's ended. */
export type StreamEnd = 'ended' | 'broken' | 'too_long' | 'client_gone';

/** What is kept of an event until its verdict is there. */
interface Held {
  readonly event: KeptEvent;
  /** Undefined while it is not known. */
  verdict: Verdict | undefined;
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
  /** Frames to forward that have not been written: one range of one buffer. */
  #run: Buffer | undefined;
  #runStart = 0;
  #runEnd = 0;
  /** What the chunk that is read lies in. */
  #memory: ArrayBufferLike | undefined;
  #held: Held[] = [];
  #isOver = false;
  #hasEnded = false;

  constructor(options: StreamOptions, resolve: (end: StreamEnd) => void) {
    this.#options = options;
    this.#resolve = resolve;
    this.#splitter = new SseSplitter({ maxFrame: options.maxFrame });
    const { source, response } = options;
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

  #chunk(chunk: Buffer): void {
    if (this.#isOver) return;
    const { response, source, tooLong } = this.#options;
    this.#memory = chunk.buffer;
    const isWhole = this.#splitter.push(chunk, this.#visit);
    this.#flush();
    if (!isWhole) {
      for (const line of linesOf(tooLong())) response.write(formatSseEvent({ data: line }));
      this.#finish('too_long');
      return;
    }
    if (this.#held.length > 0 || response.writableNeedDrain) source.pause();
  }

  #event(event: SseEvent): void {
    const judged = this.#judge(event);
    if (judged.kind !== 'late' && this.#held.length === 0) {
      if (judged === FORWARD && event.isPlain) this.#extend(event);
      else this.#carryOut(keep(event), judged);
      return;
    }
    const kept = keep(event);
    if (judged.kind !== 'late') {
      this.#held.push({ event: kept, verdict: judged });
      return;
    }
    if (judged.isParked) {
      // What else the server sends does not wait for a person; an id that comes late would have the client resume at the wrong place.
      void judged.verdict.then((verdict) => this.#carryOut({ ...kept, id: undefined, isPlain: false }, verdict));
      return;
    }
    const held: Held = { event: kept, verdict: undefined };
    this.#held.push(held);
    void judged.verdict.then((verdict) => {
      held.verdict = verdict;
      this.#carryOutHeld();
    });
  }

  #judge({ data, dataStart, dataEnd, event }: SseEvent): Verdict | LateVerdict {
    if (data === undefined || dataStart === dataEnd) return FORWARD;
    const line = toOneLine(data.subarray(dataStart, dataEnd));
    // Other events than messages say something to the client alone; some clients take every event for a message, though.
    if (event !== undefined && event !== 'message' && !mayBeMessage(line)) return FORWARD;
    const { gate, rounds } = this.#options;
    // Where the store is taken it is judged again, when the chunk is gone.
    let copy: Buffer | undefined;
    const judged = rounds.judge(gate, () => {
      const bytes = copy ?? line;
      return gate.fromServer(bytes, 0, bytes.length);
    });
    if (judged.kind === 'late') copy = Buffer.from(line);
    return judged;
  }

  #carryOutHeld(): void {
    while (this.#held[0]?.verdict !== undefined) {
      const [next] = this.#held.splice(0, 1);
      if (next?.verdict !== undefined) this.#carryOut(next.event, next.verdict);
    }
    if (this.#held.length > 0) return;
    if (this.#hasEnded) this.#finish('ended');
    else this.#resumeIfClear();
  }

  #carryOut(event: KeptEvent, verdict: Verdict): void {
    if (this.#isOver) return;
    this.#flush();
    const { response, postBack } = this.#options;
    const { frame, isPlain, name, id, retry, data } = event;
    if (verdict.kind === 'forward') {
      response.write(isPlain ? frame : formatSseEvent({ event: name, id, retry, data }));
      return;
    }
    const back = verdict.kind === 'reply' ? verdict.line : verdict.kind === 'replace' ? (verdict.reply ?? '') : '';
    if (back !== '') postBack(back);
    const [first, ...rest] = verdict.kind === 'replace' ? linesOf(verdict.line) : [];
    if (first !== undefined) {
      response.write(formatSseEvent({ event: name, id, retry, data: first }));
      for (const line of rest) response.write(formatSseEvent({ event: name, data: line }));
    } else if (id !== undefined || retry !== undefined) {
      // Where the client resumes must not change by what it does not get to see.
      response.write(formatSseEvent({ id, retry, data: '' }));
    }
  }

  #extend({ bytes, start, end }: SseEvent): void {
    // A frame that came in several chunks lies in memory that is used again.
    if (bytes.buffer !== this.#memory) {
      this.#flush();
      this.#options.response.write(Buffer.from(bytes.subarray(start, end)));
      return;
    }
    if (this.#run === bytes && this.#runEnd === start) {
      this.#runEnd = end;
      return;
    }
    this.#flush();
    this.#run = bytes;
    this.#runStart = start;
    this.#runEnd = end;
  }

  #flush(): void {
    const run = this.#run;
    if (run === undefined) return;
    this.#run = undefined;
    this.#options.response.write(run.subarray(this.#runStart, this.#runEnd));
  }

  #resumeIfClear(): void {
    if (this.#isOver || this.#held.length > 0 || this.#options.response.writableNeedDrain) return;
    this.#options.source.resume();
  }

  #end(): void {
    this.#hasEnded = true;
    // What no blank line ended is no event, and goes nowhere.
    if (this.#held.length === 0) this.#finish('ended');
  }

  #finish(end: StreamEnd): void {
    if (this.#isOver) return;
    this.#flush();
    this.#isOver = true;
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

/** Text or a number, as servers send in events of their own, is no message to anybody. */
function mayBeMessage(data: Buffer): boolean {
  return !PLAIN_TEXT.test(data.toString('latin1', 0, MOST_OF_TEXT));
}

const PLAIN_TEXT = /^[\t ]*[\w/"'<.:+-]/;
const MOST_OF_TEXT = 64;

function linesOf(lines: string): readonly string[] {
  return lines.split('\n').filter((line) => line !== '');
}
