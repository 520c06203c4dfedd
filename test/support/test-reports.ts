import type { Fixture, FixtureStep, SessionSetup } from '../../src/cli/policy/fixtures/fixture-case.ts';
import type { ResultOutcome } from '../../src/cli/policy/fixtures/fixture-detection.ts';
import type { ReportContext } from '../../src/cli/policy/test/reporters/describe-result.ts';
import { type Mutation, type TestReport, type TestResult, toReport, toResult } from '../../src/cli/policy/test/test-report.ts';
import type { Action, Decision } from '../../src/core/decision.ts';
import type { FlowFinding, FlowRuleName, RateExcess } from '../../src/core/finding.ts';

/** By the rule of that place, the first of which has an id; by the default without one. */
export function decision(action: Action, index?: number): Decision {
  const rule = index === undefined ? {} : { rule: { index, action, ...(index === 0 ? { id: 'keys' } : {}) } };
  return { action, reason: index === undefined ? 'default' : 'rule', findings: [], policyHash: '', ...rule };
}

/** A fixture in a file of its own. */
export function fixture(name: string, more: Partial<Fixture> = {}): Fixture {
  return { file: `${name}.json`, name, call: { method: 'tools/call', server: 'fixture', tool: 't' }, ...more };
}

/** Guards of the policy. */
export const GUARDS = ['flow:read_then_send', 'flow:burst', 'rate_limit', 'rate_limit:files'];

/** Of a policy with two rules. */
export const CONTEXT: ReportContext = {
  policy: 'p.toml',
  rules: ['keys', 'rule 2'],
  ruleLines: [3, 9],
  minCoverage: undefined,
  width: Infinity,
  colour: false,
};

const SESSION: SessionSetup = { tools: new Map(), servers: new Set() };

/** One step of the only session. */
export function step(number: number, isLast: boolean): FixtureStep {
  const nothing = { turn: undefined, result: undefined, isApproved: false, isRetracted: false };
  return { number, isLast, session: SESSION, at: 0, ...nothing };
}

/** What a flow rule finds. */
export function finding(rule: FlowRuleName): FlowFinding {
  return { rule, severity: 'high', action: 'deny', reason: `it makes a ${rule}`, related: [], evidence: undefined };
}

/** A limit that is exceeded. */
export function excess(of: 'server' | 'tool'): RateExcess {
  return { limit: { rpm: 1, burst: 1, key: '', of }, retryAfter: 1 };
}

/** A fixture that came out so. */
export function resultOf(of: Fixture, made: Decision, result?: ResultOutcome): TestResult {
  return toResult(of, { decision: made, result });
}

/** These results, under the policy with two rules. */
export function report(...results: TestReport['results'][number][]): TestReport {
  return toReport(results, { rules: ['keys', 'rule 2'], guards: GUARDS });
}

/** So many mutants that fixtures notice, and so many that they do not. */
export function mutationOf(killed: number, survived: number): Mutation {
  const survivors = Array.from({ length: survived }, (_, index) => ({
    id: `change-condition:rule.0.tool.${index}:1`,
    kind: 'change-condition',
    change: `"keys": tool without "a${index}"`,
    need: `a call with tool such as "a${index}" that "keys" decides`,
    line: 3 + index,
    column: 9,
  }));
  return { killed, equivalent: 4, survivors };
}
