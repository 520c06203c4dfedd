import type { Category } from '../call.ts';
import type { Action } from '../decision.ts';
import type { Numeral } from '../numeral.ts';
import type { Regex } from '../patterns/regex.ts';

/** The outcome of a change to a policy file in use. */
export interface PolicyChange {
  /**
   * `loaded`: it decides from now on. `kept`: the new one can't be used, so the last good one goes on deciding. `gone`: there is none any
   * more, so every call is denied.
   */
  readonly status: 'loaded' | 'kept' | 'gone';
  /** The owner of the policy. */
  readonly source: 'user' | 'project';
  readonly file: string;
  /** The problem with it, in one line; undefined if there is none. */
  readonly problem: string | undefined;
  /** Hash of the policy that decides from now on, as in `CompiledPolicy`. */
  readonly hash: string;
}

export type { Action } from '../decision.ts';

/** A TOML value that is compared as a whole. */
export type Scalar = string | boolean | Numeral;

/** A value that is compared with all its content: tables (as maps), lists, and scalars at their ends. */
export type Whole = Scalar | readonly Whole[] | ReadonlyMap<string, Whole>;

export type Comparison = 'gt' | 'gte' | 'lt' | 'lte';

/** The condition of a rule's field on one value, as written. */
export type Matcher =
  | { readonly op: 'globs'; readonly patterns: readonly string[] }
  | { readonly op: 'equals'; readonly value: Scalar }
  | { readonly op: 'same'; readonly value: Whole }
  | { readonly op: 'regex'; readonly regex: Regex }
  | { readonly op: 'compare'; readonly comparison: Comparison; readonly bound: Numeral }
  | { readonly op: 'exists'; readonly present: boolean }
  | { readonly op: 'not'; readonly inner: Matcher }
  | { readonly op: 'all'; readonly of: readonly Matcher[] }
  | { readonly op: 'any'; readonly of: readonly Matcher[] };

/**
 * One step into the arguments. `name` looks into every element of an array on its way, `token` (of a JSON Pointer) is exact, `any` is one
 * segment whatever its name, `deep` any number of them, even none.
 */
export type ArgStep =
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'token'; readonly name: string }
  | { readonly kind: 'any' }
  | { readonly kind: 'deep' };

export interface ArgMatch {
  readonly path: readonly ArgStep[];
  readonly matcher: Matcher;
}

/** The match fields that a rule and its `unless` share. All that are given must match. */
export interface Conditions {
  readonly tool?: Matcher;
  readonly resource?: Matcher;
  readonly prompt?: Matcher;
  readonly method?: Matcher;
  readonly server?: Matcher;
  readonly args: readonly ArgMatch[];
  /** Kinds of tools, any of which matches. */
  readonly category?: readonly Category[];
  /** Fingerprints of definitions, any of which matches. */
  readonly fingerprint?: readonly string[];
}

export interface Rule extends Conditions {
  /** 0-based position in the file. */
  readonly index: number;
  readonly action: Action;
  readonly id?: string;
  readonly description?: string;
  readonly message?: string;
  /** Only a person at a terminal may say yes, no client. */
  readonly requirePerson?: true;
  readonly unless?: Conditions;
}

/** A path from the policy's root to the subject of an error: keys and 0-based positions. */
export type PolicyPath = readonly (string | number)[];

/** An error in a policy that is valid TOML. */
export interface PolicyError {
  readonly path: PolicyPath;
  readonly message: string;
  readonly hint?: string;
}

/** An error in a text that is not TOML; 1-based place. */
export interface PolicySyntaxError {
  readonly message: string;
  /** Advice on what to write instead. */
  readonly hint?: string;
  readonly line: number;
  readonly column: number;
}
