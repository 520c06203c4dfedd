import { countOf } from '../../../terminal/amounts.ts';
import { printable } from '../../../terminal/printable.ts';
import type { Fixture } from '../../fixtures/fixture-case.ts';
import { didYouMean } from '../../fixtures/fixture-value.ts';
import {
  DECIDING_GUARDS,
  decidingRule,
  flowOf,
  guardName,
  isExpectedFlow,
  isExpectedRequest,
  isExpectedResult,
  isExpectedRule,
  type TestResult,
  type TestReport,
  type Survivor,
} from '../test-report.ts';

/** A mismatch in words: what was expected and what came out, what flow rules found, and the fixture's file. */
interface Mismatch {
  readonly expected: string;
  readonly actual: string;
  /** What flow rules found, one sentence each; before them, why nothing could have come out as expected. */
  readonly found: readonly string[];
}

/** A fixture, or one step of one, for people. */
export function nameOf({ fixture: { name, step } }: TestResult): string {
  return step === undefined ? printable(name) : `${printable(name)}, step ${step.number}`;
}

/** The rule or guard that decided, by its name. */
export function deciderOf(result: TestResult): string {
  return decidingRule(result.decision) ?? reasonText(result);
}

/** Both decisions of a mismatch, and what decided and where it stands. */
export function describeMismatch(result: TestResult, context: Omit<ReportContext, 'colour' | 'minCoverage'>): Mismatch {
  const { fixture, decision, expected } = result;
  const { rule, flow = [] } = decision;
  const by =
    rule === undefined
      ? (guardName(decision) ?? reasonText(result))
      : `${describeRule(rule.id ?? rule.index + 1)} at ${placeOf(rule.index, context)}`;
  const isRule = isExpectedRule(fixture, decision);
  const isFlow = isExpectedFlow(fixture, decision);
  const isResult = isExpectedResult(fixture, result.result);
  const isRequest = isExpectedRequest(fixture, result.request);
  const wanted = [
    ...(expected === undefined ? [] : [expected]),
    ...(isRule ? [] : [`by ${describeRule(fixture.expectedRule ?? undefined)}`]),
    ...(isFlow ? [] : [`finding ${listFlow(fixture.expectedFlow ?? [])}`]),
    ...(isResult ? [] : [`result ${fixture.expectedResult}`]),
    ...(isRequest ? [] : [`request ${fixture.expectedRequest}`]),
  ];
  const ofResult = isResult ? '' : ` result ${result.result ?? 'none, since the call was not made'}`;
  const ofRequest = isRequest ? '' : ` request ${result.request}`;
  return {
    expected: wanted.join(' '),
    actual: `${decision.action} by ${by}${isFlow ? '' : ` finding ${listFlow(flowOf(decision))}`}${ofResult}${ofRequest}`,
    found: [
      ...unknownRule(fixture.expectedRule, context.rules),
      ...flow.map(({ rule: name, reason }) => `${name}: ${printable(reason)}`),
    ],
  };
}

/** An expected rule that the policy does not have decides nothing, and is most likely misspelt. `rules` are names as `ruleName` has them. */
export function unknownRule(expected: Fixture['expectedRule'], rules: readonly string[]): readonly string[] {
  if (expected === undefined || expected === null) return [];
  if (typeof expected === 'number')
    return expected <= rules.length ? [] : [`there is no rule ${expected}: the policy has ${countOf(rules.length, 'rule')}`];
  const number = /^(?:rule )?([1-9]\d*)$/.exec(expected)?.[1];
  const isNumber = number !== undefined && rules[Number(number) - 1] === `rule ${number}`;
  if (!isNumber && (rules.includes(expected) || DECIDING_GUARDS.includes(expected))) return [];
  const ids = rules.filter((name, index) => name !== `rule ${index + 1}`);
  const meant = isNumber ? `did you mean ${number}, without quotes?` : didYouMean(expected, [...ids, ...DECIDING_GUARDS]);
  const message = `no rule and no guard is called ${JSON.stringify(expected)}`;
  return [printable(meant === undefined ? message : `${message}; ${meant}`)];
}

/** The same in one line. */
export function mismatchLine({ expected, actual, found }: Mismatch): string {
  return [`expected ${expected}, actual ${actual}`, ...found].join('; ');
}

/**
 * The line of the policy, from 1, that a mismatch is about: that of the rule that decided, else of the one that should have. Undefined where
 * neither is one, as where the default decided.
 */
export function lineOfMismatch({ decision, fixture }: TestResult, { ruleLines, rules }: ReportContext): number | undefined {
  const { expectedRule } = fixture;
  const wanted = typeof expectedRule === 'number' ? expectedRule - 1 : rules.indexOf(expectedRule ?? '');
  return ruleLines[decision.rule?.index ?? wanted];
}

function placeOf(index: number, { policy, ruleLines }: Pick<ReportContext, 'policy' | 'ruleLines'>): string {
  const line = ruleLines[index];
  return line === undefined ? policy : `${policy}:${line}`;
}

function listFlow(rules: readonly string[]): string {
  return rules.length === 0 ? 'nothing' : rules.join(', ');
}

/** Names a rule by its id, in quotes, or by its number from 1, and a guard by its name; undefined stands for none. */
function describeRule(rule: string | number | undefined): string {
  if (rule === undefined) return 'the default';
  if (typeof rule === 'number') return `rule ${rule}`;
  return DECIDING_GUARDS.includes(rule) ? rule : `rule ${printable(JSON.stringify(rule))}`;
}

function reasonText({ decision }: TestResult): string {
  return decision.reason === 'default' ? 'the default' : decision.reason;
}

/** A rule that no fixture hits. */
interface MissedRule {
  readonly name: string;
  /** From 1; undefined where it is not known. */
  readonly line: number | undefined;
  /** `file:line`. */
  readonly place: string;
}

/** How many percent of the rules made a decision, down to a tenth; 100 where there are none. */
export function coveragePercent({ coverage: { rules, hit } }: TestReport): number {
  return rules === 0 ? 100 : Math.floor((hit / rules) * 1000) / 10;
}

/** Are as many rules hit as is asked for? */
export function isCovered(report: TestReport, { minCoverage = 0 }: Pick<ReportContext, 'minCoverage'>): boolean {
  const { rules, hit } = report.coverage;
  return hit * 100 >= minCoverage * rules;
}

/** The rules that no fixture hits, in file order. */
export function missedRules({ coverage }: TestReport, { policy, rules, ruleLines }: ReportContext): readonly MissedRule[] {
  const missed = new Set(coverage.missedIndexes);
  return rules.flatMap((name, index) => {
    const line = ruleLines[index];
    return missed.has(index) ? [{ name, line, place: line === undefined ? policy : `${policy}:${line}` }] : [];
  });
}

/** A mutant that no fixture notices, with its place as `file:line`. */
interface PlacedSurvivor extends Survivor {
  readonly place: string;
}

/** How many percent of the mutants fixtures notice, down to a tenth; 100 where there are none. */
export function mutationPercent({ mutation }: TestReport): number {
  const { killed, all } = countMutants(mutation);
  return all === 0 ? 100 : Math.floor((killed / all) * 1000) / 10;
}

/** Are as many mutants noticed as is asked for? False where it was asked for and fixtures fail: then nothing is known of mutants. */
export function isMutationEnough({ mutation }: TestReport, { minMutation }: Pick<ReportContext, 'minMutation'>): boolean {
  if (minMutation === undefined) return true;
  const { killed, all } = countMutants(mutation);
  return mutation !== null && mutation !== undefined && killed * 100 >= minMutation * all;
}

/** `1,203 of 1,210 mutants noticed (99.4 %)`, and what is asked for where that is more. */
export function mutationLine(report: TestReport, context: Pick<ReportContext, 'minMutation'>): string {
  const { killed, all } = countMutants(report.mutation);
  const line = `${killed.toLocaleString('en')} of ${all.toLocaleString('en')} mutants noticed (${mutationPercent(report)} %)`;
  return isMutationEnough(report, context) ? line : `${line}, and ${context.minMutation} % have to be`;
}

/** What no fixture notices, in the order of the file. */
export function survivorsOf({ mutation }: TestReport, { policy }: Pick<ReportContext, 'policy'>): readonly PlacedSurvivor[] {
  return (mutation?.survivors ?? []).map((survivor) => ({ ...survivor, place: `${policy}:${survivor.line}` }));
}

/** One in a line: what was changed, and what is missing. */
export function survivorLine({ change, need }: Survivor): string {
  return `no fixture notices ${change}; missing is ${need}`;
}

function countMutants(mutation: TestReport['mutation']): { readonly killed: number; readonly all: number } {
  const { killed, survivors } = mutation ?? { killed: 0, survivors: [] };
  return { killed, all: killed + survivors.length };
}

/** What a reporter may need besides the results. */
export interface ReportContext {
  /** The policy as the user named it. */
  readonly policy: string;
  /** Names of the policy's rules, in file order. */
  readonly rules: readonly string[];
  /** The line of each rule, from 1, in file order; empty where it is not known. */
  readonly ruleLines: readonly number[];
  /** Percent of the rules that fixtures have to hit; undefined where nobody asks for that. */
  readonly minCoverage: number | undefined;
  /** Percent of the mutants that fixtures have to notice; undefined where nobody asks for that. */
  readonly minMutation?: number | undefined;
  /** Is only what failed to be printed, for people? A document for programs is always whole. */
  readonly isQuiet?: boolean;
  /** Columns of the terminal that a report for people is for; undefined where there is none. */
  readonly columns?: number | undefined;
  /** May escape sequences be used? */
  readonly colour: boolean;
}

/**
 * Turns a report into the text for stdout, newline at the end: a whole document of its format, also of a report with `errors`, whose text for
 * people is on stderr. Decides nothing: the exit code is not its business.
 */
export type Reporter = (report: TestReport, context: ReportContext) => string;
