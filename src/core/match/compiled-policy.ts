import type { Call, Category } from '../call.ts';
import type { ClassifyOverrides } from '../classify/classify.ts';
import type { Decision, RuleRef } from '../decision.ts';
import type { Suppression } from '../policy/parse-detection.ts';
import type { Policy } from '../policy/tables.ts';
import type { ArgStep, Rule } from '../policy/types.ts';
import type { CompiledMatcher } from './compile-matcher.ts';
import type { PathGlobs } from './path-globs.ts';
import type { Mode } from './match-context.ts';

export interface CompiledArg {
  readonly path: readonly ArgStep[];
  readonly matcher: CompiledMatcher;
  /** Path-like globs in the matcher; empty when it has none. */
  readonly pathGlobs: readonly PathGlobs[];
  /** True if it has a `not`, which turns what is possible into what is certain. */
  readonly hasNot: boolean;
}

export interface CompiledConditions {
  readonly mode: Mode;
  readonly method: CompiledMatcher | undefined;
  readonly server: CompiledMatcher | undefined;
  readonly tool: CompiledMatcher | undefined;
  readonly prompt: CompiledMatcher | undefined;
  /** A URI, read as a path where its pattern is path-like; no `path`. */
  readonly resource: Pick<CompiledArg, 'matcher' | 'pathGlobs'> | undefined;
  /** The arguments, path-like ones first: they are all looked at, so that a NUL byte is found in any order. */
  readonly args: readonly CompiledArg[];
  /** Undefined if the rule names none. */
  readonly categories: readonly Category[] | undefined;
  readonly fingerprints: readonly string[] | undefined;
}

export interface CompiledRule extends CompiledConditions {
  readonly rule: Rule;
  readonly ref: RuleRef;
  readonly unless: CompiledConditions | undefined;
  /** True if no URI, arguments, category, fingerprint or exception are left to look at: being a candidate is matching. */
  readonly isSettled: boolean;
  /** True if its `server` says "native" in so many letters: only such rules are about the agent's own tools. */
  readonly coversNative: boolean;
  /** True when only a look at the disk tells what some matcher's paths really are. */
  readonly readsPaths: boolean;
  /** The decision of this rule is always the same value. */
  readonly decision: Decision;
}

/** A policy ready to decide calls. */
export interface CompiledPolicy {
  readonly policy: Policy;
  /**
   * SHA-256 (hex) of the policy's text. With a project's policy beside it, that of `<hash of the policy>\n<hash of the project's>`, for
   * both of them.
   */
  readonly hash: string;
  /** True if there was a policy and it is gone: this is an empty one in its place. */
  readonly isGone: boolean;
  /** The policy of the project, which is asked by itself; the stricter of the two decisions stands. */
  readonly project: CompiledPolicy | undefined;
  readonly rules: readonly CompiledRule[];
  /** Tells whether a server of this name is denied; undefined if the policy does not restrict servers. */
  readonly deniesServer: ((server: string) => boolean) | undefined;
  /** Tells whether results of a server of this name count like what the user says; undefined if those of none do. */
  readonly trustsServer: ((server: string) => boolean) | undefined;
  /** Tells whether an address counts as said, whoever names it; undefined if none does. */
  readonly knowsAddress: ((address: string) => boolean) | undefined;
  /** The user's categories of tools; they count for the project's rules too. */
  readonly classify: ClassifyOverrides;
  /** The first suppression of what a detector's rule found; undefined if there is none. */
  readonly suppressionOf: (
    rule: string,
    about: { readonly server: string; readonly tool: string | undefined },
  ) => Suppression | undefined;
  /**
   * The rules whose method, server and subject name match a call, in file order; arguments and URIs are still to be looked at.
   */
  candidates(call: Call): readonly CompiledRule[];
  /** True if a rule, or one of the project's, asks what kind of tool is called, or looks for paths under wildcards. */
  readonly asksKind: boolean;
  /** Tells whether a rule, or one of the project's, can match a call of this method. */
  concernsMethod(method: string): boolean;
  /** Tells whether a rule, or one of the project's, can deny such a call or ask about it, whatever is in it. */
  mayStop(call: Call): boolean;
}
