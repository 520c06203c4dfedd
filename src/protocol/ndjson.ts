const LINE_FEED = 0x0a;

/** So many pieces are joined into one: a peer that sends single bytes must not make us keep an object for each. */
const MOST_PIECES = 1024;

/**
 * Called for each line: `bytes[start..end)` without the line feed. `next` is where the following line begins in the same
 * bytes, so that neighbours can be written together; it equals `end` for a last line that has no line feed.
 */
export type LineVisitor = (bytes: Buffer, start: number, end: number, next: number) => void;

/**
 * Cuts a byte stream at line feeds (0x0A; never at characters, which may be split between chunks).
 *
 * A line that lies in one chunk is visited in place, without a copy; one that spans chunks is joined once when it is complete,
 * so that the work is linear however small the chunks are.
 */
export class LineSplitter {
  readonly #maxLine: number;
  readonly #onOversized: (length: number) => void;
  /** Pieces of the unfinished line, already joined by the thousand, and those that came since. */
  #joined: Buffer[] = [];
  #pieces: Buffer[] = [];
  #length = 0;
  #discarding = false;

  /**
   * @param maxLine bytes a line may have; a longer one is skipped up to its line feed
   * @param onOversized called once for each such line
   */
  constructor(maxLine: number, onOversized: (length: number) => void) {
    this.#maxLine = maxLine;
    this.#onOversized = onOversized;
  }

  /** Takes the next bytes of the stream and visits every line they complete. */
  push(chunk: Buffer, visit: LineVisitor): void {
    let start = 0;
    if (this.#length > 0 || this.#discarding) {
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
      if (end - start > this.#maxLine) this.#onOversized(end - start);
      else visit(chunk, start, end, end + 1);
      start = end + 1;
    }
    if (start < chunk.length) this.#keep(start === 0 ? chunk : chunk.subarray(start));
  }

  /** The stream has ended: what is left is a line without a line feed, which some servers do read. */
  end(visit: LineVisitor): void {
    if (this.#length === 0 || this.#discarding) return;
    const bytes = this.#take();
    visit(bytes, 0, bytes.length, bytes.length);
  }

  #keep(piece: Buffer): void {
    if (this.#discarding) return;
    this.#add(piece);
    if (this.#length <= this.#maxLine) return;
    this.#discarding = true;
    const length = this.#length;
    this.#drop();
    this.#onOversized(length);
  }

  #complete(piece: Buffer, visit: LineVisitor): void {
    if (this.#discarding) {
      this.#discarding = false;
      return;
    }
    this.#add(piece);
    const bytes = this.#take();
    const end = bytes.length - 1;
    if (end > this.#maxLine) this.#onOversized(end);
    else visit(bytes, 0, end, end + 1);
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
    this.#drop();
    return bytes;
  }

  #drop(): void {
    this.#joined = [];
    this.#pieces = [];
    this.#length = 0;
  }
}
