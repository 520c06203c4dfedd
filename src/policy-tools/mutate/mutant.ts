import type { Policy } from '../../core/policy/tables.ts';
import type { PolicyPath } from '../../core/policy/types.ts';
import { findWitness } from './glob-samples.ts';

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

/**
 * What a fixture would have to be about to notice a mutant. Where only globs were changed, with a text that one of the two matches and the
 * other does not.
 */
export function describeNeed({ need, globs }: Mutant): string {
  if (globs === undefined) return need;
  const { rule, field, isException, before, after } = globs;
  const lost = findWitness(before, after);
  const text = lost ?? findWitness(after, before);
  if (text === undefined) return need;
  // What an exception matches, its rule leaves alone.
  const isDecided = (lost !== undefined) !== isException;
  // The text by itself may be outside of what the rule is about.
  const all = isException ? ` and all else that ${rule} asks,` : '';
  return `a call with ${field} such as ${JSON.stringify(text)}${all} that ${rule} ${isDecided ? 'decides' : 'leaves alone'}`;
}
