import type { ModelCall, NameVerdict } from '../dialect.ts';
import type { Settled } from './settled-parts.ts';

/** A call on its way to a verdict. */
export class CallState implements Settled {
  readonly call: ModelCall;
  readonly mode: NameVerdict;
  isDecided = false;
  isAllowed = false;
  /** It is not going to be complete, whatever comes of it. */
  isGivenUp = false;
  note: string | undefined;

  constructor(call: ModelCall, mode: NameVerdict) {
    this.call = call;
    this.mode = mode;
  }

  get name(): string {
    return this.call.name;
  }

  /** Its parts may go on before it is decided; its end may not. */
  get isLive(): boolean {
    return this.mode === 'allow';
  }

  decide(isAllowed: boolean, note: string | undefined): void {
    this.isDecided = true;
    this.isAllowed = isAllowed && this.mode !== 'deny';
    this.note = note;
  }
}
