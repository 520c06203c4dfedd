import { formatSseEvent } from '../../sse/event.ts';
import type { ModelCall, NameVerdict } from '../dialect.ts';
import { HeldText } from '../held-text.ts';
import { type CallBlock, completeCall } from './call-block.ts';
import type { Frame } from '../typed-frame.ts';
import { begunBlock, givenInput } from './frame.ts';

/**
 * Bytes of the memory in which frames are joined: little at first, as most calls are small; later enough that each part is worth a write.
 */
const FIRST_SIZE = 4 * 1024;
const MOST_SIZE = 128 * 1024;

/** Characters of arguments up to which events are held as they came. */
const BIG = 1024 * 1024;
/** Characters of arguments per rewritten event. */
const MOST_ANEW = 32 * 1024;

/** A call whose block has begun and not ended: its arguments so far, and its held events. */
export class OpenCall {
  /** The call as its first event described it. */
  readonly call: ModelCall;
  readonly mode: NameVerdict;
  /** The block's index, upstream and for the client. */
  readonly index: number;
  readonly out: number;
  readonly #block: CallBlock;
  /** JSON text of the arguments in its first event. */
  readonly #given: string;
  readonly #maxHeld: number;
  readonly #input = new HeldText();
  readonly #held = new HeldFrames();
  #size = 0;
  /** Characters of arguments received as deltas, and the part of them whose events are held; undefined if all are. */
  #inputLength = 0;
  #heldInput: number | undefined;
  /** The arguments of a big call. */
  #args = '';

  constructor(
    call: ModelCall,
    place: {
      readonly mode: NameVerdict;
      readonly index: number;
      readonly out: number;
      /** Its first event. */
      readonly start: Frame;
      readonly maxHeld: number;
    },
  ) {
    this.call = call;
    this.mode = place.mode;
    this.index = place.index;
    this.out = place.out;
    this.#block = begunBlock(place.start);
    this.#given = givenInput(place.start);
    this.#maxHeld = place.maxHeld;
    this.#grow(this.#given.length);
  }

  get isTooLong(): boolean {
    return this.#size > this.#maxHeld;
  }

  /** Releases the held events in order, and keeps none. */
  release(visit: (frames: Buffer) => void): void {
    this.#held.drain(visit);
    if (this.#heldInput === undefined) return;
    for (let at = this.#heldInput; at < this.#args.length; at += MOST_ANEW) {
      visit(Buffer.from(formatInput(this.out, this.#args.slice(at, at + MOST_ANEW))));
    }
  }

  addInput(partial: string): void {
    this.#grow(partial.length);
    if (partial !== '' && !this.isTooLong) this.#input.add(partial);
  }

  /**
   * Adds to the arguments and, in `hold` mode, holds the event, given in canonical form. Events of a big call are rewritten on release
   * instead: they mean the same, and holding them would take half as much memory again.
   */
  takeInput(partial: string, frame: () => string): void {
    if (this.#inputLength > BIG) this.#heldInput ??= this.#inputLength;
    this.#inputLength += partial.length;
    this.addInput(partial);
    if (this.mode === 'hold' && this.#heldInput === undefined) this.hold(frame());
  }

  /** @param frame one of its events in canonical form */
  hold(frame: string): void {
    this.#grow(frame.length);
    if (!this.isTooLong) this.#held.add(frame);
  }

  /** Returns the call with its arguments, at its end; call it once. */
  complete(): ModelCall {
    if (this.isTooLong) return { ...this.call, problem: 'too_long' };
    const streamed = this.#input.take();
    if (this.#heldInput !== undefined) this.#args = streamed;
    if (streamed === '') return completeCall(this.call, this.#given, this.#block);
    // If both places have arguments, some clients take the later ones and some append them.
    if (!isEmptyInput(this.#given)) return { ...this.call, args: streamed, problem: 'invalid_json' };
    return completeCall(this.call, streamed, this.#block);
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

function formatInput(index: number, partial: string): string {
  const delta = { type: 'input_json_delta', partial_json: partial };
  return formatSseEvent({ event: 'content_block_delta', data: JSON.stringify({ type: 'content_block_delta', index, delta }) });
}

/** Tells whether clients take this for no arguments: nothing, or an empty object. */
function isEmptyInput(given: string): boolean {
  return /^(\{\s*\})?$/.test(given);
}

/** Holds frames in a row as bytes: a big call has tens of thousands, which as separate strings would take a multiple of their size. */
export class HeldFrames {
  /** Each part contains whole frames; the last one has room. */
  #parts: { readonly memory: Buffer; length: number }[] = [];

  add(frame: string): void {
    const part = this.#room(Buffer.byteLength(frame));
    part.length += part.memory.write(frame, part.length);
  }

  /** Releases all bytes in order, some frames at a time, and keeps none. */
  drain(visit: (frames: Buffer) => void): void {
    const parts = this.#parts;
    this.#parts = [];
    for (const { memory, length } of parts) visit(memory.subarray(0, length));
  }

  clear(): void {
    this.#parts = [];
  }

  #room(bytes: number): { readonly memory: Buffer; length: number } {
    const last = this.#parts.at(-1);
    if (last !== undefined && last.memory.length - last.length >= bytes) return last;
    const size = last === undefined ? FIRST_SIZE : Math.min(2 * last.memory.length, MOST_SIZE);
    const part = { memory: Buffer.allocUnsafeSlow(Math.max(size, bytes)), length: 0 };
    this.#parts.push(part);
    return part;
  }
}
