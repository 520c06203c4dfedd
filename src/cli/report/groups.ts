import type { Approval } from '../../gate/ports/approval-port.ts';
import { textOf, type Fields } from '../log/event-fields.ts';
import { isOnlyObserved } from './report-event.ts';
import { LISTED, type CallNumbers } from './report.ts';

/** Names that one part of a report tells apart; peers make names up. */
const MOST = 1000;

/** A group of what has the same names, with its count and what else is kept of it. */
type Group<Names, Kept> = Names & { count: number } & Kept;

/** Counts by names, so many names at most. What has other names is counted as left off. */
export class Groups<Names extends object, Kept extends object = object> {
  readonly #groups = new Map<string, Group<Names, Kept>>();
  readonly #toKept: () => Kept;
  readonly #most: number;
  total = 0;

  /** @param toKept what is kept of a group, where it is new */
  constructor(toKept: () => Kept, most: number = MOST) {
    this.#toKept = toKept;
    this.#most = most;
  }

  /** Counts one more of these names. @returns its group; undefined where there are too many */
  add(names: Names): Group<Names, Kept> | undefined {
    this.total += 1;
    const key = JSON.stringify(names);
    const known = this.#groups.get(key);
    if (known === undefined && this.#groups.size >= this.#most) return undefined;
    const group = known ?? { ...names, count: 0, ...this.#toKept() };
    if (known === undefined) this.#groups.set(key, group);
    group.count += 1;
    return group;
  }

  all(): Group<Names, Kept>[] {
    return [...this.#groups.values()];
  }

  /** The first ones in an order, the most frequent first where none is given; those that are equal stay as they came. */
  top(compare: (one: Group<Names, Kept>, other: Group<Names, Kept>) => number = byCount): Group<Names, Kept>[] {
    return this.all().toSorted(compare).slice(0, LISTED);
  }

  /** The count of everything that is in none of these. */
  leftOff(listed: readonly { readonly count: number }[]): number {
    return this.total - sumOf(listed);
  }
}

/** Groups of which nothing is kept but their counts. */
export function createCounts<Names extends object>(): Groups<Names> {
  return new Groups<Names>(() => ({}));
}

/** Sorts the most frequent first. */
export function byCount(one: { readonly count: number }, other: { readonly count: number }): number {
  return other.count - one.count;
}

/** The sum of what is counted. */
function sumOf(counted: readonly { readonly count: number }[]): number {
  return counted.reduce((sum, { count }) => sum + count, 0);
}

const APPROVALS = ['granted', 'refused', 'expired', 'flood', 'unavailable', 'withdrawn'] as const satisfies readonly Approval[];

/** Counts calls by what became of them. */
export class CallCounts {
  #total = 0;
  #denied = 0;
  #observed = 0;
  readonly #asked: Record<Approval, number> = { granted: 0, refused: 0, expired: 0, flood: 0, unavailable: 0, withdrawn: 0 };

  /** @param action what the store lists it under; it is known where the body is not */
  add(action: string | null, fields: Fields): void {
    this.#total += 1;
    // A call counts as allowed only if the record says so.
    if (action !== 'allow') this.#denied += 1;
    else if (isOnlyObserved(action, fields)) this.#observed += 1;
    const approval = APPROVALS.find((known) => known === textOf(fields, 'approval'));
    if (approval !== undefined) this.#asked[approval] += 1;
  }

  get total(): number {
    return this.#total;
  }

  get denied(): number {
    return this.#denied;
  }

  numbers(): CallNumbers {
    return {
      total: this.#total,
      allowed: this.#total - this.#denied,
      denied: this.#denied,
      observed: this.#observed,
      asked: { ...this.#asked },
    };
  }
}
