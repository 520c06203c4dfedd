/** The counts of a remote server's route since its start; for people and monitoring. */
export interface Counters {
  requests: number;
  /** Requests answered by us, not by the server: denied, refused, or unreadable. */
  answered: number;
  /** Requests that failed because the server was unreachable, or its answer unusable. */
  failed: number;
  /** Open streams. */
  streams: number;
  /** Time of the last request, in milliseconds since the epoch; undefined before the first. */
  last: number | undefined;
}

export function createCounters(): Counters {
  return { requests: 0, answered: 0, failed: 0, streams: 0, last: undefined };
}
