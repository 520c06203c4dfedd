/** What a remote server's route has seen since it began; for people and their monitoring. */
export interface Counters {
  requests: number;
  /** Answered by us, not by the server: denied, refused, or not read. */
  answered: number;
  /** Requests that the server could not be reached for, or whose answer could not be used. */
  failed: number;
  /** Streams that are open now. */
  streams: number;
  /** Milliseconds since the epoch of the last request; undefined before. */
  last: number | undefined;
}

export function createCounters(): Counters {
  return { requests: 0, answered: 0, failed: 0, streams: 0, last: undefined };
}
