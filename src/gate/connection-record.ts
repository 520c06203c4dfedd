/** A connection to a remote server that was refused because of what was found at the other end. */
export interface ConnectionRecord {
  readonly time: number;
  readonly session: string;
  readonly server: string;
  /** Host and port. */
  readonly address: string;
  /** What was wrong, for people. */
  readonly problem: string;
  /** Fingerprints of the key that was to be there, and of the one that was. */
  readonly expected: string;
  readonly found: string;
}
