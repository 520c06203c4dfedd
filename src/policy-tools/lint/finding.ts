import type { Policy } from '../../core/policy/tables.ts';
import type { PolicyPath } from '../../core/policy/types.ts';
import type { CoverSearch } from './cover-search.ts';

/** `error`: the policy cannot do what it says. `warning`: it hardly does. `info`: it could say it better. */
export type LintSeverity = 'error' | 'warning' | 'info';

/** What a lint rule has to say about one place of a policy. */
export interface LintFinding {
  readonly path: PolicyPath;
  readonly message: string;
  readonly hint?: string;
  /** Where no other than the rule's own. */
  readonly severity?: LintSeverity;
  /** What else it is about. */
  readonly related?: readonly { readonly path: PolicyPath; readonly message: string }[];
  /** Removing this rule, by its index, changes no decision. */
  readonly removesRule?: number;
}

/** A tool that a server has listed. */
export interface KnownTool {
  readonly server: string;
  readonly name: string;
  /** Names of all arguments that it takes; undefined where it does not say. */
  readonly args?: readonly string[];
}

export interface LintSubject {
  readonly policy: Policy;
  /** It is a project's: rules that deny or prompt and nothing else. */
  readonly isProject: boolean;
  readonly covers: CoverSearch;
  /** What servers have listed; undefined where nobody looked. */
  readonly known?: readonly KnownTool[] | undefined;
  /** Is this key written in the policy? */
  has(path: PolicyPath): boolean;
  /** Keys of a table as written. */
  keysOf(path: PolicyPath): readonly string[];
}

/** One thing to look for. Its id is stable: policies name it in their comments. */
export interface LintRule {
  readonly id: string;
  readonly severity: LintSeverity;
  /** What is wrong where it finds something, for lists of rules. */
  readonly summary: string;
  find(subject: LintSubject): Iterable<LintFinding>;
}
