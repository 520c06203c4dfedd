import type { StreamOptions } from '../../dialect.ts';
import type { JsonObject } from '../../json-object.ts';
import type { ChunkChoice } from './chunk.ts';
import type { ChoiceFate, PartFate } from './chunk-edits.ts';
import { type HeldRoom, OpenCall } from './open-call.ts';

/** One message of a stream: its open calls, and the outcomes of earlier ones. */
export class Choice {
  readonly index: number;
  readonly #room: HeldRoom;
  #open: OpenCall[] = [];
  readonly #byIndex = new Map<number, OpenCall>();
  #legacy: OpenCall | undefined;
  /** The last call whose parts had no index. */
  #unnumbered: OpenCall | undefined;
  /** Indices of decided calls. */
  readonly #decided = new Set<number>();
  #nextOut = 0;
  #denied = 0;
  #remaining = 0;
  /** True if it has any text. */
  hasText = false;

  constructor(index: number, room: HeldRoom) {
    this.index = index;
    this.#room = room;
  }

  /** The open calls in the order of their starts. */
  get openCalls(): readonly OpenCall[] {
    return this.#open;
  }

  get isHolding(): boolean {
    return this.#open.some(({ isLive }) => !isLive);
  }

  /** True if the client has the beginning of a call that continues as another one. */
  get isAstray(): boolean {
    return this.#open.some((call) => call.isAstray);
  }

  /** True if all calls were denied, so that the message can't have stopped for one. */
  get isNothingLeft(): boolean {
    return this.#denied > 0 && this.#remaining === 0;
  }

  /** Returns the open call at an index. */
  callAt(index: number): OpenCall | undefined {
    return this.#byIndex.get(index);
  }

  /**
   * Takes its part of a chunk, and adds the pieces of calls.
   *
   * @param to `answer`: the API's id of the answer; `nameVerdict`: called once for each call
   */
  take(
    { delta, toolCalls, functionCall }: ChunkChoice,
    to: Pick<StreamOptions, 'nameVerdict'> & { readonly answer: string | undefined },
  ): ChoiceFate {
    const value = delta['content'];
    if (typeof value === 'string' && value !== '') this.hasText = true;
    const parts = toolCalls.map((part): PartFate => {
      const call = this.#callOf(part, to.answer);
      return call === undefined ? 'held' : this.#takePart(call, part, to);
    });
    if (functionCall === undefined) return { parts, isLegacyHeld: false };
    this.#legacy ??= this.#begin({ isLegacy: true, answer: to.answer });
    return { parts, isLegacyHeld: this.#takePart(this.#legacy, functionCall, to) === 'held' };
  }

  /** Takes the next index among the client's calls. */
  takeOut(): number {
    return this.#nextOut++;
  }

  /** Closes and returns the open calls, in the order in which clients have them. */
  closeCalls(): readonly OpenCall[] {
    const closed = this.#open.toSorted((a, b) => a.index - b.index);
    for (const index of this.#byIndex.keys()) this.#decided.add(index);
    this.#open = [];
    this.#byIndex.clear();
    this.#legacy = undefined;
    this.#unnumbered = undefined;
    return closed;
  }

  /** Counts the outcome of a call. */
  tally(isAllowed: boolean): void {
    if (isAllowed) this.#remaining++;
    else this.#denied++;
  }

  /**
   * Returns the call that an element of `tool_calls` belongs to, beginning a new one if needed. Undefined if clients would add it to a
   * decided call.
   */
  #callOf(part: JsonObject, answer: string | undefined): OpenCall | undefined {
    const { index, id } = part;
    if (typeof index !== 'number') {
      const last = this.#unnumbered?.id ?? '';
      const isOther = last !== '' && typeof id === 'string' && id !== '' && id !== last;
      if (isOther || this.#unnumbered === undefined) this.#unnumbered = this.#begin({ answer });
      return this.#unnumbered;
    }
    const known = this.#byIndex.get(index);
    if (known !== undefined) return known;
    if (this.#decided.has(index) && (id ?? '') === '' && !hasName(part)) return undefined;
    const begun = this.#begin({ index, answer });
    this.#byIndex.set(index, begun);
    return begun;
  }

  #takePart(call: OpenCall, part: JsonObject, { nameVerdict }: Pick<StreamOptions, 'nameVerdict'>): PartFate {
    const { isNew } = call;
    call.add(part);
    if (call.name === '') return 'held';
    if (call.mode === undefined) {
      const mode = nameVerdict(call.named());
      // The pieces before its name were held, so the rest must be held too.
      call.mode = mode === 'allow' && (!isNew || call.isUnclear) ? 'hold' : mode;
    }
    if (!call.isLive) return 'held';
    if (!call.isLegacy) call.out ??= this.takeOut();
    return call.out ?? 0;
  }

  #begin(of: { readonly isLegacy?: boolean; readonly index?: number; readonly answer: string | undefined }): OpenCall {
    const call = new OpenCall({ room: this.#room, isLegacy: false, ...of });
    this.#open.push(call);
    return call;
  }
}

function hasName(part: JsonObject): boolean {
  return [part['function'], part['custom']].some(
    (inner) => typeof inner === 'object' && inner !== null && 'name' in inner && inner.name !== null && inner.name !== '',
  );
}
