/**
 * One event of a stream, without copying its bytes. The object and its bytes are valid only during the visit: copy what is needed later.
 */
export interface SseEvent {
  /** The frame as it came, with its final blank line: `bytes[start..end)`. */
  readonly bytes: Buffer;
  readonly start: number;
  readonly end: number;
  /** True if the frame came in several chunks: `bytes` is then memory that the next such frame overwrites, not the chunk. */
  readonly isJoined: boolean;
  /**
   * The data lines, joined by line feeds: `data[dataStart..dataEnd)`; in place if there is one line, else a copy. Undefined if the frame
   * has no data line (blank lines, comments, id, retry alone): the specification does not dispatch it.
   */
  readonly data: Buffer | undefined;
  readonly dataStart: number;
  readonly dataEnd: number;
  /** The last `event` field; undefined if there is none, or an empty one, which means the same. */
  readonly event: string | undefined;
  /** The last `id` field without NUL; undefined if there is none. It counts even without data. */
  readonly id: string | undefined;
  /** The last `retry` field that is a number, i.e. digits alone; undefined if there is none. It counts even without data. */
  readonly retry: string | undefined;
  /**
   * True if all readers in the wild read these bytes alike: line ends are all LF or all CRLF; each line is a comment or `data:`, `event:`,
   * `id:` or `retry:`, none of them twice; there is no BOM and no doubtful line end; everything outside of the data is printable ASCII; a
   * type comes with data and has no space at its ends; and a retry is a number. If false, the event must be rewritten by `formatSseEvent`.
   */
  readonly isPlain: boolean;
  /** Like `isPlain`, without checking the data's characters: a caller that parses them anyway need not have them checked twice. */
  readonly isFramePlain: boolean;
}
