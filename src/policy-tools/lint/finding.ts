import type { Policy } from '../../core/policy/tables.ts';
import type { PolicyPath } from '../../core/policy/types.ts';
import type { CoverSearch } from './cover-search.ts';

/** `error`: the policy cannot do what it says. `warning`: it hardly does. `info`: it could say it better. */
export type LintSeverity = 'error' | 'warning' | 'info';

/** A finding of a lint rule at one place of a policy. */
export interface LintFinding {
  readonly path: PolicyPath;
  readonly message: string;
  readonly hint?: string;
  /** The severity, if not the rule's own. */
  readonly severity?: LintSeverity;
  /** The other places that it is about. */
  readonly related?: readonly { readonly path: PolicyPath; readonly message: string }[];
  /** The index of a rule whose removal changes no decision. */
  readonly removesRule?: number;
}

/** A tool that a server has listed. */
export interface KnownTool {
  readonly server: string;
  readonly name: string;
  /** Names of all arguments that it takes; undefined if it does not say. */
  readonly args?: readonly string[];
}

export interface LintSubject {
  readonly policy: Policy;
  /** True for a project's policy: rules that deny or prompt and nothing else. */
  readonly isProject: boolean;
  readonly covers: CoverSearch;
  /** The tools that servers have listed; undefined if nobody looked. */
  readonly known?: readonly KnownTool[] | undefined;
  /** Tells whether this key is written in the policy. */
  has(path: PolicyPath): boolean;
  /** Keys of a table as written. */
  keysOf(path: PolicyPath): readonly string[];
}

/** One thing to look for. Its id is stable: policies name it in their comments. */
export interface LintRule {
  readonly id: string;
  readonly severity: LintSeverity;
  /** The fault that it finds, for lists of rules. */
  readonly summary: string;
  find(subject: LintSubject): Iterable<LintFinding>;
}
