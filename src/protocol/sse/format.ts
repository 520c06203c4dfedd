/** What an event says. */
export interface SseFields {
  readonly event?: string | undefined;
  readonly id?: string | undefined;
  readonly retry?: string | undefined;
  /** Its lines, or a text that is cut at its line ends. Without data there is no event, but id and retry count. */
  readonly data?: string | readonly string[] | undefined;
}

const LINE_END = /\r\n|\r|\n/;

/** At these some readers end a line, though the specification does not (see `doubtful-bytes.ts`). */
const DOUBTFUL = /[\v\f\x1c-\x1e\x85\u2028\u2029]/g;

/** What must not be in an id or a type: what ends a line for anybody, and NUL. */
const BREAKS = /[\0\r\n\v\f\x1c-\x1e\x85\u2028\u2029]/;

/** And what some readers trim a type of. */
const NOT_IN_TYPE = /[\0\r\n\v\f\x1c-\x1e\x85\u2028\u2029]|^\s|\s$/g;

/**
 * Writes a frame that every reader reads alike: `event:`, `id:`, `retry:`, one `data:` for each line, a blank line. Nothing in
 * a field can end it:
 *
 * - CR, LF and CRLF in data begin another line of data, so that the reader gets LF for each.
 * - Characters in data at which only some readers end lines become their JSON escapes: they mean the same in the strings of
 *   JSON, and have no place outside of them.
 * - In an event type these, NUL, and space at its ends become U+FFFD: what was no known type does not become one.
 * - An id that has them, and a retry that is not a number, are left out, as is a type without data.
 *
 * @returns a comment, which keeps a connection alive, where nothing is left
 */
export function formatSseEvent({ event, id, retry, data }: SseFields): string {
  let text = '';
  if (event !== undefined && event !== '' && data !== undefined) text += field('event', event.replace(NOT_IN_TYPE, '\uFFFD'));
  if (id !== undefined && !BREAKS.test(id)) text += field('id', id);
  if (retry !== undefined && /^[0-9]+$/.test(retry)) text += field('retry', retry);
  if (data !== undefined) for (const line of toLines(data)) text += field('data', line.replace(DOUBTFUL, toEscape));
  return text === '' ? ':\n\n' : `${text}\n`;
}

function field(name: string, value: string): string {
  return value === '' ? `${name}:\n` : `${name}: ${value}\n`;
}

function toLines(data: string | readonly string[]): readonly string[] {
  if (typeof data === 'string') return data.split(LINE_END);
  // No lines at all would be no data.
  return data.length === 0 ? [''] : data.flatMap((line) => line.split(LINE_END));
}

function toEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
