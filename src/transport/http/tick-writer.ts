import type { ServerResponse } from 'node:http';
import type { SseEvent } from '../../protocol/sse/splitter.ts';

/** Most bytes that are joined before they are written. */
const MOST_JOINED = 64 * 1024;

/** Bytes from which a part is written by itself: copying it costs more than a write. */
const LARGE = 4096;

/**
 * Writes a stream's frames. Frames of one turn of the event loop go out in one write, since a write costs more than carrying hundreds of
 * frames. Nothing waits longer than the turn.
 */
export class TickWriter {
  /** The time of the last write, in milliseconds of `performance.now`; initially the time of creation. */
  lastWrite = performance.now();
  readonly #response: ServerResponse;
  #parts: Buffer[] = [];
  #length = 0;
  /** Adjacent bytes that are not yet in the parts: one range of one buffer. */
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

  /** True if the reader is behind, so that further writes pile up. */
  get isFull(): boolean {
    return this.#response.writableNeedDrain;
  }

  /** Adds `bytes[start..end)`, which must not change until the next turn. */
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

  /** Adds an event as it came. A joined event is copied, since its memory is reused before the turn ends. */
  event({ bytes, start, end, isJoined }: SseEvent): void {
    if (isJoined) this.bytes(Buffer.from(bytes.subarray(start, end)), 0, end - start);
    else this.bytes(bytes, start, end);
  }

  text(text: string): void {
    this.#endRun();
    this.#add(Buffer.from(text));
    this.#schedule();
  }

  /** Writes pending bytes at once. */
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

  /** Node joins the writes of one turn into one system call. */
  #writeNow(bytes: Buffer): void {
    this.lastWrite = performance.now();
    if (!this.#response.destroyed) this.#response.write(bytes);
  }

  #endRun(): void {
    const run = this.#run;
    if (run === undefined) return;
    this.#run = undefined;
    // If each chunk is one event, every run is a whole buffer.
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
