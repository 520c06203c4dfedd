const LINE_FEED = 0x0a;

/** So many pieces are joined into one: a peer that sends single bytes must not make us keep an object for each. */
const MOST_PIECES = 1024;

/**
 * Called for each line: `bytes[start..end)` without the line feed. `next` is where the following line begins in the same
 * bytes, so that neighbours can be written together; it equals `end` for a last line that has no line feed.
 *
 * `pieces`, where given, are the line's bytes as they came, the line feed included; `bytes` is then used again for another line
 * when the call returns, so whoever keeps the line keeps the pieces.
 */
export type LineVisitor = (bytes: Buffer, start: number, end: number, next: number, pieces?: readonly Buffer[]) => void;

/** Lines of more bytes than this are joined in memory that is used again. */
const BIG = 256 * 1024;

/** What is left of a line that was too long to be kept. */
export interface OversizedLine {
  /** Bytes it had, without the line feed. */
  readonly length: number;
  /** Its first and last bytes, `KEPT` of each at most. */
  readonly head: Buffer;
  readonly tail: Buffer;
}

/** Bytes kept of either end of an oversized line: enough for the small members of a message's envelope. */
const KEPT = 4096;

/**
 * Cuts a byte stream at line feeds (0x0A; never at characters, which may be split between chunks).
 *
 * A line that lies in one chunk is visited in place, without a copy; one that spans chunks is joined once when it is complete,
 * so that the work is linear however small the chunks are.
 */
export class LineSplitter {
  readonly #maxLine: number;
  readonly #onOversized: (line: OversizedLine) => void;
  /** Pieces of the unfinished line, already joined by the thousand, and those that came since. */
  #joined: Buffer[] = [];
  #pieces: Buffer[] = [];
  #length = 0;
  #scratch = Buffer.alloc(0);
  /** Set while the rest of an oversized line goes by. */
  #skipped: OversizedLine | undefined;

  /**
   * @param maxLine bytes a line may have; a longer one is skipped up to its line feed
   * @param onOversized called once for each such line, when it has gone by
   */
  constructor(maxLine: number, onOversized: (line: OversizedLine) => void) {
    this.#maxLine = maxLine;
    this.#onOversized = onOversized;
  }

  /** Takes the next bytes of the stream and visits every line they complete. */
  push(chunk: Buffer, visit: LineVisitor): void {
    let start = 0;
    if (this.#length > 0 || this.#skipped !== undefined) {
      const end = chunk.indexOf(LINE_FEED);
      if (end === -1) {
        this.#keep(chunk);
        return;
      }
      this.#complete(chunk.subarray(0, end + 1), visit);
      start = end + 1;
    }
    for (;;) {
      const end = chunk.indexOf(LINE_FEED, start);
      if (end === -1) break;
      if (end - start > this.#maxLine) this.#onOversized(toOversized(chunk.subarray(start, end)));
      else visit(chunk, start, end, end + 1);
      start = end + 1;
    }
    if (start < chunk.length) this.#keep(start === 0 ? chunk : chunk.subarray(start));
  }

  /** The stream has ended: what is left is a line without a line feed, which some servers do read. */
  end(visit: LineVisitor): void {
    if (this.#skipped !== undefined) this.#onOversized(this.#skipped);
    else if (this.#length > 0) {
      const bytes = this.#take();
      visit(bytes, 0, bytes.length, bytes.length);
    }
    this.#skipped = undefined;
  }

  #keep(piece: Buffer): void {
    if (this.#skipped !== undefined) {
      this.#skipped = append(this.#skipped, piece);
      return;
    }
    this.#add(piece);
    if (this.#length > this.#maxLine) this.#skipped = toOversized(this.#take());
  }

  #complete(piece: Buffer, visit: LineVisitor): void {
    if (this.#skipped !== undefined) {
      const line = append(this.#skipped, piece.subarray(0, -1));
      this.#skipped = undefined;
      this.#onOversized(line);
      return;
    }
    this.#add(piece);
    const length = this.#length;
    const end = length - 1;
    if (end > this.#maxLine) this.#onOversized(toOversized(this.#take().subarray(0, end)));
    else if (length > BIG) {
      const pieces = [...this.#joined, ...this.#pieces];
      this.#clear();
      visit(this.#join(pieces, length), 0, end, length, pieces);
    } else visit(this.#take(), 0, end, length);
  }

  /** Big lines are joined in the same memory again and again: new memory for each would cost more than reading it. */
  #join(pieces: readonly Buffer[], length: number): Buffer {
    const capacity = this.#scratch.length;
    // Given back when lines have become much smaller.
    if (capacity < length || capacity > 8 * length) this.#scratch = Buffer.allocUnsafeSlow(length + (length >> 2));
    let at = 0;
    for (const piece of pieces) at += piece.copy(this.#scratch, at);
    return this.#scratch.subarray(0, length);
  }

  #add(piece: Buffer): void {
    this.#pieces.push(piece);
    this.#length += piece.length;
    if (this.#pieces.length < MOST_PIECES) return;
    this.#joined.push(Buffer.concat(this.#pieces));
    this.#pieces = [];
  }

  #take(): Buffer {
    const bytes = Buffer.concat([...this.#joined, ...this.#pieces], this.#length);
    this.#clear();
    return bytes;
  }

  #clear(): void {
    this.#joined = [];
    this.#pieces = [];
    this.#length = 0;
  }
}

/** Copies, since a part of a buffer keeps all of it in memory. */
function toOversized(bytes: Buffer): OversizedLine {
  return { length: bytes.length, head: Buffer.from(bytes.subarray(0, KEPT)), tail: Buffer.from(bytes.subarray(-KEPT)) };
}

function append({ length, head, tail }: OversizedLine, piece: Buffer): OversizedLine {
  const whole = head.length < KEPT ? Buffer.concat([head, piece.subarray(0, KEPT - head.length)]) : head;
  return {
    length: length + piece.length,
    head: whole,
    tail: Buffer.from(Buffer.concat([tail, piece.subarray(-KEPT)]).subarray(-KEPT)),
  };
}
