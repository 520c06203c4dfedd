import { parseBody } from '../../audit/event-columns.ts';
import type { Approval } from '../../gate/ports/approval-port.ts';
import type { StoredEvent } from '../../store/reading/read.ts';
import { textOf, type Fields } from '../log/event-fields.ts';
import type { CallNumbers } from './report.ts';

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

const APPROVALS = ['granted', 'refused', 'expired', 'flood', 'unavailable', 'withdrawn'] as const satisfies readonly Approval[];

/** A call was not allowed by the policy, and went on since that was only observed. */
export function isOnlyObserved(action: string | null, fields: Fields): boolean {
  if (action !== 'allow' || textOf(fields, 'mode') !== 'observe') return false;
  const decision = textOf(fields, 'decision');
  return decision === 'deny' || (decision === 'prompt' && textOf(fields, 'approval') !== 'granted');
}

/** Counts calls by what became of them. */
export class CallCounts {
  #total = 0;
  #denied = 0;
  #observed = 0;
  readonly #asked: Record<Approval, number> = { granted: 0, refused: 0, expired: 0, flood: 0, unavailable: 0, withdrawn: 0 };

  /** @param action what the store lists it under; it is known where the body is not */
  add(action: string | null, fields: Fields): void {
    this.#total += 1;
    // What nobody says was allowed does not pass for it.
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

/** An event with what can be read of its body. */
export interface ReportEvent extends Omit<StoredEvent, 'body'> {
  /** Empty where the body was erased, or is not readable. */
  readonly fields: Fields;
  readonly state: 'read' | 'erased' | 'unreadable';
  /** ISO 8601; empty where the time is none. */
  readonly timestamp: string;
}

export function toReportEvent({ body, ...columns }: StoredEvent): ReportEvent {
  const fields = body === null ? undefined : parseBody(body);
  const state = body === null ? 'erased' : fields === undefined ? 'unreadable' : 'read';
  return { ...columns, fields: fields ?? {}, state, timestamp: formatIso(columns.time) };
}

/** A time in milliseconds since the epoch as ISO 8601; empty where that is no time. */
export function formatIso(time: number): string {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? '' : date.toISOString();
}
