import type { Approval } from '../../gate/approver-port.ts';
import { textOf, type Fields } from '../log/event-fields.ts';
import type { CallNumbers } from './report.ts';

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
