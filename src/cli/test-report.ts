import type { Action, Decision } from '../core/decision.ts';
import { ruleName } from '../core/decision.ts';
import type { Fixture } from './fixture.ts';

/** One fixture that was decided. */
export interface TestResult {
  readonly fixture: Fixture;
  readonly decision: Decision;
  /** What was asked for; undefined where nobody asked, and then nothing is checked. */
  readonly expected: Action | undefined;
  /** False where the decision or the rule that made it is not the expected one. */
  readonly ok: boolean;
}

/** How much of the policy the fixtures reached: rules that made at least one decision. */
export interface Coverage {
  readonly rules: number;
  readonly hit: number;
  /** Names of the rules that decided nothing, in file order. */
  readonly missed: readonly string[];
}

/** What a run of fixtures came to. Everything that is printed, and the exit code, follows from this value. */
export interface TestReport {
  readonly results: readonly TestResult[];
  readonly coverage: Coverage;
}

export interface Counts {
  readonly total: number;
  readonly passed: number;
  readonly failed: number;
  /** Fixtures that were decided and had nothing to be compared with: neither passed nor failed. */
  readonly unchecked: number;
}

/** Compares a decision with what was expected; `override` stands for every fixture's own `expected`. */
export function toResult(fixture: Fixture, decision: Decision, override?: Action): TestResult {
  const expected = override ?? fixture.expected;
  const ok = (expected === undefined || expected === decision.action) && isExpectedRule(fixture, decision);
  return { fixture, decision, expected, ok };
}

/** Is the deciding rule the one that the fixture names, by id or by number? True where it names none. */
export function isExpectedRule({ expectedRule }: Fixture, { rule }: Decision): boolean {
  if (expectedRule === undefined) return true;
  if (expectedRule === null || rule === undefined) return expectedRule === null && rule === undefined;
  return typeof expectedRule === 'number' ? expectedRule === rule.index + 1 : expectedRule === rule.id;
}

/** Adds results up. `names` are the policy's rules in file order. */
export function toReport(results: readonly TestResult[], names: readonly string[]): TestReport {
  const hit = new Set(results.map(({ decision }) => decision.rule?.index));
  const missed = names.filter((_, index) => !hit.has(index));
  return { results, coverage: { rules: names.length, hit: names.length - missed.length, missed } };
}

export function countResults({ results }: TestReport): Counts {
  const failed = results.filter(({ ok }) => !ok).length;
  const unchecked = results.filter((result) => result.ok && !isChecked(result)).length;
  return { total: results.length, passed: results.length - failed - unchecked, failed, unchecked };
}

/** Was there anything to compare the decision with? */
export function isChecked({ expected, fixture }: TestResult): boolean {
  return expected !== undefined || fixture.expectedRule !== undefined;
}

/** The name of the rule that decided, or undefined where the policy's default did. */
export function decidingRule({ rule }: Decision): string | undefined {
  return rule === undefined ? undefined : ruleName(rule);
}
