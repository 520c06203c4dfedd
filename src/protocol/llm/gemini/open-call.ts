import type { ModelCall } from '../dialect.ts';
import type { CallState } from './call-state.ts';
import { withMember } from './noted-part.ts';
import { type PartialArg, PartialArgs } from './partial-args.ts';

/** A call that comes in pieces and has not ended. */
export class OpenCall {
  readonly candidate: number;
  readonly state: CallState;
  /** Its first part, as it came. */
  readonly #part: string;
  readonly #args = new PartialArgs();
  /** Characters that have come of its arguments. */
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

  /** @param problem why it is not going to be complete */
  incomplete(problem: 'incomplete' | 'too_long'): ModelCall {
    return { ...this.state.call, problem };
  }
}
