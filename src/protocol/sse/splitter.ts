import { Carry } from './carry.ts';
import { FrameReader } from './frame-reader.ts';
import { CARRIAGE_RETURN, LINE_FEED, LineEnds } from './line-ends.ts';
import type { SseEvent } from './event.ts';

export type { SseEvent } from './event.ts';

const BYTE_ORDER_MARK = Buffer.of(0xef, 0xbb, 0xbf);
const NOTHING = Buffer.alloc(0);

function skipNothing(_bytes: Buffer, at: number): number {
  return at;
}

/**
 * Splits a stream of server-sent events into frames, and parses them as specified
 * (https://html.spec.whatwg.org/multipage/server-sent-events.html, 9.2.5 and 9.2.6), on bytes: chunks may end anywhere.
 *
 * All visited `bytes[start..end)` and the result of `end`, concatenated, are the stream without its leading BOM. Blank lines that end
 * nothing are visited as frames without data.
 */
export class SseSplitter {
  readonly #maxFrame: number;
  readonly #reader = new FrameReader();
  readonly #lines = new LineEnds();
  /** The unfinished frame. Its first line is not blank. */
  readonly #carry = new Carry();
  /** Bytes that may become the leading BOM; undefined once that is decided. */
  #head: Buffer | undefined = NOTHING;
  #isOver = false;
  readonly #drop = (): void => {
    this.#reader.open(NOTHING);
    this.#carry.clear();
  };

  /** @param options `maxFrame`: most bytes of a frame, including its final blank line */
  constructor(options: { readonly maxFrame: number }) {
    this.#maxFrame = options.maxFrame;
  }

  /** Bytes of the unfinished frame, which were copied. */
  get joined(): number {
    return this.#carry.length;
  }

  /**
   * Visits each frame that the chunk completes. A frame within the chunk is visited in place.
   *
   * @param skip called at the start of each frame within the chunk; returns the start of the next frame to visit
   * @returns false once a frame exceeded `maxFrame`: nothing more is visited, since the stream can't be trusted any more
   */
  push(chunk: Buffer, visit: (event: SseEvent) => void, skip = skipNothing): boolean {
    if (this.#isOver) return false;
    const bytes = this.#head === undefined ? chunk : this.#withoutMark(this.#head, chunk);
    let at = 0;
    if (this.#carry.length > 0) {
      const end = this.#findFrameEnd(bytes);
      if (!this.#keep(bytes, 0, end === -1 ? bytes.length : end)) return false;
      if (end === -1) return true;
      this.#visitCarry(visit);
      at = end;
    }
    const reader = this.#reader;
    reader.open(bytes);
    for (;;) {
      at = skip(bytes, at);
      if (at >= bytes.length || !reader.read(at)) break;
      if (reader.end - at > this.#maxFrame && !reader.isBlank) return this.#stop();
      visit(reader);
      at = reader.end;
    }
    reader.open(NOTHING);
    return this.#keep(bytes, at, bytes.length);
  }

  /**
   * Ends the stream.
   *
   * @returns a copy of the bytes of an unfinished frame, which the specification drops and some clients read; empty if there are none
   */
  end(): Buffer {
    const rest = Buffer.from(this.#carry.length > 0 ? this.#carry.take() : (this.#head ?? NOTHING));
    this.#stop();
    return rest;
  }

  /** Strips a leading BOM; keeps all bytes back as long as they may be its beginning. */
  #withoutMark(head: Buffer, chunk: Buffer): Buffer {
    const bytes = head.length === 0 ? chunk : Buffer.concat([head, chunk]);
    const first = bytes.subarray(0, BYTE_ORDER_MARK.length);
    const isMark = first.equals(BYTE_ORDER_MARK.subarray(0, first.length));
    if (isMark && first.length < BYTE_ORDER_MARK.length) {
      this.#head = Buffer.from(first);
      return NOTHING;
    }
    this.#head = undefined;
    return isMark ? bytes.subarray(BYTE_ORDER_MARK.length) : bytes;
  }

  /** Finds the end of the unfinished frame in the chunk, after the first blank line; -1 if there is none. */
  #findFrameEnd(bytes: Buffer): number {
    const { last } = this.#carry;
    const lines = this.#lines;
    lines.open(bytes);
    let isLineStart = last === LINE_FEED || last === CARRIAGE_RETURN;
    // The LF completes a CRLF.
    let at = last === CARRIAGE_RETURN && bytes[0] === LINE_FEED ? 1 : 0;
    let end = -1;
    while (end === -1 && lines.find(at)) {
      if (isLineStart && lines.end === at) end = lines.next;
      isLineStart = true;
      at = lines.next;
    }
    lines.open(NOTHING);
    return end;
  }

  /** @returns false if the unfinished frame became too long */
  #keep(bytes: Buffer, start: number, end: number): boolean {
    if (this.#carry.length + end - start > this.#maxFrame) return this.#stop();
    if (start < end) this.#carry.add(bytes, start, end);
    return true;
  }

  #visitCarry(visit: (event: SseEvent) => void): void {
    const frame = this.#carry.take();
    this.#reader.open(frame, this.#drop);
    this.#reader.read(0);
    visit(this.#reader);
    this.#carry.rest(frame.length);
  }

  #stop(): false {
    this.#isOver = true;
    this.#head = undefined;
    this.#reader.open(NOTHING);
    this.#carry.clear();
    return false;
  }
}
