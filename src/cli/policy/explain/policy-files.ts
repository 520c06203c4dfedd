import type { Policy } from '../../../core/policy/types.ts';

/** Where what decides is written. */
export interface PolicyFiles {
  readonly user: { readonly file: string; readonly policy: Policy };
  readonly project: { readonly file: string; readonly policy: Policy } | undefined;
  /** What a person has to know of it. */
  readonly note: string | undefined;
}
