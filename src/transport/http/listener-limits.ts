/** Times in milliseconds. There is none for a whole request or response: streams last for hours. */
export interface ListenerLimits {
  /** Until a request's headers are there. */
  readonly headersTimeout: number;
  /**
   * Between two bytes of a body; all of it has four times as long, and a second more with each kilobyte. Then the answer is 408, where none has begun, and
   * whoever reads the body sees it cut off.
   */
  readonly bodyTimeout: number;
  /** Between two requests of a connection. */
  readonly idleTimeout: number;
  /** With one more, one that has shown no URL of ours is closed, or one that is idle. */
  readonly maxConnections: number;
}
