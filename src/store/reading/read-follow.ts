import { statSync } from 'node:fs';
import { openStoreReader } from './read-open.ts';
import type { EventQuery } from './read-query.ts';
import type { StoredEvent, StoreReader } from './read.ts';

/**
 * Follows what is added to a store, even if the store does not exist yet or is replaced by another file. It never waits: the caller asks
 * again and again.
 */
export class StoreFollower {
  readonly #file: string;
  #reader: StoreReader | undefined;
  #identity: string | undefined;
  #last = 0;

  constructor(file: string) {
    this.#file = file;
  }

  /**
   * Returns the open store, if there is one, and the `seq` of its newest event; `added` begins after it.
   * Throws ClawaiError `store_*`.
   */
  begin(): { readonly reader: StoreReader; readonly last: number } | undefined {
    this.#reopen();
    if (this.#reader === undefined) return undefined;
    this.#last = this.#reader.lastSeq();
    return { reader: this.#reader, last: this.#last };
  }

  /** The place up to which events were read, as text: it names the file and the `seq`. */
  get place(): string {
    return `${this.#identity?.replace(' ', '-') ?? ''}.${this.#last}`;
  }

  /** The `seq` of a place in the open store; undefined if it is of another store, or no place. */
  seqOf(place: string): number | undefined {
    const [, identity, seq] = /^(\d+-\d+)\.(\d{1,15})$/.exec(place) ?? [];
    if (identity === undefined || identity !== this.#identity?.replace(' ', '-')) return undefined;
    return Number(seq) <= this.#last ? Number(seq) : undefined;
  }

  /** The store that is open now, if there is one. */
  get reader(): StoreReader | undefined {
    return this.#reader;
  }

  /** The `seq` up to which `added` has read. */
  get last(): number {
    return this.#last;
  }

  /** Yields the events that match a query and came since the last call, in order of commit. Throws ClawaiError `store_*`. */
  *added(query: EventQuery): Generator<StoredEvent, void, void> {
    if (this.#reader === undefined || identityOf(this.#file) !== this.#identity) this.#reopen();
    const reader = this.#reader;
    if (reader === undefined) return;
    const newest = reader.lastSeq();
    // Sequence numbers begin again in a store whose events were all erased.
    if (newest < this.#last) this.#last = 0;
    if (newest === this.#last) return;
    const asked = { ...query, since: undefined, until: undefined, after: this.#last, upTo: newest };
    for (const event of reader.events(asked)) {
      this.#last = event.seq;
      yield event;
    }
    this.#last = newest;
  }

  close(): void {
    this.#reader?.close();
    this.#reader = undefined;
  }

  #reopen(): void {
    this.close();
    this.#identity = identityOf(this.#file);
    this.#last = 0;
    this.#reader = openStoreReader(this.#file);
  }
}

/** Tells a file from another one that takes its place. */
function identityOf(file: string): string | undefined {
  const found = statSync(file, { throwIfNoEntry: false, bigint: true });
  return found === undefined ? undefined : `${found.dev} ${found.ino}`;
}
