/**
 * Tells what happens to a message's bytes. `forward`: they go on to the other side, untouched. `reply`: `line` goes back to the sender and
 * nothing goes on. `replace`: `line` goes on instead, and `reply`, if there is one, goes back; either may be several lines or none.
 * `unrecorded` makes the reply for the case that the decision is on no record after all, since an answer may name that record. `drop`:
 * nothing goes anywhere. `busy`: nothing was decided, since the store is taken; ask again. Lines end with a line feed.
 */
export type Verdict =
  | { readonly kind: 'forward' }
  | { readonly kind: 'reply'; readonly line: string; readonly unrecorded?: () => string }
  | { readonly kind: 'replace'; readonly line: string; readonly reply?: string; readonly unrecorded?: () => string }
  | { readonly kind: 'drop' }
  | { readonly kind: 'busy' };

/** A verdict that holds only once its decision is on record; otherwise `otherwise` gives the verdict. */
export interface RecordedVerdict {
  readonly kind: 'recorded';
  readonly verdict: Verdict;
  readonly otherwise: () => Verdict;
}

export const FORWARD: Verdict = { kind: 'forward' };
export const DROP: Verdict = { kind: 'drop' };
export const BUSY: Verdict = { kind: 'busy' };
