export const LINE_FEED = 0x0a;
export const CARRIAGE_RETURN = 0x0d;

const NOTHING = Buffer.alloc(0);

/**
 * Finds the line ends of a stream of events in turn: LF, CRLF, or CR alone. A byte of either value is never part of another
 * character, also where the bytes are not valid UTF-8: a decoder that replaces what is malformed keeps these.
 */
export class LineEnds {
  /** Where the line ends that was found last, and where the one after it begins. */
  end = 0;
  next = 0;
  #bytes: Buffer = NOTHING;
  /** The first of each at or after where was last looked; the length of the bytes where there is none. */
  #lineFeed = -1;
  #carriageReturn = -1;

  /** Looks in other bytes from now on. */
  open(bytes: Buffer): void {
    this.#bytes = bytes;
    this.#lineFeed = -1;
    this.#carriageReturn = -1;
  }

  /**
   * Finds the end of the line that begins at `from`, which must not be before an earlier `from`: so the work is linear, as no
   * byte is looked at twice. A CR that is the last byte ends a line; an LF that follows later is a blank line to the caller.
   *
   * @returns false where the line has no end yet
   */
  find(from: number): boolean {
    const bytes = this.#bytes;
    const { length } = bytes;
    // A blank line, every second one of most streams, needs no search.
    if (bytes[from] === LINE_FEED) {
      this.end = from;
      this.next = from + 1;
      return true;
    }
    if (bytes[from] === CARRIAGE_RETURN && bytes[from + 1] === LINE_FEED) {
      this.end = from;
      this.next = from + 2;
      return true;
    }
    if (this.#lineFeed < from) {
      const at = bytes.indexOf(LINE_FEED, from);
      this.#lineFeed = at === -1 ? length : at;
    }
    if (this.#carriageReturn < from) {
      const at = bytes.indexOf(CARRIAGE_RETURN, from);
      this.#carriageReturn = at === -1 ? length : at;
    }
    if (this.#lineFeed < this.#carriageReturn) {
      this.end = this.#lineFeed;
      this.next = this.end + 1;
      return true;
    }
    if (this.#carriageReturn === length) return false;
    this.end = this.#carriageReturn;
    this.next = this.#lineFeed === this.end + 1 && this.#lineFeed < length ? this.end + 2 : this.end + 1;
    return true;
  }
}
