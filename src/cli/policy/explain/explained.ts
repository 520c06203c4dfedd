import type { Policy } from '../../../core/policy/tables.ts';
import type { Explanation, RuleAccount } from '../../../policy-tools/explain/explanation.ts';
import type { Fixture } from '../fixtures/fixture-case.ts';
import type { ResultOutcome } from '../fixtures/fixture-detection.ts';

/** A call that was explained. */
export interface Explained {
  readonly fixture: Fixture;
  readonly explanation: Explanation;
  /** The outcome of a step's result. */
  readonly result?: ResultOutcome | undefined;
  /** The outcome of a server's request for detection; if it is kept back, nothing else is asked. */
  readonly request?: ResultOutcome | undefined;
}

/** The files, lines and colour with which an explanation is shown. */
export interface Surroundings {
  readonly files: PolicyFiles;
  /** The line of each rule, from 1. */
  readonly lines: { readonly user: readonly number[]; readonly project: readonly number[] };
  /** Lines of the `[defaults]` keys that decide calls without a matching rule, if they are written. */
  readonly defaultLines: { readonly action?: number | undefined; readonly native?: number | undefined };
  readonly colour: boolean;
}

/** The conditions that keep a rule from matching; those of its exception where that does. */
export function missesOf({ conditions, unless, outcome }: RuleAccount): RuleAccount['conditions'] {
  const missed = conditions.filter(({ holds }) => !holds);
  return outcome === 'miss' && missed.length === 0 ? (unless?.conditions ?? []) : missed;
}

/** Tells whether the rule would match but for one condition or its exception. */
export function isNearMiss(rule: RuleAccount): boolean {
  const { outcome, elsewhere, conditions } = rule;
  return outcome === 'miss' && elsewhere === undefined && conditions.filter(({ holds }) => !holds).length <= 1;
}

/** The policies that decide, with their files. */
export interface PolicyFiles {
  readonly user: { readonly file: string; readonly policy: Policy };
  readonly project: { readonly file: string; readonly policy: Policy } | undefined;
  /** A note on the policy for people. */
  readonly note: string | undefined;
}
