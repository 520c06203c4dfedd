import type { Edit } from '../json-text.ts';
import { noteOf, WITHHELD_RESULT } from '../note.ts';
import type { PlacedPart } from './answer.ts';
import { toTextPart, withNoSignature } from './noted-part.ts';

/** What has become of the call that a part belongs to. */
export interface Settled {
  readonly isAllowed: boolean;
  /** What takes its place where it is denied. */
  readonly note: string | undefined;
  readonly name: string;
}

/** What the parts of one candidate have come to, as far as later ones depend on it. */
interface Turn {
  /** A call is left. */
  hasCall: boolean;
  /** A call that was denied had the signature, and no call was left before it. */
  isSignatureGone: boolean;
  /** Ids of the provider's calls that were denied. */
  readonly deniedIds: Set<string>;
  /** The last call of code was denied, or the last other one. */
  isCodeDenied: boolean;
  isToolDenied: boolean;
}

/** Changes the parts of an answer, in order, as the verdicts say; over all events of a streamed one. */
export class SettledParts {
  readonly #turns = new Map<number, Turn>();

  /** The change of a call's part: none, where it goes on as it is. @param settled of the part's call; undefined for a result */
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
      // An empty text is what upstream itself ends with; without any part some clients drop the turn.
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
