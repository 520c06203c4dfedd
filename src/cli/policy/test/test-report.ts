import { type Decision, type ReasonCode, ruleName } from '../../../core/decision.ts';
import { FLOW_RULES } from '../../../core/finding.ts';
import { compilePolicy } from '../../../core/match/compile.ts';
import type { Policy } from '../../../core/policy/tables.ts';
import type { Fault } from '../../../errors.ts';
import { type CallOutcome, expectsSomething, type Fixture, type SessionSetup } from '../fixtures/fixture-case.ts';
import { type ResultOutcome, DETECTION_GUARDS, guardNames } from '../fixtures/fixture-detection.ts';
import { type Decided, FixtureSession, type SessionParts } from '../fixtures/fixture-session.ts';

/** One fixture that was decided, or one step of one. */
export interface TestResult {
  readonly fixture: Fixture;
  readonly decision: Decision;
  /** The outcome of a step's result; undefined if there is none. */
  readonly result?: ResultOutcome | undefined;
  /** The outcome of a server's request; undefined for other calls. */
  readonly request?: ResultOutcome | undefined;
  /** The outcome of the call: the decision's action, or `unmatched`. */
  readonly actual: CallOutcome;
  /** The expected outcome; undefined if none is given, and then it is not checked. */
  readonly expected: CallOutcome | undefined;
  /** True if the decision, its decider, flow findings and the outcomes of result and request are as expected. */
  readonly ok: boolean;
}

/** Rules and guards that fixtures reached: a rule is hit if it made at least one decision. */
interface Coverage {
  readonly rules: number;
  readonly hit: number;
  /** Names of the rules that decided nothing, in file order. */
  readonly missed: readonly string[];
  /** The indexes of those rules, from 0. */
  readonly missedIndexes: readonly number[];
  /** Rules on flow and detection that found something, and rate limits that denied something, by their names; and those that did not. */
  readonly guards: { readonly hit: readonly string[]; readonly missed: readonly string[] };
}

/** Mutants of the policy, as far as they count, and those that no fixture noticed. */
export interface Mutation {
  readonly killed: number;
  /** Mutants that nothing could tell from the policy. */
  readonly equivalent: number;
  /** Mutants that no fixture noticed, in file order. */
  readonly survivors: readonly Survivor[];
}

/** A mutant of the policy that no fixture noticed. */
export interface Survivor {
  readonly id: string;
  readonly kind: string;
  /** The change, as in `"keys": tool without "bash"`. */
  readonly change: string;
  /** The case that a fixture needs to notice the change. */
  readonly need: string;
  /** The line in the policy's file, from 1. */
  readonly line: number;
  readonly column: number;
}

/** The outcome of a run of fixtures. Everything that is printed, and the exit code, follows from this value. */
export interface TestReport {
  readonly results: readonly TestResult[];
  readonly coverage: Coverage;
  /** Faults of the policy or the fixtures, so that nothing was decided; empty if there are results. */
  readonly errors: readonly Fault[];
  /** The outcome of mutants; undefined if nobody asked, null if fixtures failed, so that no mutants were tried. */
  readonly mutation?: Mutation | null | undefined;
}

/** Rules and guards of a policy that fixtures can reach. */
interface Reachable {
  /** Names of the rules, in file order. */
  readonly rules: readonly string[];
  /** Names of rules on flow, of rate limits and of what detection looks at, as `guardNames` has them. */
  readonly guards: readonly string[];
}

interface Counts {
  readonly total: number;
  readonly passed: number;
  readonly failed: number;
  /** Fixtures that were decided and had nothing to be compared with: neither passed nor failed. */
  readonly unchecked: number;
}

/** How decisions are compared with what was expected. */
export interface Comparing {
  /** Stands for every fixture's own `expected`, and in a session for that of its last step, which it is about. */
  readonly expect?: CallOutcome | undefined;
  /** True if the policy is a project's, which decides only what its rules match. */
  readonly isProject?: boolean | undefined;
}

/** Compares a decision with what was expected. */
export function toResult(
  fixture: Fixture,
  { decision, result, request }: Decided,
  { expect, isProject = false }: Comparing = {},
): TestResult {
  const expected = (fixture.step?.isLast === false ? undefined : expect) ?? fixture.expected;
  // The rules of a project's policy allow nothing.
  const actual = isProject && decision.action === 'allow' ? 'unmatched' : decision.action;
  const isExpected = expected === undefined || expected === actual;
  return {
    fixture,
    actual,
    decision,
    result,
    request,
    expected,
    ok:
      isExpected &&
      isExpectedRule(fixture, decision) &&
      isExpectedFlow(fixture, decision) &&
      isExpectedSchema(fixture, decision) &&
      isExpectedDlp(fixture, decision) &&
      isExpectedResult(fixture, result) &&
      isExpectedRequest(fixture, request),
  };
}

/** Tells whether the rule or guard decided that the fixture names, by id, number or name. True if it names none. */
export function isExpectedRule({ expectedRule }: Fixture, decision: Decision): boolean {
  const { rule } = decision;
  if (expectedRule === undefined) return true;
  if (expectedRule === null) return rule === undefined && guardName(decision) === undefined;
  if (typeof expectedRule === 'number') return expectedRule - 1 === rule?.index;
  return expectedRule === (rule === undefined ? guardName(decision) : rule.id);
}

/** Tells whether flow rules found exactly what the fixture says. True if it says nothing. */
export function isExpectedFlow({ expectedFlow }: Fixture, decision: Decision): boolean {
  if (expectedFlow === undefined) return true;
  const found = flowOf(decision);
  return found.length === expectedFlow.length && expectedFlow.every((rule) => found.includes(rule));
}

/** Tells whether the arguments fit the tool's schema, or not, as the fixture says. True if it says nothing. */
export function isExpectedSchema({ expectedSchema }: Fixture, { schema }: Decision): boolean {
  return expectedSchema === undefined || expectedSchema === (schema === undefined);
}

/** Tells whether exactly these kinds of secrets are in the arguments. True if the fixture names none. */
export function isExpectedDlp({ expectedDlp }: Fixture, decision: Decision): boolean {
  if (expectedDlp === undefined) return true;
  const found = kindsOf(decision);
  return new Set(expectedDlp).size === found.length && expectedDlp.every((kind) => found.includes(kind));
}

/** The kinds of secrets in the arguments, each once. */
export function kindsOf({ dlp = [] }: Decision): readonly string[] {
  return [...new Set(dlp.map(({ kind }) => kind))];
}

/** Tells whether the result's outcome is the expected one. True if none is expected. */
export function isExpectedResult({ expectedResult }: Fixture, result: ResultOutcome | undefined): boolean {
  return expectedResult === undefined || expectedResult === result;
}

/** The same for a server's request. */
export function isExpectedRequest({ expectedRequest }: Fixture, request: ResultOutcome | undefined): boolean {
  return expectedRequest === undefined || expectedRequest === request;
}

/** The flow rules that found something, whatever decided. */
export function flowOf({ flow = [] }: Decision): readonly string[] {
  return [...new Set(flow.map(({ rule }) => rule))];
}

/** Guards that have no rules or limits of their own, by the reason that they give. */
const WHOLE_GUARDS: readonly ReasonCode[] = ['self', 'server_policy', 'unmapped_tool', 'schema', 'dlp', 'pinning', 'rate_limit'];

/** The name of each guard that may decide, whatever the policy has switched on. */
export const DECIDING_GUARDS: readonly string[] = [
  ...WHOLE_GUARDS,
  ...FLOW_RULES.map((rule) => `flow:${rule}`),
  DETECTION_GUARDS.definition,
  DETECTION_GUARDS.request,
];

/** The name of the guard that decided: `self`, `server_policy`, `unmapped_tool`, `schema`, `dlp`, `pinning`, `flow:burst`, `rate_limit`, `detection:definition`, `detection:request`. */
export function guardName({ reason, flow, foundIn }: Decision): string | undefined {
  if (WHOLE_GUARDS.includes(reason)) return reason;
  if (reason === 'detection') return foundIn === 'answer' ? DETECTION_GUARDS.request : DETECTION_GUARDS.definition;
  const [first] = flow ?? [];
  return reason === 'flow' && first !== undefined ? `flow:${first.rule}` : undefined;
}

/** Adds results up. */
export function toReport(results: readonly TestResult[], { rules, guards }: Reachable): TestReport {
  const hit = new Set(results.map(({ decision }) => decision.rule?.index));
  const missedIndexes = [...rules.keys()].filter((index) => !hit.has(index));
  const missed = missedIndexes.map((index) => rules[index] ?? '');
  const reached = new Set(results.flatMap((result) => guardsReached(result, guards)));
  return {
    results,
    errors: [],
    coverage: {
      rules: rules.length,
      hit: rules.length - missed.length,
      missed,
      missedIndexes,
      guards: { hit: guards.filter((name) => reached.has(name)), missed: guards.filter((name) => !reached.has(name)) },
    },
  };
}

/** Names the guards that a result reached; a limit by its server or tool if the policy has one for it. */
function guardsReached(
  { fixture: { call }, decision, result, request }: TestResult,
  guards: readonly string[],
): readonly string[] {
  const { limit } = decision.excess ?? {};
  const own = `rate_limit:${call.server}${limit?.of === 'tool' ? `/${call.tool}` : ''}`;
  const limits = limit === undefined ? [] : [guards.includes(own) ? own : 'rate_limit'];
  const found = [
    ...(decision.findings.length === 0 || decision.foundIn === 'answer' ? [] : [DETECTION_GUARDS.definition]),
    ...(result === undefined || result === 'pass' ? [] : [DETECTION_GUARDS.result]),
    ...(request === undefined || request === 'pass' ? [] : [DETECTION_GUARDS.request]),
  ];
  return [...flowOf(decision).map((rule) => `flow:${rule}`), ...limits, ...found];
}

/** The report of a run in which nothing could be decided. */
export function toErrorReport(errors: readonly Fault[]): TestReport {
  return { ...toReport([], { rules: [], guards: [] }), errors };
}

export function countResults({ results }: TestReport): Counts {
  const failed = results.filter(({ ok }) => !ok).length;
  const unchecked = results.filter((result) => result.ok && !isChecked(result)).length;
  return { total: results.length, passed: results.length - failed - unchecked, failed, unchecked };
}

/** Tells whether there was anything to compare the decision with. */
export function isChecked({ expected, fixture }: TestResult): boolean {
  return expected !== undefined || expectsSomething(fixture);
}

/** The name of the rule that decided, or of the guard; undefined where the policy's default did. */
export function decidingRule(decision: Decision): string | undefined {
  return decision.rule === undefined ? guardName(decision) : ruleName(decision.rule);
}

/** Decides every fixture, in order; those that are steps of one session in that session, all others each in one of its own. Pure. */
export function evaluateFixtures(policy: Policy, fixtures: Iterable<Fixture>, comparing: Comparing = {}): TestReport {
  const parts: SessionParts = { policy: compilePolicy(policy) };
  const sessions = new Map<SessionSetup, FixtureSession>();
  const sessionOf = (setup: SessionSetup | undefined): FixtureSession => {
    const known = setup === undefined ? undefined : sessions.get(setup);
    const session = known ?? new FixtureSession(parts, setup);
    if (setup !== undefined) sessions.set(setup, session);
    return session;
  };
  const results = Array.from(fixtures, (fixture) =>
    toResult(fixture, sessionOf(fixture.step?.session).decide(fixture), comparing),
  );
  return toReport(results, { rules: policy.rules.map(ruleName), guards: guardNames(policy) });
}
