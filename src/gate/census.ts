/** Method names come from peers, so only so many are counted by name; the rest count as `other`. */
const MOST_NAMES = 256;
/** Characters of a name that is remembered; a peer's longest would be as long as its longest message. */
const LONGEST_NAME = 256;

export interface CensusReport {
  /** Messages seen from each side. */
  readonly fromClient: number;
  readonly fromServer: number;
  /** Calls that were decided, and those of them that were denied. */
  readonly reviewed: number;
  readonly denied: number;
  /** Messages that were refused: malformed, or not allowed where they came. */
  readonly refused: number;
  /** Answers that nobody waited for, which go nowhere. */
  readonly unasked: number;
  /** Messages by method, `<-` before those the server sent, answers under `(answer)`. */
  readonly methods: Readonly<Record<string, number>>;
}

/** Counts every message that passes, by direction and method. */
export class Census {
  #fromClient = 0;
  #fromServer = 0;
  #reviewed = 0;
  #denied = 0;
  #refused = 0;
  #unasked = 0;
  readonly #clientMethods = new Map<string, number>();
  readonly #serverMethods = new Map<string, number>();

  countClient(method: string): void {
    this.#fromClient++;
    count(this.#clientMethods, method);
  }

  countServer(method: string): void {
    this.#fromServer++;
    count(this.#serverMethods, method);
  }

  countReviewed(isDenied: boolean): void {
    this.#reviewed++;
    if (isDenied) this.#denied++;
  }

  countRefused(): void {
    this.#refused++;
  }

  countUnasked(): void {
    this.#unasked++;
  }

  report(): CensusReport {
    const methods = Object.fromEntries([
      ...this.#clientMethods,
      ...[...this.#serverMethods].map(([method, number]): [string, number] => [`<-${method}`, number]),
    ]);
    return {
      fromClient: this.#fromClient,
      fromServer: this.#fromServer,
      reviewed: this.#reviewed,
      denied: this.#denied,
      refused: this.#refused,
      unasked: this.#unasked,
      methods,
    };
  }
}

function count(counts: Map<string, number>, name: string): void {
  const method = name.length > LONGEST_NAME ? 'other' : name;
  const known = counts.get(method);
  if (known !== undefined) counts.set(method, known + 1);
  else if (counts.size < MOST_NAMES) counts.set(method, 1);
  else counts.set('other', (counts.get('other') ?? 0) + 1);
}
