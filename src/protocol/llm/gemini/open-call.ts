import type { ModelCall, NameVerdict } from '../dialect.ts';
import { withMember } from './noted-part.ts';
import { type PartialArg, PartialArgs } from './partial-args.ts';
import type { Settled } from './settled-parts.ts';

/** A call that comes in pieces and has not ended. */
export class OpenCall {
  readonly candidate: number;
  readonly state: CallState;
  /** Its first part, as it came. */
  readonly #part: string;
  readonly #args = new PartialArgs();
  /** Characters of its arguments so far. */
  size = 0;

  constructor(state: CallState, { candidate, part }: { readonly candidate: number; readonly part: string }) {
    this.state = state;
    this.candidate = candidate;
    this.#part = part;
  }

  add(partial: readonly PartialArg[]): void {
    for (const arg of partial) {
      this.size += arg.path.length + (arg.piece ?? arg.value ?? '').length;
      this.#args.add(arg);
    }
  }

  complete(): ModelCall {
    const { call } = this.state;
    const { args, problem } = this.#args.read();
    const { id, name } = call;
    const whole = `{${id === '' ? '' : `"id":${JSON.stringify(id)},`}"name":${JSON.stringify(name)},"args":${args}}`;
    return { ...call, args, problem, inHistory: () => withMember(this.#part, 'functionCall', whole) };
  }

  /** @param problem why it will not be complete */
  incomplete(problem: 'incomplete' | 'too_long'): ModelCall {
    return { ...this.state.call, problem };
  }
}

/** The state of a call until and after its verdict. */
export class CallState implements Settled {
  readonly call: ModelCall;
  readonly mode: NameVerdict;
  isDecided = false;
  isAllowed = false;
  /** True if it will not be complete, whatever the verdict. */
  isGivenUp = false;
  note: string | undefined;

  constructor(call: ModelCall, mode: NameVerdict) {
    this.call = call;
    this.mode = mode;
  }

  get name(): string {
    return this.call.name;
  }

  /** True if its parts may pass before the verdict; its end may not. */
  get isLive(): boolean {
    return this.mode === 'allow';
  }

  decide(isAllowed: boolean, note: string | undefined): void {
    this.isDecided = true;
    this.isAllowed = isAllowed && this.mode !== 'deny';
    this.note = note;
  }
}
