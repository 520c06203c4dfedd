/** The fields of an event. */
export interface SseFields {
  readonly event?: string | undefined;
  readonly id?: string | undefined;
  readonly retry?: string | undefined;
  /** Lines, or a text that is split at its line ends. Without data there is no event, but id and retry count. */
  readonly data?: string | readonly string[] | undefined;
}

const LINE_END = /\r\n|\r|\n/;

/** Characters at which some readers end a line, though the specification does not (see `doubtful-bytes.ts`). */
const DOUBTFUL = /[\v\f\x1c-\x1e\x85\u2028\u2029]/g;

/** Forbidden characters of an id: line ends for any reader, and NUL. */
const BREAKS = /[\0\r\n\v\f\x1c-\x1e\x85\u2028\u2029]/;

/** Forbidden characters of a type: the same, and white space at its ends, which some readers trim. */
const NOT_IN_TYPE = /[\0\r\n\v\f\x1c-\x1e\x85\u2028\u2029]|^\s|\s$/g;

/**
 * Formats a frame that all readers read alike: `event:`, `id:`, `retry:`, one `data:` for each line, a blank line. No field can end the
 * frame early:
 *
 * - CR, LF and CRLF in data begin another data line, so that the reader gets LF for each.
 * - Characters in data at which only some readers end lines become their JSON escapes: these mean the same in JSON strings, and such
 *   characters can't occur outside of them.
 * - In an event type they, NUL, and white space at its ends become U+FFFD, so that an unknown type does not become a known one.
 * - An id with such characters, a retry that is not a number, and a type without data are left out.
 *
 * @returns a comment, which keeps a connection alive, if nothing is left
 */
export function formatSseEvent({ event, id, retry, data }: SseFields): string {
  let text = '';
  if (event !== undefined && event !== '' && data !== undefined) text += field('event', event.replace(NOT_IN_TYPE, '\uFFFD'));
  if (id !== undefined && !BREAKS.test(id)) text += field('id', id);
  if (retry !== undefined && /^[0-9]+$/.test(retry)) text += field('retry', retry);
  if (data !== undefined) for (const line of toLines(data)) text += field('data', escapeDoubtful(line));
  return text === '' ? ':\n\n' : `${text}\n`;
}

function field(name: string, value: string): string {
  return value === '' ? `${name}:\n` : `${name}: ${value}\n`;
}

function toLines(data: string | readonly string[]): readonly string[] {
  if (typeof data === 'string') return data.split(LINE_END);
  // An empty list would mean no data.
  return data.length === 0 ? [''] : data.flatMap((line) => line.split(LINE_END));
}

/** Escapes characters of a text in a JSON string at which only some readers end a line, as `formatSseEvent` does it. */
export function escapeDoubtful(text: string): string {
  return text.replace(DOUBTFUL, toEscape);
}

function toEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

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
   * Gives the memory of a joined event back before the visit ends. Nothing of its bytes may be read any more. Undefined if there is none.
   */
  readonly drop?: (() => void) | undefined;
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
