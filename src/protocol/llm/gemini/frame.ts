import { formatSseEvent } from '../../sse/format.ts';
import type { SseEvent } from '../../sse/splitter.ts';
import type { Framing } from '../dialect.ts';
import { type Answer, readAnswer } from './answer.ts';

/** One event of a stream that has been read, and has one reading only. */
export interface Frame {
  readonly answer: Answer;
  /** The payload as JSON text. */
  readonly data: string;
  /** The whole event as it came; undefined where readers may differ on it. */
  readonly source: string | undefined;
  /** What it counts for while it is held. */
  readonly size: number;
}

/** Characters that an event counts for beside what it says. */
const FRAME_SIZE = 256;

/** More calls in one event than anybody makes. */
const MOST_CALLS = 1024;

/**
 * Reads an event that has data.
 *
 * @returns what is wrong, where there is no one way to read it
 */
export function readFrame(event: SseEvent, data: Buffer, framing: Framing): Frame | string {
  const text = data.toString('utf8', event.dataStart, event.dataEnd);
  const answer = readAnswer(text);
  if (typeof answer === 'string') return `an event that cannot be followed: ${answer}`;
  if (answer.parts.length > MOST_CALLS) return 'more calls than anybody makes';
  const isPlain = isBareEvent(event, framing) && event.isPlain && !text.includes('\ufffd');
  return {
    answer,
    // A line feed in valid JSON is white space.
    data: framing === 'sse' ? text.replaceAll(/[\r\n]/g, ' ') : text,
    source: isPlain ? event.bytes.toString('utf8', event.start, event.end) : undefined,
    size: text.length + FRAME_SIZE,
  };
}

/** Is it data alone, whatever characters that has? A name, an id or a comment in front of it hides it from some clients. */
export function isBareEvent({ isFramePlain, event, id, retry, bytes, start }: SseEvent, framing: Framing): boolean {
  return (
    framing === 'json_array' ||
    (isFramePlain && event === undefined && id === undefined && retry === undefined && bytes[start] === 0x64)
  );
}

/** An event of our own, or one that is made anew. @param isFirst of all, in an array */
export function formatFrame(
  data: string,
  { framing, isFirst }: { readonly framing: Framing; readonly isFirst: boolean },
): string {
  if (framing === 'sse') return formatSseEvent({ data });
  return isFirst ? data : `,\r\n${data}`;
}

/** An error as Google's SDKs read it. @param kind whose fault it is: the client's, or ours and upstream's */
export function errorPayload(message: string, kind: 'request' | 'server'): string {
  const [code, status] = kind === 'request' ? [400, 'INVALID_ARGUMENT'] : [500, 'INTERNAL'];
  return JSON.stringify({ error: { code, message, status } });
}
