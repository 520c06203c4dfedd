/** How many names one part of a report tells apart; peers make names up. */
const MOST = 1000;

/**
 * What is counted by name, so many names at most. What more names there are is counted by whoever asked for them in vain.
 */
export class Groups<T> {
  readonly #groups = new Map<string, T>();
  readonly #most: number;

  constructor(most: number = MOST) {
    this.#most = most;
  }

  get size(): number {
    return this.#groups.size;
  }

  /** The group of these names, made where it is new; undefined where there are too many. */
  at(names: readonly unknown[], create: () => T): T | undefined {
    const key = JSON.stringify(names);
    const known = this.#groups.get(key);
    if (known !== undefined || this.#groups.size >= this.#most) return known;
    const group = create();
    this.#groups.set(key, group);
    return group;
  }

  /** The first so many in an order; those that are equal stay as they came. */
  top(most: number, compare: (one: T, other: T) => number): T[] {
    return [...this.#groups.values()].toSorted(compare).slice(0, most);
  }

  values(): Iterable<T> {
    return this.#groups.values();
  }
}

/** What happened most comes first. */
export function byCount(one: { readonly count: number }, other: { readonly count: number }): number {
  return other.count - one.count;
}

/** The sum of what is counted. */
export function sumOf(counted: Iterable<{ readonly count: number }>): number {
  let sum = 0;
  for (const { count } of counted) sum += count;
  return sum;
}
