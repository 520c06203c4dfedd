/**
 * Tells a transport what to do with a message's bytes. `forward`: send them on, untouched. `reply`: send `line` back to the sender, and
 * nothing on. `replace`: send `line` on instead, and `reply`, if set, back; either may be several lines or empty. `drop`: send nothing.
 * `busy`: nothing was decided, since the store is locked; ask again. Lines end with a line feed. A reply may name its record, so `unrecorded`
 * makes the reply for the case that the record was lost.
 */
export type Verdict =
  | { readonly kind: 'forward' }
  | { readonly kind: 'reply'; readonly line: string; readonly unrecorded?: () => string }
  | { readonly kind: 'replace'; readonly line: string; readonly reply?: string; readonly unrecorded?: () => string }
  | { readonly kind: 'drop' }
  | { readonly kind: 'busy' };

/** A verdict to carry out once its decision is on record. If the record is lost, `otherwise` makes the verdict instead. */
export interface RecordedVerdict {
  readonly kind: 'recorded';
  readonly verdict: Verdict;
  readonly otherwise: () => Verdict;
}

export const FORWARD: Verdict = { kind: 'forward' };
export const DROP: Verdict = { kind: 'drop' };
export const BUSY: Verdict = { kind: 'busy' };
