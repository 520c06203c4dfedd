import type { Readable, Writable } from 'node:stream';
import { FORWARD, type RecordedVerdict, type Verdict } from '../../gate/verdict.ts';
import { LineSplitter, type LineVisitor, type OversizedLine } from '../../protocol/ndjson.ts';

/** One direction of a conversation, and what happens to its lines. */
interface RelayOptions {
  readonly source: Readable;
  /** Where forwarded bytes go. */
  readonly onward: Writable;
  /** Where replies go: to the side that `source` belongs to. */
  readonly back: Writable;
  /** Bytes a line may have. */
  readonly maxLine: number;
  readonly inspect: (bytes: Buffer, start: number, end: number) => Verdict | RecordedVerdict | Promise<Verdict>;
  readonly oversized: (line: OversizedLine) => Verdict;
  /** Puts on record what `inspect` decided; called after each chunk, before its `recorded` verdicts are carried out. False where that failed. */
  readonly record: () => boolean;
  /** Resolves when a line whose verdict was `busy` is worth another try. */
  readonly ready: () => Promise<void>;
  /** Called with lines that were to be forwarded and are known to have reached nobody, since `onward` is closed. */
  readonly lost?: (lines: Buffer) => void;
  /** Called before a big line is inspected. */
  readonly beforeBig?: () => void;
  /** Called after each chunk, with the bytes of the big lines in it that were taken from memory of ours. */
  readonly afterChunk?: (bigBytes: number) => void;
}

/**
 * Carries one direction of a conversation, line by line, as the verdicts say.
 *
 * Forwarded lines that lie next to each other in a chunk go out in one write, the very bytes that came in. The source is
 * paused while `onward` is full, or `back` with many replies of ours, so memory stays bounded by what the sinks buffer plus one
 * chunk and its replies, and the lines that wait for their verdicts.
 *
 * @returns resolves when the source has ended and the last verdict is carried out; a source that breaks has ended. True where what
 * was forwarded last lacks its line feed, so that anything more would end up on the same line
 */
export function relay(options: RelayOptions): Promise<boolean> {
  return new Promise((resolve) => new Relay(options, resolve));
}

/** The bytes of a line in a chunk, or lent ones. */
interface Line {
  readonly bytes: Buffer;
  readonly start: number;
  readonly end: number;
  readonly next: number;
  readonly release: (() => void) | undefined;
}

/**
 * Characters of replies that may be on their way to a side before it is read no further. Fewer must not hold it: a side that reads on
 * only when its own words have been taken would wait for us while we, what others sent there being in the way, wait for it.
 */
const MOST_OWED = 256 * 1024;

const LINE_FEED = 0x0a;

const NO_LINE: Line = { bytes: Buffer.alloc(0), start: 0, end: 0, next: 0, release: undefined };

interface Held {
  readonly verdict: Verdict | RecordedVerdict;
  readonly line: Line;
}

interface Unsure {
  readonly data: Buffer | string;
  /** Gives back its memory, where that could not be written. */
  readonly release: (() => void) | undefined;
}

type Stalled = ({ readonly kind: 'line' } & Line) | { readonly kind: 'oversized'; readonly line: OversizedLine };

class Relay {
  readonly #options: RelayOptions;
  readonly #resolve: (isCut: boolean) => void;
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
  /** Lines to forward that have not been written yet: one range of one buffer. */
  #run: Buffer | undefined;
  #runStart = 0;
  #runEnd = 0;
  #isCut = false;
  /** Verdicts that wait for the end of their chunk: from the first one on that holds only once it is on record. */
  #held: Held[] = [];
  /** Lines that have not been inspected, since the store was taken: from the first one on that has to be decided. They wait for it between chunks. */
  #stalled: Stalled[] = [];
  #state: 'flowing' | 'stalled' | 'waiting' = 'flowing';
  /** What has just been forwarded, until it shows whether there was anybody to take it. */
  #unsure: Unsure[] = [];
  #parked = 0;
  /** Of big lines in this chunk. */
  #bigBytes = 0;
  /** Characters of replies that have been written and not yet taken. */
  #owed = 0;
  #hasEnded = false;

  constructor(options: RelayOptions, resolve: (isCut: boolean) => void) {
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
    // One system call for all that a chunk brings: the end of a line that began before, and the lines after it.
    onward.cork();
    if (this.#splitter.push(chunk, this.#visit)) giveBack(chunk);
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

  /** Ends a chunk: what was decided in it goes on record, and then on. */
  #settle(): void {
    const isOnRecord = this.#options.record();
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

  /** Nothing overtakes a line that has to be decided, so the source is held until the store is free. */
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

  /** A line goes on with its neighbours; one whose bytes are lent by itself, behind what came before. */
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
      this.#owed += length;
      write(back, reply, () => {
        this.#owed -= length;
      });
    }
    if (verdict.kind === 'forward') this.#forward(line);
    else line.release?.();
    if (verdict.kind === 'replace' && verdict.line !== '') {
      // What came before goes before.
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
    this.#isCut = run[this.#runEnd - 1] !== LINE_FEED;
  }

  #send(data: Buffer | string, release?: () => void): void {
    const { onward } = this.#options;
    this.#unsure.push({ data, release: onward.writable ? undefined : release });
    if (!onward.writable) return;
    // Nothing ends up on the line of one that waited and had no line feed.
    if (this.#isCut) onward.write('\n');
    this.#isCut = false;
    onward.write(data, release);
  }

  /**
   * A pipe that nobody reads fails the first write to it at once, and then nothing of that was delivered. One that fails later may have
   * delivered a part, so that is no loss that is known.
   */
  #reportLost(): void {
    const unsure = this.#unsure;
    if (unsure.length === 0) return;
    this.#unsure = [];
    if (this.#options.onward.writable) return;
    for (const { data, release } of unsure) {
      this.#options.lost?.(typeof data === 'string' ? Buffer.from(data) : data);
      release?.();
    }
  }

  #holdIfFull(): void {
    const { source, onward, back } = this.#options;
    const filled = this.#owed > MOST_OWED ? [onward, back] : [onward];
    const full = filled.filter((sink) => sink.writableNeedDrain && !sink.destroyed);
    if (full.length === 0) return;
    source.pause();
    let left = full.length;
    const release = (): void => {
      left--;
      if (left === 0) source.resume();
    };
    // A sink that closes instead of draining must not leave the source paused: its end would never be seen.
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
    if (this.#hasEnded && this.#parked === 0 && this.#state === 'flowing') this.#resolve(this.#isCut);
  }
}

/** Writes unless the other side is gone: then there is nobody to write to, and its own ending is handled where it is awaited. */
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

/** Frees a chunk that has memory of its own, which a source makes anew for each: of a big message there would be hundreds of them before V8 sees need. */
function giveBack(chunk: Buffer): void {
  const { buffer } = chunk;
  if (buffer instanceof ArrayBuffer && buffer.byteLength === chunk.length) buffer.transfer(0);
}
