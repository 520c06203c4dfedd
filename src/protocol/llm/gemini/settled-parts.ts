import type { Edit } from '../json-text.ts';
import { noteOf, WITHHELD_RESULT } from '../note.ts';
import type { PlacedPart } from './answer.ts';
import { toTextPart, withNoSignature } from './noted-part.ts';

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
