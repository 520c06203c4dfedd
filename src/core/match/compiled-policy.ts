import type { Call, Category } from '../call.ts';
import type { ClassifyOverrides } from '../classify/classify.ts';
import type { Decision, RuleRef } from '../decision.ts';
import type { Suppression } from '../policy/parse-detection.ts';
import type { Policy } from '../policy/tables.ts';
import type { ArgStep, Rule } from '../policy/types.ts';
import type { CompiledMatcher, PathGlobs } from './compile-matcher.ts';
import type { Mode } from './match-context.ts';

export interface CompiledArg {
  readonly path: readonly ArgStep[];
  readonly matcher: CompiledMatcher;
  /** Path-like globs in the matcher; empty when it has none. */
  readonly pathGlobs: readonly PathGlobs[];
  /** Somewhere in it a `not` turns what is possible into what is certain. */
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
  /** Path-like ones first: they are all looked at, so that a NUL byte is found in any order. */
  readonly args: readonly CompiledArg[];
  /** Undefined where nothing is asked of it. */
  readonly categories: readonly Category[] | undefined;
  readonly fingerprints: readonly string[] | undefined;
}

export interface CompiledRule extends CompiledConditions {
  readonly rule: Rule;
  readonly ref: RuleRef;
  readonly unless: CompiledConditions | undefined;
  /** No URI, arguments, category, fingerprint or exception are left to look at: being a candidate is matching. */
  readonly isSettled: boolean;
  /** Its `server` says "native" in so many letters: only such rules are about the agent's own tools. */
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
  /** There was a policy and it is gone: this is an empty one in its place. */
  readonly isGone: boolean;
  /** The policy of the project, which is asked by itself; the stricter of the two decisions stands. */
  readonly project: CompiledPolicy | undefined;
  readonly rules: readonly CompiledRule[];
  /** May there be no server of this name? Undefined where there is no word about servers. */
  readonly deniesServer: ((server: string) => boolean) | undefined;
  /** What the user says of kinds of tools; it counts for the project's rules too. */
  readonly classify: ClassifyOverrides;
  /** Why what a detector's rule found is of no interest, the first of its reasons; undefined where it is. */
  readonly suppressionOf: (
    rule: string,
    about: { readonly server: string; readonly tool: string | undefined },
  ) => Suppression | undefined;
  /**
   * The rules whose method, server and subject name match a call, in file order; arguments and URIs are still to be looked at.
   */
  candidates(call: Call): readonly CompiledRule[];
  /** Does any of its rules, or the project's, ask what kind of tool is called, or look for paths wherever they are? */
  readonly asksKind: boolean;
  /** Can any rule match a call of this method, also of the project's? */
  concernsMethod(method: string): boolean;
  /** Can any rule deny such a call, or ask about it, whatever is in it? Also one of the project's. */
  mayStop(call: Call): boolean;
}
