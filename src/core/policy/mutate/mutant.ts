import type { Policy, PolicyPath } from '../types.ts';

/** Two lists of globs in the same place of a rule: what was written, and what a mutant has instead. */
export interface GlobLists {
  /** The rule, as a sentence names it. */
  readonly rule: string;
  /** In its `unless`. */
  readonly isException: boolean;
  /** In words of the policy: `tool`, `args.path`. */
  readonly field: string;
  readonly before: readonly string[];
  readonly after: readonly string[];
  /** Path-like ones are compared with every form of a value; those of names are plain. */
  readonly readsPaths: boolean;
}

/** What a mutant changes, before it has an id. */
export interface Change {
  /** Where that stands in the policy; the nearest thing around it where it has no place of its own. */
  readonly path: PolicyPath;
  /** What was done, as in `tool without "bash"`. */
  readonly what: string;
  /** What a fixture would have to be about to notice, as in `a call that "keys" decides`. */
  readonly need: string;
  readonly policy: Policy;
  /** The place of the only rule that is another one; absent where it is something else. */
  readonly rule?: number;
  /** The place of the first of two neighbours that stand the other way round. */
  readonly swapped?: number;
  /** The rule is gone. */
  readonly isDropped?: true;
  /** Where only globs were changed. */
  readonly globs?: GlobLists;
}

/** A policy that differs from the one that is tested in one thing. */
export interface Mutant extends Change {
  /** `kind:path:number`; the same each time for the same policy. */
  readonly id: string;
  readonly kind: string;
}

/** One way of changing a policy: everything that can be changed so. */
export interface Mutation {
  /** Stable, for programs. */
  readonly kind: string;
  readonly changes: (policy: Policy) => readonly Change[];
}
