import { readArguments } from '../call-arguments.ts';
import type { ModelCall, NameVerdict } from '../dialect.ts';
import { HeldFrames } from './held-frames.ts';
import { HeldText } from './held-text.ts';

/** A call's block that has begun and not ended: what has come of its arguments, and its events as far as they are held. */
export class OpenCall {
  /** As its first event told it. */
  readonly call: ModelCall;
  readonly mode: NameVerdict;
  /** The block's place, as upstream counts and as we do. */
  readonly index: number;
  readonly out: number;
  /** JSON text of what its first event had as arguments. */
  readonly #given: string;
  readonly #maxHeld: number;
  readonly #input = new HeldText();
  readonly #held = new HeldFrames();
  #size = 0;

  constructor(
    call: ModelCall,
    place: {
      readonly mode: NameVerdict;
      readonly index: number;
      readonly out: number;
      readonly given: string;
      readonly maxHeld: number;
    },
  ) {
    this.call = call;
    this.mode = place.mode;
    this.index = place.index;
    this.out = place.out;
    this.#given = place.given;
    this.#maxHeld = place.maxHeld;
    this.#grow(place.given.length);
  }

  get isTooLong(): boolean {
    return this.#size > this.#maxHeld;
  }

  /** Gives away the events that are held, in a row, and keeps none. */
  release(visit: (frames: Buffer) => void): void {
    this.#held.drain(visit);
  }

  addInput(partial: string): void {
    this.#grow(partial.length);
    if (partial !== '' && !this.isTooLong) this.#input.add(partial);
  }

  /** @param frame an event of it in canonical form */
  hold(frame: string): void {
    this.#grow(frame.length);
    if (!this.isTooLong) this.#held.add(frame);
  }

  /** The call with its arguments, at its end; to be asked for once. */
  complete(): ModelCall {
    if (this.isTooLong) return { ...this.call, problem: 'too_long' };
    const streamed = this.#input.take();
    if (streamed === '') return { ...this.call, ...readArguments(this.#given) };
    // With arguments in both places, some clients take the later ones and some append them.
    if (!isEmptyInput(this.#given)) return { ...this.call, args: streamed, problem: 'invalid_json' };
    return { ...this.call, ...readArguments(streamed) };
  }

  incomplete(): ModelCall {
    return { ...this.call, problem: 'incomplete' };
  }

  #grow(by: number): void {
    this.#size += by;
    if (!this.isTooLong) return;
    this.#input.clear();
    this.#held.clear();
  }
}

/** What clients take for no arguments: nothing, and an object with nothing in it. */
function isEmptyInput(given: string): boolean {
  return /^(\{\s*\})?$/.test(given);
}
