const LINE_FEED = 0x0a;

/**
 * Called for each line: `bytes[start..end)` without the line feed. `next` is where the following line begins in the same
 * bytes, so that neighbours can be written together; it equals `end` for a last line that has no line feed.
 *
 * If `release` is given, the memory is reused: call it once nobody reads the bytes any more, and not before.
 */
export type LineVisitor = (bytes: Buffer, start: number, end: number, next: number, release?: () => void) => void;

/** Lines of more bytes than this are passed in reused memory instead of a copy. */
const BIG = 256 * 1024;

/** Memory for big lines is made in two sizes: as much as a line may have, and this, lest every line of a third of a megabyte takes that. */
const MEDIUM = 4 * 1024 * 1024;

/** First size of the memory in which lines are joined that come in several chunks. */
const FIRST_SIZE = 64 * 1024;

/** After so many small lines in a row, memory that a big one has left behind is given back. */
const PATIENCE = 1024;

const NOTHING = Buffer.alloc(0);

/** The length and the ends of a line that was too long to be kept. */
export interface OversizedLine {
  /** Length of the line in bytes, without the line feed. */
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
 * A line that lies in one chunk is visited in place, without a copy. One that spans chunks is joined in memory that is used
 * again and again, so that neither many small chunks nor big lines leave garbage behind; the work is linear in the bytes.
 */
export class LineSplitter {
  readonly #maxLine: number;
  readonly #onOversized: (line: OversizedLine) => void;
  /** The unfinished line is `carry[0..length)`. */
  #carry: Buffer<ArrayBuffer> = NOTHING;
  #length = 0;
  /** Released memory, for the next line that spans chunks. */
  #spare: Buffer<ArrayBuffer> = NOTHING;
  #smallOnes = 0;
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

  /**
   * Takes the next bytes of the stream and visits every line they complete.
   *
   * @returns true if none was completed and all was copied: nobody reads `chunk` any more
   */
  push(chunk: Buffer, visit: LineVisitor): boolean {
    let start = 0;
    if (this.#length > 0 || this.#skipped !== undefined) {
      const end = chunk.indexOf(LINE_FEED);
      if (end === -1) {
        this.#keep(chunk);
        return true;
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
    return false;
  }

  /** The stream has ended: what is left is a line without a line feed, which some servers do read. */
  end(visit: LineVisitor): void {
    if (this.#skipped !== undefined) this.#onOversized(this.#skipped);
    else if (this.#length > 0) visit(this.#carry, 0, this.#length, this.#length);
    this.#skipped = undefined;
    this.#carry = NOTHING;
    this.#length = 0;
  }

  #keep(piece: Buffer): void {
    if (this.#skipped !== undefined) {
      this.#skipped = append(this.#skipped, piece);
      return;
    }
    this.#add(piece);
    if (this.#length <= this.#maxLine) return;
    this.#skipped = toOversized(this.#carry.subarray(0, this.#length));
    this.#length = 0;
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
    const bytes = this.#carry.subarray(0, length);
    this.#length = 0;
    if (length - 1 > this.#maxLine) this.#onOversized(toOversized(bytes.subarray(0, -1)));
    else if (length > BIG) this.#visitInReused(bytes, visit);
    else {
      visit(Buffer.from(bytes), 0, length - 1, length);
      this.#smallOnes++;
      if (this.#smallOnes === PATIENCE) this.#forget();
    }
  }

  #add(piece: Buffer): void {
    const length = this.#length + piece.length;
    if (length > this.#carry.length) this.#grow(length);
    piece.copy(this.#carry, this.#length);
    this.#length = length;
  }

  #grow(length: number): void {
    const small = this.#carry;
    const bigger = Buffer.allocUnsafeSlow(sizeFor(length, this.#maxLine));
    small.copy(bigger, 0, 0, this.#length);
    this.#carry = bigger;
    free(small);
  }

  #visitInReused(bytes: Buffer, visit: LineVisitor): void {
    const memory = this.#carry;
    this.#carry = this.#spare;
    this.#spare = NOTHING;
    this.#smallOnes = 0;
    visit(bytes, 0, bytes.length - 1, bytes.length, () => {
      // If no line has begun meanwhile, one piece of memory is enough.
      if (this.#length === 0 && memory.length > this.#carry.length) {
        free(this.#carry);
        this.#carry = memory;
      } else if (memory.length > this.#spare.length) {
        free(this.#spare);
        this.#spare = memory;
      } else free(memory);
    });
  }

  #forget(): void {
    this.#smallOnes = 0;
    free(this.#spare);
    this.#spare = NOTHING;
    if (this.#carry.length <= BIG) return;
    free(this.#carry);
    this.#carry = NOTHING;
  }
}

/** Pages that were never written cost nothing, so a big line gets its memory at once instead of in ever larger copies. */
function sizeFor(length: number, maxLine: number): number {
  let size = FIRST_SIZE;
  while (size < length && size < BIG) size *= 2;
  if (size >= length) return size;
  // Two chunks more than a line may have: it is too long only once its line feed, or more, has come.
  const most = maxLine + 2 * FIRST_SIZE;
  return length <= MEDIUM && MEDIUM < most ? MEDIUM : Math.max(most, length);
}

/** Frees memory at once: the garbage collector would let that of several big lines pile up. Nobody may read it any more. */
function free(memory: Buffer<ArrayBuffer>): void {
  if (memory.length > 0) memory.buffer.transfer(0);
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
