import type { Call } from '../core/call.ts';
import type { Transaction } from './recorder.ts';

/** A call that went on, without its arguments. */
export interface Source {
  /** Id of its record; undefined where it could not be recorded. */
  readonly record: string | undefined;
  /** The one that it was recorded in, which may still fail. */
  readonly transaction?: Readonly<Transaction>;
  readonly call: Call;
  /** It went on before: what comes now is what its task came to. */
  readonly isTask?: boolean;
}
