import type { ServerResponse } from 'node:http';
import type { SseEvent } from '../../protocol/sse/splitter.ts';

/** Bytes that are put together at most before they are written. */
const MOST_JOINED = 64 * 1024;

/** Bytes from which on a part is written as it is: a copy of it costs more than a write. */
const LARGE = 4096;

/**
 * Writes a stream's frames: what one turn of the event loop brings goes out in one write, since each costs more than carrying hundreds of
 * frames together. Nothing waits longer than that.
 */
export class TickWriter {
  /** When something was written last, in milliseconds of `performance.now`; before that, when this was made. */
  lastWrite = performance.now();
  readonly #response: ServerResponse;
  #parts: Buffer[] = [];
  #length = 0;
  /** Neighbouring bytes that have not been added to the parts: one range of one buffer. */
  #run: Buffer | undefined;
  #runStart = 0;
  #runEnd = 0;
  #isScheduled = false;
  readonly #write = (): void => {
    this.#isScheduled = false;
    this.flush();
  };

  constructor(response: ServerResponse) {
    this.#response = response;
  }

  /** The reader is behind: what else is written piles up. */
  get isFull(): boolean {
    return this.#response.writableNeedDrain;
  }

  /** Adds `bytes[start..end)`, which must stay as they are until the next turn. */
  bytes(bytes: Buffer, start: number, end: number): void {
    if (this.#run === bytes && this.#runEnd === start) {
      this.#runEnd = end;
      return;
    }
    this.#endRun();
    this.#run = bytes;
    this.#runStart = start;
    this.#runEnd = end;
    this.#schedule();
  }

  /** Adds an event as it came; a copy where that was in several chunks, since its memory is used again before the turn has ended. */
  event({ bytes, start, end, isJoined }: SseEvent): void {
    if (isJoined) this.bytes(Buffer.from(bytes.subarray(start, end)), 0, end - start);
    else this.bytes(bytes, start, end);
  }

  text(text: string): void {
    this.#endRun();
    this.#add(Buffer.from(text));
    this.#schedule();
  }

  /** Writes what there is at once. */
  flush(): void {
    this.#endRun();
    this.#writeParts();
  }

  #writeParts(): void {
    const parts = this.#parts;
    if (parts.length === 0) return;
    const [first] = parts;
    const all = parts.length === 1 && first !== undefined ? first : Buffer.concat(parts, this.#length);
    this.#parts = [];
    this.#length = 0;
    this.#writeNow(all);
  }

  /** Node puts into one system call what is written in one turn. */
  #writeNow(bytes: Buffer): void {
    this.lastWrite = performance.now();
    if (!this.#response.destroyed) this.#response.write(bytes);
  }

  #endRun(): void {
    const run = this.#run;
    if (run === undefined) return;
    this.#run = undefined;
    // Where each chunk is one event, all of them are whole.
    const isWhole = this.#runStart === 0 && this.#runEnd === run.length;
    this.#add(isWhole ? run : run.subarray(this.#runStart, this.#runEnd));
  }

  #add(part: Buffer): void {
    if (part.length >= LARGE) {
      this.#writeParts();
      this.#writeNow(part);
      return;
    }
    this.#parts.push(part);
    this.#length += part.length;
    if (this.#length >= MOST_JOINED) this.#writeParts();
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    process.nextTick(this.#write);
  }
}
