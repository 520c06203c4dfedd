export const LINE_FEED = 0x0a;
export const CARRIAGE_RETURN = 0x0d;

const NOTHING = Buffer.alloc(0);

/**
 * Finds the line ends of an event stream in order: LF, CRLF, or CR alone. These bytes are never part of another character, even in invalid
 * UTF-8: a decoder that replaces malformed bytes keeps them.
 */
export class LineEnds {
  /** The end of the line that was found last, and the start of the next one. */
  end = 0;
  next = 0;
  #bytes: Buffer = NOTHING;
  /** The first LF and CR at or after the last search position; the length of the bytes if there is none. */
  #lineFeed = -1;
  #carriageReturn = -1;

  /** Switches to other bytes. */
  open(bytes: Buffer): void {
    this.#bytes = bytes;
    this.#lineFeed = -1;
    this.#carriageReturn = -1;
  }

  /**
   * Finds the end of the line at `from`, which must not decrease: so no byte is read twice and the work is linear. A CR as the last byte
   * ends a line; an LF that follows later is a blank line to the caller.
   *
   * @returns false if the line has no end yet
   */
  find(from: number): boolean {
    const bytes = this.#bytes;
    const { length } = bytes;
    // Every second line of most streams is blank, and needs no search.
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
