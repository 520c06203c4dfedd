import { JsonArraySplitter } from '../json-array-splitter.ts';
import { type SseEvent, SseSplitter } from '../sse/splitter.ts';

/** How the events of a streamed answer lie in its bytes: as server-sent events, or as the elements of one JSON array. */
export type Framing = 'sse' | 'json_array';

/** Cuts the bytes of a streamed answer into its events. */
export interface FrameSplitter {
  /** Visits each event that the chunk completes. False: nothing more is visited from then on, the answer can't be followed any more. */
  push(chunk: Buffer, visit: (event: SseEvent) => void): boolean;
  /** That is so because of what the bytes say, and not because an event is too long. */
  readonly isMalformed?: boolean;
  /** @returns what came behind the last event, and is none */
  end?(): Buffer;
}

/** @param maxFrame bytes that an event may have */
export function createSplitter(framing: Framing, maxFrame: number): FrameSplitter {
  return framing === 'sse' ? new SseSplitter({ maxFrame }) : new JsonArraySplitter({ maxFrame });
}
