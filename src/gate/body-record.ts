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
