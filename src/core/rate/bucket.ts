/** So many calls a minute, and so many at once after a pause. */
export interface RateLimit {
  /** Calls a minute. */
  readonly rpm: number;
  /** Calls at once; at least 1. */
  readonly burst: number;
}

/** A token bucket as it was left. */
export interface Bucket {
  /** From 0 to the limit's `burst`. */
  readonly tokens: number;
  /** When that was so, in milliseconds since the epoch. */
  readonly time: number;
}

/** A bucket that a call takes from. */
export interface NamedLimit extends RateLimit {
  /** The same for all calls that share it. */
  readonly key: string;
  /** Whose it is. */
  readonly of: 'server' | 'tool';
}

/** Why a call has to wait. */
export interface RateExcess {
  readonly limit: NamedLimit;
  /** Seconds until one such call may go on, rounded up; at least 1. */
  readonly retryAfter: number;
}
