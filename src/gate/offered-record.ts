import type { OfferedField } from '../core/registry/offered-tool.ts';

/** A tool that a request offers to a model otherwise than its server has listed it. */
export interface OfferedDiffersRecord {
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly session: string;
  /** Id of the request, of our own making. */
  readonly request: string;
  readonly server: string;
  readonly tool: string;
  /** What the request calls it. */
  readonly name: string;
  readonly fields: readonly OfferedField[];
  /** Fingerprint of what the server listed last, and SHA-256 of what is offered, in the same form. */
  readonly listed: string | undefined;
  readonly offered: string;
  /** What the model is told that it does. */
  readonly description: string;
}
