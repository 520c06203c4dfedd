import type { Call } from '../core/call.ts';

/** A call that went on, without its arguments. */
export interface Source {
  /** Id of its record. */
  readonly record: string;
  readonly call: Call;
}
