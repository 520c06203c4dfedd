/** What was asked of an LLM provider, or what it has answered, as it is kept: without secrets, and within bounds. */
export interface BodyRecord {
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly session: string;
  readonly kind: 'request' | 'answer';
  /** The provider's name, and the API that it speaks. */
  readonly provider: string;
  readonly dialect: string;
  /** Id of the request, of our own making; calls in its answer are recorded with it. */
  readonly request: string;
  /** JSON text. */
  readonly json: string;
  /** Why something is not in it, each reason once. */
  readonly cuts: ReadonlySet<'too_long' | 'too_many_members' | 'too_many_values' | 'too_deep' | 'too_large'>;
}

/**
 * What became of a request for an answer of a model: its answer was looked at, it was refused since nobody could do that, or it passed all the same
 * (`unlooked`) where clawai only observes.
 */
export type RequestFate = 'looked' | 'refused' | 'unlooked';
export type RequestCounts = Readonly<Record<RequestFate, number>>;

/** How many requests there were, told when no more can come. */
export interface ModelRequestsRecord {
  readonly time: number;
  readonly session: string;
  readonly counts: RequestCounts;
}
