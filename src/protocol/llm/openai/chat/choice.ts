import type { StreamOptions } from '../../dialect.ts';
import type { JsonObject } from '../../json-object.ts';
import type { ChunkChoice } from './chunk.ts';
import type { ChoiceFate, PartFate } from './chunk-edits.ts';
import { type HeldRoom, OpenCall } from './open-call.ts';

/** One of the messages that a stream makes: the calls that are being made in it, and what has become of those before. */
export class Choice {
  readonly index: number;
  readonly #room: HeldRoom;
  #open: OpenCall[] = [];
  readonly #byIndex = new Map<number, OpenCall>();
  #legacy: OpenCall | undefined;
  /** The last call whose parts had no index. */
  #unnumbered: OpenCall | undefined;
  /** Indices of calls that have been decided. */
  readonly #decided = new Set<number>();
  #nextOut = 0;
  #denied = 0;
  #remaining = 0;
  /** Something has been said in it. */
  hasText = false;

  constructor(index: number, room: HeldRoom) {
    this.index = index;
    this.#room = room;
  }

  /** In the order in which they were begun. */
  get openCalls(): readonly OpenCall[] {
    return this.#open;
  }

  get isHolding(): boolean {
    return this.#open.some(({ isLive }) => !isLive);
  }

  /** The client has the beginning of a call that goes on as another one. */
  get isAstray(): boolean {
    return this.#open.some((call) => call.isAstray);
  }

  /** Nothing is left to run of what there was, so that the message can't have stopped for it. */
  get isNothingLeft(): boolean {
    return this.#denied > 0 && this.#remaining === 0;
  }

  /** The call that is at an index, as long as it is open. */
  callAt(index: number): OpenCall | undefined {
    return this.#byIndex.get(index);
  }

  /**
   * Takes what a chunk has of it: calls get their parts.
   *
   * @param to `answer`: the API's id of the answer; `nameVerdict`: asked once for each call
   */
  take(
    { delta, toolCalls, functionCall }: ChunkChoice,
    to: Pick<StreamOptions, 'nameVerdict'> & { readonly answer: string | undefined },
  ): ChoiceFate {
    const said = delta['content'];
    if (typeof said === 'string' && said !== '') this.hasText = true;
    const parts = toolCalls.map((part): PartFate => {
      const call = this.#callOf(part, to.answer);
      return call === undefined ? 'held' : this.#takePart(call, part, to);
    });
    if (functionCall === undefined) return { parts, isLegacyHeld: false };
    this.#legacy ??= this.#begin({ isLegacy: true, answer: to.answer });
    return { parts, isLegacyHeld: this.#takePart(this.#legacy, functionCall, to) === 'held' };
  }

  /** Takes the next place among the calls that the client has. */
  takeOut(): number {
    return this.#nextOut++;
  }

  /** Gives away the calls that are open, in the order in which clients have them: none of them goes on. */
  closeCalls(): readonly OpenCall[] {
    const closed = this.#open.toSorted((a, b) => a.index - b.index);
    for (const index of this.#byIndex.keys()) this.#decided.add(index);
    this.#open = [];
    this.#byIndex.clear();
    this.#legacy = undefined;
    this.#unnumbered = undefined;
    return closed;
  }

  /** What has become of a call. */
  tally(isAllowed: boolean): void {
    if (isAllowed) this.#remaining++;
    else this.#denied++;
  }

  /** The call that an element of `tool_calls` is a part of; one is begun where it is of none. Undefined where clients would add it to one that has been decided. */
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
      // What came before its name has not gone on, so that the rest can't either.
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
