/** A block that has begun and not ended. */
export interface OpenBlock {
  /** Its index in the client's stream. */
  readonly out: number;
  /** True if its events are dropped: something else has replaced it. */
  readonly isWithheld: boolean;
}

/**
 * Maps upstream's blocks to indices in the client's stream. Blocks are numbered in the order of their starts: clients append them and look
 * them up by index, so with any other numbering a call could get another call's arguments.
 */
export class BlockPlaces {
  /** Open blocks by upstream's index. */
  readonly #open = new Map<number, OpenBlock>();
  #next = 0;
  /** Blocks that the message began with, until the next block shows whether upstream counts them. */
  #prefilled = 0;

  get isEmpty(): boolean {
    return this.#next === 0;
  }

  /** Notes that the message begins with so many blocks. */
  begin(prefilled: number): void {
    this.#next = prefilled;
    this.#prefilled = prefilled;
  }

  /** Notes that only so many of them are left, before our own blocks. */
  keep(prefilled: number): void {
    this.#next = prefilled;
    this.#prefilled = 0;
  }

  /** Takes the next index for a block of our own. */
  take(): number {
    return this.#next++;
  }

  /** Begins a block. @param index upstream's @returns its index for the client */
  open(index: number, isWithheld: boolean): number {
    if (index === 0 && this.#prefilled > 0) this.#next = 0;
    this.#prefilled = 0;
    const out = this.#next++;
    this.#open.set(index, { out, isWithheld });
    return out;
  }

  get(index: number): OpenBlock | undefined {
    return this.#open.get(index);
  }

  close(index: number): void {
    this.#open.delete(index);
  }
}
