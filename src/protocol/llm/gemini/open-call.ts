import type { ModelCall, NameVerdict } from '../dialect.ts';
import { toTextPart, withMember, withNoSignature } from './noted-part.ts';
import { type PartialArg, PartialArgs } from './partial-args.ts';
import type { Edit } from '../json-text.ts';
import { noteOf, WITHHELD_RESULT } from '../note.ts';
import type { PlacedPart } from './answer.ts';

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

/** The outcome of the call that a part belongs to. */
export interface Settled {
  readonly isAllowed: boolean;
  /** The note that replaces a denied call. */
  readonly note: string | undefined;
  readonly name: string;
}

/** The state of one candidate's parts that later parts depend on. */
interface Turn {
  /** True if an allowed call remains. */
  hasCall: boolean;
  /** True if a denied call had the signature, and no earlier call remains. */
  isSignatureGone: boolean;
  /** Ids of the provider's denied calls. */
  readonly deniedIds: Set<string>;
  /** True if the last call of code was denied; likewise for the last other call. */
  isCodeDenied: boolean;
  isToolDenied: boolean;
}

/** Edits the parts of an answer, in order, as the verdicts say; across all events of a streamed one. */
export class SettledParts {
  readonly #turns = new Map<number, Turn>();

  /** Returns the edit of a call's part; undefined if it passes unchanged. @param settled of the part's call; undefined for a result */
  edit(text: string, { candidate, span, part }: PlacedPart, settled: Settled | undefined): Edit | undefined {
    const turn = this.#turn(candidate);
    if (part.kind === 'provider_result') {
      const isLastDenied = part.isCode ? turn.isCodeDenied : turn.isToolDenied;
      const isWithheld = part.id === '' ? isLastDenied : turn.deniedIds.has(part.id);
      return isWithheld ? toTextPart(text, span, WITHHELD_RESULT) : undefined;
    }
    const isAllowed = settled?.isAllowed === true;
    if (part.kind === 'provider_call') {
      turn[part.isCode ? 'isCodeDenied' : 'isToolDenied'] = !isAllowed;
      if (!isAllowed && part.call.id !== '') turn.deniedIds.add(part.call.id);
    } else if (part.kind === 'piece' && part.call === undefined) {
      // Upstream itself ends with an empty text; some clients drop a turn without parts.
      return isAllowed ? undefined : toTextPart(text, span, '');
    } else if (isAllowed) {
      const isUnsigned = turn.isSignatureGone && !turn.hasCall && !part.isSigned;
      turn.hasCall = true;
      return isUnsigned ? withNoSignature(span) : undefined;
    } else if (part.isSigned && !turn.hasCall) turn.isSignatureGone = true;
    return isAllowed ? undefined : toTextPart(text, span, noteOf(settled?.note, settled ?? part.call ?? { name: '' }));
  }

  #turn(candidate: number): Turn {
    const known = this.#turns.get(candidate);
    if (known !== undefined) return known;
    const turn: Turn = {
      hasCall: false,
      isSignatureGone: false,
      deniedIds: new Set(),
      isCodeDenied: false,
      isToolDenied: false,
    };
    this.#turns.set(candidate, turn);
    return turn;
  }
}
