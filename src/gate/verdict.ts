/**
 * What happens to a message's bytes. `forward`: on to the other side, untouched. `reply`: `line` goes back to the sender and
 * nothing on. `drop`: neither.
 */
export type Verdict =
  | { readonly kind: 'forward' }
  | { readonly kind: 'reply'; readonly line: string }
  | { readonly kind: 'drop' };

export const FORWARD: Verdict = { kind: 'forward' };
export const DROP: Verdict = { kind: 'drop' };
