import type { Policy } from '../../../core/policy/tables.ts';
import type { Explanation, RuleAccount } from '../../../policy-tools/explain/explanation.ts';
import type { Fixture } from '../fixtures/fixture-case.ts';
import type { ResultOutcome } from '../fixtures/fixture-detection.ts';

/** A call that was explained. */
export interface Explained {
  readonly fixture: Fixture;
  readonly explanation: Explanation;
  /** What became of the result of a step. */
  readonly result?: ResultOutcome | undefined;
  /** What became of a request of a server's, in which something may be found: of one that is kept back, nothing else is asked. */
  readonly request?: ResultOutcome | undefined;
}

/** What is shown besides. */
export interface Surroundings {
  readonly files: PolicyFiles;
  /** The line of each rule, from 1. */
  readonly lines: { readonly user: readonly number[]; readonly project: readonly number[] };
  /** Where the policy says what becomes of calls that no rule matches, as far as it does. */
  readonly defaultLines: { readonly action?: number | undefined; readonly native?: number | undefined };
  readonly colour: boolean;
}

/** The conditions that keep a rule from matching; those of its exception where that does. */
export function missesOf({ conditions, unless, outcome }: RuleAccount): RuleAccount['conditions'] {
  const missed = conditions.filter(({ holds }) => !holds);
  return outcome === 'miss' && missed.length === 0 ? (unless?.conditions ?? []) : missed;
}

/** Would the rule match, were it not for one condition or for its exception? */
export function isNearMiss(rule: RuleAccount): boolean {
  const { outcome, elsewhere, conditions } = rule;
  return outcome === 'miss' && elsewhere === undefined && conditions.filter(({ holds }) => !holds).length <= 1;
}

/** Where what decides is written. */
export interface PolicyFiles {
  readonly user: { readonly file: string; readonly policy: Policy };
  readonly project: { readonly file: string; readonly policy: Policy } | undefined;
  /** What a person has to know of it. */
  readonly note: string | undefined;
}
