import { formatSseEvent } from '../../sse/format.ts';
import type { SseEvent } from '../../sse/splitter.ts';
import type { Framing } from '../framing.ts';
import { type Answer, readAnswer } from './answer.ts';

/** One event of a stream that has been read, and has one reading only. */
export interface Frame {
  readonly answer: Answer;
  /** The payload as JSON text. */
  readonly data: string;
  /** The whole event as it came; undefined where readers may differ on it. */
  readonly source: string | undefined;
}

/**
 * Reads an event that has data.
 *
 * @returns what is wrong, where there is no one way to read it
 */
export function readFrame(event: SseEvent, data: Buffer, framing: Framing): Frame | string {
  const text = data.toString('utf8', event.dataStart, event.dataEnd);
  const answer = readAnswer(text);
  if (typeof answer === 'string') return `an event that cannot be followed: ${answer}`;
  const isPlain = isPlainEvent(event, framing) && !text.includes('\ufffd');
  return {
    answer,
    // A line feed in valid JSON is white space.
    data: framing === 'sse' ? text.replaceAll(/[\r\n]/g, ' ') : text,
    source: isPlain ? event.bytes.toString('utf8', event.start, event.end) : undefined,
  };
}

/** Is it data alone? A name, an id or a comment in front of it hides it from some clients. */
export function isPlainEvent({ isPlain, event, id, retry, bytes, start }: SseEvent, framing: Framing): boolean {
  return (
    framing === 'json_array' ||
    (isPlain && event === undefined && id === undefined && retry === undefined && bytes[start] === 0x64)
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
