/** From this number of messages on, all are awaited together: a batch is read again as a whole on each try. */
const MANY = 8;

/** Bounds on kept outcomes; the least recently asked for are dropped. */
interface Bounds<T> {
  readonly count: number;
  /** UTF-16 units in all, if they take memory. */
  readonly units?: number;
  readonly unitsOf?: (outcome: T) => number;
}

/** Outcomes of scans that something waits for, by the keys of what was scanned. */
export class HeldOutcomes<T> {
  readonly #most: Bounds<T>;
  /** Scans that run. */
  readonly #scanning = new Map<string, Promise<void>>();
  /** Known outcomes, the last one asked for at the end. */
  readonly #kept = new Map<string, T>();
  #units = 0;

  constructor(most: Bounds<T>) {
    this.#most = most;
  }

  /** Resolves when something may have been scanned; undefined if nothing waits. */
  get waiting(): Promise<unknown> | undefined {
    const scanning = [...this.#scanning.values()];
    if (scanning.length === 0) return undefined;
    return scanning.length > MANY ? Promise.all(scanning) : Promise.race(scanning);
  }

  /** The outcome, undefined while unknown: ask again when `waiting` resolves. @param scan never rejects; called first */
  get(key: string, scan: () => Promise<T>): T | undefined {
    const known = this.take(key);
    if (known !== undefined) this.#keep(key, known);
    else if (!this.#scanning.has(key)) {
      const scanning = scan().then((outcome) => {
        this.#scanning.delete(key);
        this.#keep(key, outcome);
      });
      this.#scanning.set(key, scanning);
    }
    return known;
  }

  /** A known outcome. */
  peek(key: string): T | undefined {
    return this.#kept.get(key);
  }

  /** Forgets a known outcome, and returns it. */
  take(key: string): T | undefined {
    const outcome = this.#kept.get(key);
    if (outcome === undefined) return undefined;
    this.#kept.delete(key);
    this.#units -= this.#unitsOf(outcome);
    return outcome;
  }

  /** Forgets all known outcomes. */
  clear(): void {
    this.#kept.clear();
    this.#units = 0;
  }

  #keep(key: string, outcome: T): void {
    this.#kept.set(key, outcome);
    this.#units += this.#unitsOf(outcome);
    const { count, units = Number.POSITIVE_INFINITY } = this.#most;
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= count && this.#units <= units) break;
      if (oldest !== key) this.take(oldest);
    }
  }

  #unitsOf(outcome: T): number {
    return this.#most.unitsOf?.(outcome) ?? 0;
  }
}
