/** Method names come from peers, so only so many are counted by name; the rest count as `other`. */
const MOST_NAMES = 256;
/** Most characters of a remembered name, since a peer's could be as long as a message. */
const LONGEST_NAME = 256;

/** Tells how much of a result was read. */
export type ReadResult = 'read' | 'cut' | 'not_read';

/**
 * Counts of detection: definitions, texts of messages and arguments that were scanned; texts that were too long (`cut`); and those left
 * out because there was too much (`busy`), it failed (`failed`), or they are binary (`binary`).
 */
export const SCAN_COUNTS = ['definitions', 'texts', 'arguments', 'cut', 'busy', 'failed', 'binary'] as const;
export type ScanCount = (typeof SCAN_COUNTS)[number];

export interface TallyReport {
  /** Messages seen from each side, without blank lines. */
  readonly fromClient: number;
  readonly fromServer: number;
  /** Messages that the policy decided; that passed, since no rule concerns them; that were refused; and answers that nobody waited for. */
  readonly inspected: number;
  readonly passed: number;
  readonly refused: number;
  readonly unasked: number;
  /** Results whose content was read as a whole, in part, or not at all. */
  readonly results: Readonly<Record<ReadResult, number>>;
  /** Counts of what detection inspected, and what it left out. */
  readonly scans: Readonly<Record<ScanCount, number>>;
  /** Calls in the inspected messages, and how many of them were denied. */
  readonly decided: number;
  readonly denied: number;
  /** Messages by method: `<-` precedes those of the server, and answers count as `(answer)`. */
  readonly methods: Readonly<Record<string, number>>;
}

/** Counts every message that passes, by direction and method. */
export class Tally {
  #fromClient = 0;
  #fromServer = 0;
  #inspected = 0;
  #decided = 0;
  #denied = 0;
  #refused = 0;
  #unasked = 0;
  readonly #results: Record<ReadResult, number> = { read: 0, cut: 0, not_read: 0 };
  readonly #scans = Object.fromEntries(SCAN_COUNTS.map((what) => [what, 0])) as Record<ScanCount, number>;
  readonly #clientMethods = new Counters();
  readonly #serverMethods = new Counters();

  countClient(method: string): void {
    this.#fromClient++;
    this.#clientMethods.count(method);
  }

  countServer(method: string, times = 1): void {
    this.#fromServer += times;
    this.#serverMethods.count(method, times);
  }

  /** Counts a message that the policy has decided. */
  countInspected(): void {
    this.#inspected++;
  }

  /** Counts a call in such a message. */
  countDecided(isDenied: boolean): void {
    this.#decided++;
    if (isDenied) this.#denied++;
  }

  countRefused(): void {
    this.#refused++;
  }

  countUnasked(): void {
    this.#unasked++;
  }

  countResult(how: ReadResult): void {
    this.#results[how]++;
  }

  countScan(what: ScanCount, count = 1): void {
    this.#scans[what] += count;
  }

  report(): TallyReport {
    const methods = Object.fromEntries([
      ...this.#clientMethods.counts(),
      ...[...this.#serverMethods.counts()].map(([method, count]): [string, number] => [`<-${method}`, count]),
    ]);
    return {
      fromClient: this.#fromClient,
      fromServer: this.#fromServer,
      inspected: this.#inspected,
      passed: this.#fromClient + this.#fromServer - this.#inspected - this.#refused - this.#unasked,
      refused: this.#refused,
      unasked: this.#unasked,
      decided: this.#decided,
      denied: this.#denied,
      results: { ...this.#results },
      scans: { ...this.#scans },
      methods,
    };
  }
}

/** Counts by name. */
class Counters {
  readonly #counters = new Map<string, Counter>();
  /** The counter used last: thousands of one name may come in a row. */
  #last: Counter | undefined;

  count(name: string, times = 1): void {
    if (this.#last?.name !== name) this.#last = this.#counterOf(name);
    this.#last.count += times;
  }

  *counts(): Generator<[name: string, count: number]> {
    for (const { name, count } of this.#counters.values()) yield [name, count];
  }

  #counterOf(name: string): Counter {
    const known = this.#counters.get(name);
    if (known !== undefined) return known;
    const isCounted = name === 'other' || (this.#counters.size < MOST_NAMES && name.length <= LONGEST_NAME);
    if (!isCounted) return this.#counterOf('other');
    const counter = { name, count: 0 };
    this.#counters.set(name, counter);
    return counter;
  }
}

interface Counter {
  readonly name: string;
  count: number;
}
