import type { JsonObject } from '../../json.ts';
import { visitFeatures, type FeatureVisitor } from './features.ts';
import { MarkTable } from './mark-table.ts';
import type { ValueHasher } from './value-hasher.ts';
import { viewsOf } from './views.ts';

/** Characters of each reading of a call's arguments that are kept in mind. */
const MOST_SAID = 16 * 1024;

/** Marks of each of two generations; when the younger is full, the older is forgotten. About a mebibyte each. */
const MOST_MARKS = 32 * 1024;

/**
 * What one server was told so far. Its answers may repeat that, and to tell it once more tells it nothing. What is forgotten makes more alarms,
 * never fewer. Call `add` only for calls that went on: what was denied was not told.
 */
export class SaidValues {
  readonly #hasher: ValueHasher;
  #young = createTable();
  #old = createTable();
  /** Times of the newest calls that the older generation has, and of which something is not in mind. */
  #oldUntil = -Infinity;
  #forgotten = -Infinity;

  constructor(hasher: ValueHasher) {
    this.#hasher = hasher;
  }

  /** @param time of the call, in milliseconds since the epoch */
  add(args: JsonObject | undefined, time: number): void {
    const visitor: FeatureVisitor = { mayMatter: () => true, visit: (_kind, mark) => this.#addMark(mark, time) };
    for (const { text } of viewsOf(args)) {
      if (text.length > MOST_SAID) this.forget(time);
      visitFeatures(text.slice(0, MOST_SAID), this.#hasher, visitor);
    }
  }

  /** Notes that something was said of which nothing is kept. */
  forget(time: number): void {
    this.#forgotten = Math.max(this.#forgotten, time);
  }

  /** Was anything said at this time or later that is not in mind? */
  hasForgotten(since: number): boolean {
    return this.#forgotten >= since;
  }

  /** Was this said before a time? */
  has(mark: number, before = Infinity): boolean {
    return timeOf(this.#young, mark) < before || timeOf(this.#old, mark) < before;
  }

  #addMark(mark: number, time: number): void {
    if (this.#young.find(mark) !== -1) return;
    if (this.#young.count >= MOST_MARKS) {
      this.forget(this.#oldUntil);
      this.#oldUntil = time;
      this.#old = this.#young;
      this.#young = createTable();
    }
    // The first time counts, and what is said again is as young as what is new.
    this.#young.add(mark, Math.min(time, timeOf(this.#old, mark)));
  }
}

function createTable(): MarkTable<Float64Array> {
  return new MarkTable((size) => new Float64Array(size));
}

function timeOf(table: MarkTable<Float64Array>, mark: number): number {
  const place = table.find(mark);
  return place === -1 ? Infinity : table.at(place);
}
