import type { Readable, Writable } from 'node:stream';
import { FORWARD, type RecordedVerdict, type Verdict } from '../../gate/verdict.ts';
import { LineSplitter, type LineVisitor, type OversizedLine } from '../../protocol/ndjson.ts';

/** One direction of a conversation, and what handles its lines. */
interface RelayOptions {
  readonly source: Readable;
  /** The sink of forwarded bytes. */
  readonly onward: Writable;
  /** The sink of replies, on the side of `source`. */
  readonly back: Writable;
  /** Most bytes of a line. */
  readonly maxLine: number;
  readonly inspect: (bytes: Buffer, start: number, end: number) => Verdict | RecordedVerdict | Promise<Verdict>;
  readonly oversized: (line: OversizedLine) => Verdict;
  /** Commits what `inspect` decided; called after each chunk, before its `recorded` verdicts are carried out. False if that failed. */
  readonly commit: () => boolean;
  /** Resolves when a `busy` line can be inspected again. */
  readonly ready: () => Promise<void>;
  /** Called with lines that were to be forwarded and reached nobody, since `onward` is closed. */
  readonly lost?: (lines: Buffer) => void;
  /** Called before a big line is inspected. */
  readonly beforeBig?: () => void;
  /** Called after each chunk with the number of bytes of its big lines, which are kept in reused memory. */
  readonly afterChunk?: (bigBytes: number) => void;
}

/**
 * Relays one direction of a conversation, line by line, as the verdicts say.
 *
 * Adjacent forwarded lines of a chunk are one write of the same bytes. The source is paused while `onward` is full, or `back` is full of our
 * replies. So memory is bounded: what the sinks buffer, one chunk with its replies, and the lines that wait for their verdicts.
 *
 * @returns resolves when the source has ended or failed and the last verdict is carried out. True if the last forwarded line has no line
 * feed, so that further output would continue that line
 */
export function relay(options: RelayOptions): Promise<boolean> {
  return new Promise((resolve) => new Relay(options, resolve));
}

/** A line, `bytes[start..end)`, and the start of the next one. `release` gives back memory that is not the chunk's. */
interface Line {
  readonly bytes: Buffer;
  readonly start: number;
  readonly end: number;
  readonly next: number;
  readonly release: (() => void) | undefined;
}

/**
 * Most characters of replies that `back` buffers before the source is paused. Fewer must not pause it: a side that reads only after its own
 * writes were taken would deadlock with us when other output fills its pipe.
 */
const MOST_BUFFERED_REPLIES = 256 * 1024;

const LINE_FEED = 0x0a;

const NO_LINE: Line = { bytes: Buffer.alloc(0), start: 0, end: 0, next: 0, release: undefined };

interface Held {
  readonly verdict: Verdict | RecordedVerdict;
  readonly line: Line;
}

interface Unconfirmed {
  readonly data: Buffer | string;
  /** Gives back the memory of data that could not be written. */
  readonly release: (() => void) | undefined;
}

type Stalled = ({ readonly kind: 'line' } & Line) | { readonly kind: 'oversized'; readonly line: OversizedLine };

class Relay {
  readonly #options: RelayOptions;
  readonly #resolve: (lacksLineFeed: boolean) => void;
  readonly #splitter: LineSplitter;
  readonly #visit: LineVisitor = (bytes, start, end, next, release) => {
    if (this.#state !== 'flowing') {
      this.#stalled.push({ kind: 'line', bytes, start, end, next, release });
      return;
    }
    if (release !== undefined) {
      this.#bigBytes += end - start;
      this.#options.beforeBig?.();
    }
    const verdict = this.#options.inspect(bytes, start, end);
    if (verdict === FORWARD && release === undefined && this.#held.length === 0) this.#extend(bytes, start, next);
    else this.#take(verdict, { bytes, start, end, next, release });
  };
  /** Adjacent lines to forward that have not been written yet: one range of one chunk. */
  #run: Buffer | undefined;
  #runStart = 0;
  #runEnd = 0;
  #lacksLineFeed = false;
  /** Verdicts that wait for the commit at the end of their chunk: the first one that needs it, and all after it. */
  #held: Held[] = [];
  /** Lines that wait for the store, not inspected yet: the first one that was `busy`, and all after it. */
  #stalled: Stalled[] = [];
  #state: 'flowing' | 'stalled' | 'waiting' = 'flowing';
  /** Data just written, until it shows whether `onward` was closed. */
  #unconfirmed: Unconfirmed[] = [];
  /** Number of lines that wait for a person. */
  #parked = 0;
  /** Bytes of the big lines in this chunk. */
  #bigBytes = 0;
  /** Characters of replies that `back` buffers. */
  #bufferedReplies = 0;
  #hasEnded = false;

  constructor(options: RelayOptions, resolve: (lacksLineFeed: boolean) => void) {
    this.#options = options;
    this.#resolve = resolve;
    this.#splitter = new LineSplitter(options.maxLine, (line) => {
      if (this.#state !== 'flowing') this.#stalled.push({ kind: 'oversized', line });
      else this.#take(options.oversized(line), NO_LINE);
    });
    const { source } = options;
    source.on('data', (chunk: Buffer) => this.#chunk(chunk));
    source.once('end', () => this.#end());
    source.once('close', () => this.#end());
    source.once('error', () => this.#end());
  }

  #chunk(chunk: Buffer): void {
    const { onward } = this.#options;
    // Joins all writes of a chunk into one system call.
    onward.cork();
    if (this.#splitter.push(chunk, this.#visit)) freeChunk(chunk);
    this.#settle();
    onward.uncork();
    this.#reportLost();
    if (this.#state !== 'flowing') this.#waitForStore();
    else this.#holdIfFull();
    this.#options.afterChunk?.(this.#bigBytes);
    this.#bigBytes = 0;
  }

  #take(verdict: Verdict | RecordedVerdict | Promise<Verdict>, line: Line): void {
    if (verdict instanceof Promise) this.#park(verdict, line);
    else if (verdict.kind === 'busy') {
      this.#state = 'stalled';
      this.#stalled.push({ kind: 'line', ...line });
    } else if (verdict.kind === 'recorded' || this.#held.length > 0) this.#held.push({ verdict, line });
    else this.#carryOut(verdict, line);
  }

  /** Ends a chunk: records its decisions, then carries them out. */
  #settle(): void {
    const isOnRecord = this.#options.commit();
    const held = this.#held;
    if (held.length > 0) {
      this.#held = [];
      for (const { verdict, line } of held) {
        if (verdict.kind !== 'recorded') this.#carryOut(verdict, line);
        else this.#carryOut(isOnRecord ? verdict.verdict : verdict.otherwise(), line);
      }
    }
    this.#flush();
  }

  /** Pauses the source until the store is free: no line may overtake one that must be decided. */
  #waitForStore(): void {
    const { source, ready, onward } = this.#options;
    if (this.#state === 'waiting') return;
    this.#state = 'waiting';
    source.pause();
    void ready().then(() => {
      const stalled = this.#stalled;
      this.#stalled = [];
      this.#state = 'flowing';
      onward.cork();
      for (const one of stalled) {
        if (one.kind === 'line') this.#visit(one.bytes, one.start, one.end, one.next, one.release);
        else if (this.#state !== 'flowing') this.#stalled.push(one);
        else this.#take(this.#options.oversized(one.line), NO_LINE);
      }
      this.#settle();
      onward.uncork();
      this.#reportLost();
      this.#options.afterChunk?.(this.#bigBytes);
      this.#bigBytes = 0;
      if (this.#state !== 'flowing') {
        this.#waitForStore();
        return;
      }
      source.resume();
      this.#holdIfFull();
      this.#finishIfDone();
    });
  }

  /** Carries out a verdict that comes later, such as a person's answer; other lines pass meanwhile. */
  #park(verdict: Promise<Verdict>, line: Line): void {
    this.#parked++;
    void verdict.then((settled) => {
      this.#parked--;
      this.#carryOut(settled, line);
      this.#flush();
      this.#reportLost();
      this.#finishIfDone();
    });
  }

  /** Forwards a line together with its neighbours. A line in reused memory goes by itself, after what came before. */
  #forward({ bytes, start, next, release }: Line): void {
    if (release === undefined) {
      this.#extend(bytes, start, next);
      return;
    }
    this.#flush();
    this.#send(bytes.subarray(start, next), release);
  }

  #extend(bytes: Buffer, start: number, next: number): void {
    if (this.#run === bytes && this.#runEnd === start) {
      this.#runEnd = next;
      return;
    }
    this.#flush();
    this.#run = bytes;
    this.#runStart = start;
    this.#runEnd = next;
  }

  #carryOut(verdict: Verdict, line: Line): void {
    const { back } = this.#options;
    const reply = verdict.kind === 'reply' ? verdict.line : verdict.kind === 'replace' ? verdict.reply : undefined;
    if (reply !== undefined && reply !== '') {
      const { length } = reply;
      this.#bufferedReplies += length;
      write(back, reply, () => {
        this.#bufferedReplies -= length;
      });
    }
    if (verdict.kind === 'forward') this.#forward(line);
    else line.release?.();
    if (verdict.kind === 'replace' && verdict.line !== '') {
      // Earlier lines must go out first.
      this.#flush();
      this.#send(verdict.line);
    }
  }

  #flush(): void {
    const run = this.#run;
    if (run === undefined) return;
    this.#run = undefined;
    const isWhole = this.#runStart === 0 && this.#runEnd === run.length;
    this.#send(isWhole ? run : run.subarray(this.#runStart, this.#runEnd));
    this.#lacksLineFeed = run[this.#runEnd - 1] !== LINE_FEED;
  }

  #send(data: Buffer | string, release?: () => void): void {
    const { onward } = this.#options;
    this.#unconfirmed.push({ data, release: onward.writable ? undefined : release });
    if (!onward.writable) return;
    // A line without line feed must not be continued by the next one.
    if (this.#lacksLineFeed) onward.write('\n');
    this.#lacksLineFeed = false;
    onward.write(data, release);
  }

  /** Reports data that reached nobody: a pipe without a reader fails the first write at once. A later failure may have delivered a part. */
  #reportLost(): void {
    const unconfirmed = this.#unconfirmed;
    if (unconfirmed.length === 0) return;
    this.#unconfirmed = [];
    if (this.#options.onward.writable) return;
    for (const { data, release } of unconfirmed) {
      this.#options.lost?.(typeof data === 'string' ? Buffer.from(data) : data);
      release?.();
    }
  }

  #holdIfFull(): void {
    const { source, onward, back } = this.#options;
    const filled = this.#bufferedReplies > MOST_BUFFERED_REPLIES ? [onward, back] : [onward];
    const full = filled.filter((sink) => sink.writableNeedDrain && !sink.destroyed);
    if (full.length === 0) return;
    source.pause();
    let left = full.length;
    const release = (): void => {
      left--;
      if (left === 0) source.resume();
    };
    // A sink may close instead of draining; a source that stayed paused would never end.
    for (const sink of full) onceDrainedOrClosed(sink, release);
  }

  #end(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#splitter.end(this.#visit);
    this.#settle();
    this.#reportLost();
    if (this.#state !== 'flowing') this.#waitForStore();
    this.#finishIfDone();
  }

  #finishIfDone(): void {
    if (this.#hasEnded && this.#parked === 0 && this.#state === 'flowing') this.#resolve(this.#lacksLineFeed);
  }
}

/** Writes unless the other side is gone. `Ending` handles that. */
function write(sink: Writable, data: Buffer | string, written?: () => void): void {
  if (sink.writable) sink.write(data, written);
  else written?.();
}

function onceDrainedOrClosed(sink: Writable, then: () => void): void {
  const settle = (): void => {
    sink.off('drain', settle);
    sink.off('close', settle);
    then();
  };
  sink.on('drain', settle);
  sink.on('close', settle);
}

/** Frees a chunk's memory at once, unless other chunks share it: a big message would leave hundreds of them before V8 collects. */
function freeChunk(chunk: Buffer): void {
  const { buffer } = chunk;
  if (buffer instanceof ArrayBuffer && buffer.byteLength === chunk.length) buffer.transfer(0);
}
