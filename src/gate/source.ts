import type { Call } from '../core/call.ts';

/** A call that went on, without its arguments. */
export interface Source {
  /** Id of its record. */
  readonly record: string;
  readonly call: Call;
  /** It went on before: what comes now is what its task came to. */
  readonly isTask?: boolean;
}
