/** A block that has begun and not ended. */
export interface OpenBlock {
  /** Its place in what the client gets. */
  readonly out: number;
  /** Its events are not passed on: something else has been put there. */
  readonly isWithheld: boolean;
}

/**
 * Which place the blocks of a message have in what the client gets. Blocks are numbered as they are begun: clients append them and look
 * them up by index, and would give a call the arguments of another one where upstream counts otherwise.
 */
export class BlockPlaces {
  /** By upstream's index. */
  readonly #open = new Map<number, OpenBlock>();
  #next = 0;
  /** Blocks that the message began with, until the first other one shows whether upstream counts them. */
  #prefilled = 0;

  get isEmpty(): boolean {
    return this.#next === 0;
  }

  /** The message begins with so many blocks. */
  begin(prefilled: number): void {
    this.#next = prefilled;
    this.#prefilled = prefilled;
  }

  /** Fewer of them are left, and blocks of our own follow. */
  keep(prefilled: number): void {
    this.#next = prefilled;
    this.#prefilled = 0;
  }

  /** Takes the next place for a block of our own. */
  take(): number {
    return this.#next++;
  }

  /** Begins a block. @param index upstream's @returns its place */
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
