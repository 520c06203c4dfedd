import { formatSseEvent, type SseEvent } from '../../../protocol/sse/event.ts';

/** An event that outlives its visit. */
export interface StreamEvent extends SseEvent {
  readonly data: Buffer;
}

/** Returns a copy of an event with other data; all else stays as it came. @param front ASCII to put in front of it */
export function withData(event: SseEvent, data: string, front = ''): StreamEvent {
  const { bytes, start, end, dataStart, dataEnd, id, retry } = event;
  const isInPlace = event.data === bytes && dataStart >= start && dataEnd <= end;
  if (!isInPlace) {
    const lines = Buffer.from(data);
    const whole = Buffer.from(formatSseEvent({ event: event.event, id, retry, data }));
    return { ...aboutOf(event), bytes: whole, end: whole.length, data: lines, dataStart: 0, dataEnd: lines.length };
  }
  const from = front.length + dataStart - start;
  const to = from + Buffer.byteLength(data);
  const whole = Buffer.allocUnsafe(to + end - dataEnd);
  whole.write(front, 'latin1');
  bytes.copy(whole, front.length, start, dataStart);
  whole.write(data, from);
  bytes.copy(whole, to, dataEnd, end);
  return { ...aboutOf(event), bytes: whole, end: whole.length, data: whole, dataStart: from, dataEnd: to };
}

/** Returns an event of our own. */
export function namedEvent(event: string, data: string): StreamEvent {
  const lines = Buffer.from(data);
  const bytes = Buffer.from(formatSseEvent({ event, data }));
  const about = { start: 0, isJoined: false, event, id: undefined, retry: undefined, isPlain: false, isFramePlain: false };
  return { ...about, bytes, end: bytes.length, data: lines, dataStart: 0, dataEnd: lines.length };
}

/** Returns a copy of an event as it came. */
export function copyOf(event: SseEvent): StreamEvent {
  const { bytes, start, end, data, dataStart, dataEnd } = event;
  const whole = Buffer.from(bytes.subarray(start, end));
  const from = data === bytes ? start : 0;
  const lines = data === bytes ? whole : Buffer.from(data ?? '');
  return {
    ...aboutOf(event),
    bytes: whole,
    end: whole.length,
    data: lines,
    dataStart: dataStart - from,
    dataEnd: dataEnd - from,
  };
}

function aboutOf({ event, id, retry, isPlain, isFramePlain }: SseEvent) {
  return { start: 0, isJoined: false, event, id, retry, isPlain, isFramePlain };
}
