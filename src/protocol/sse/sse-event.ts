/**
 * One event of a stream, as far as it may be looked at without a copy. The object and its bytes are valid only during the visit:
 * copy what is needed later.
 */
export interface SseEvent {
  /** The frame as it came, with the blank line that ends it: `bytes[start..end)`. */
  readonly bytes: Buffer;
  readonly start: number;
  readonly end: number;
  /** The frame came in several chunks: `bytes` are memory that the next such frame is joined in, and not the chunk. */
  readonly isJoined: boolean;
  /**
   * What its data lines say, joined by line feeds: `data[dataStart..dataEnd)`; in place where it is one line, else a copy.
   * Undefined: the frame has no data line (blank lines, comments, id, retry alone), which the specification does not dispatch.
   */
  readonly data: Buffer | undefined;
  readonly dataStart: number;
  readonly dataEnd: number;
  /** The last `event` field; undefined where there is none, or an empty one, which means the same. */
  readonly event: string | undefined;
  /** The last `id` field that has no NUL; undefined where there is none. It counts also where there is no data. */
  readonly id: string | undefined;
  /** The last `retry` field that is a number: digits alone, of any count. It counts also where there is no data. */
  readonly retry: string | undefined;
  /**
   * Every reader in the wild reads these bytes alike: LF alone or CRLF alone at line ends, each line a comment or `data:`,
   * `event:`, `id:` or `retry:`, none of these twice, no BOM and no character that some take for a line end, nothing but
   * printable ASCII outside of the data, an event type only where there is data and without space at its ends, a retry that is a
   * number. Where false, what goes on must be written anew by `formatSseEvent`.
   */
  readonly isPlain: boolean;
  /** The same, but for the characters of the data: whoever reads these anyway need not have them looked at twice. */
  readonly isFramePlain: boolean;
}
