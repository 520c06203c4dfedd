import type { Action } from '../../../core/decision.ts';

/** What decided, and how. */
export interface Side {
  readonly action: Action;
  /** The rule by its name, else the guard, such as `flow:burst` or `pinning`, else `default`. */
  readonly by: string;
}

/** Why it can't be told what becomes of a call. */
export const DOUBTS = {
  args: 'its arguments are redacted or cut where a rule looks',
  name: 'its name is redacted or cut',
  server: 'whether its name was that of a known server is not on record',
  definition: 'whether its definition was trusted then is not on record',
  fingerprint: 'its fingerprint is not on record',
  category: 'what kind of tool it is was not recorded',
  detection: 'whether what was found in it had been approved is not on record',
  other: 'it came to another decision then by the same policy: paths, links or definitions were others',
  failure: 'it was denied since clawai failed, which says nothing about a policy',
  much: 'too much of it is not on record',
} as const;
export type Doubt = keyof typeof DOUBTS;

/**
 * What becomes of a call on record. `unknown`: what is not on record makes a difference; `to` are
 * decisions that it may come to; none where that isn't known either.
 */
export type Verdict =
  | { readonly kind: 'same'; readonly to: Side }
  | { readonly kind: 'flip'; readonly from: Side; readonly to: Side }
  | { readonly kind: 'unknown'; readonly why: Doubt; readonly from: Side; readonly to: readonly Side[] };
