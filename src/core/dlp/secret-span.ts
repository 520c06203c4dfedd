/** A secret in a text: UTF-16 positions from `start` up to `end`. */
export interface SecretSpan {
  readonly start: number;
  readonly end: number;
  /** What kind of secret, for the marker that takes its place. */
  readonly kind: string;
}
