import { countOf } from '../../../terminal/layout.ts';
import type { Look } from '../../../terminal/colour.ts';
import { printable } from '../../../terminal/text.ts';
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
  isExpectedDlp,
  isExpectedSchema,
  kindsOf,
  type TestResult,
  type TestReport,
} from '../test-report.ts';

/** A mismatch in words: what was expected and what came out, what flow rules found, and the fixture's file. */
interface Mismatch extends Details {
  readonly expected: string;
  readonly actual: string;
  /** Findings of flow rules, one sentence each; before them, why the expectation could never be met. */
  readonly found: readonly string[];
  readonly fixture: string;
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
export function describeMismatch(result: TestResult, context: ReportContext): Mismatch {
  const { fixture, decision, expected } = result;
  const { rule, flow = [] } = decision;
  const by =
    rule === undefined
      ? (guardName(decision) ?? reasonText(result))
      : `${describeRule(rule.id ?? rule.index + 1)} at ${placeOf(rule.index, context)}`;
  const isRule = isExpectedRule(fixture, decision);
  const isFlow = isExpectedFlow(fixture, decision);
  const isSchema = isExpectedSchema(fixture, decision);
  const isDlp = isExpectedDlp(fixture, decision);
  const isResult = isExpectedResult(fixture, result.result);
  const isRequest = isExpectedRequest(fixture, result.request);
  const wanted = [
    ...(expected === undefined ? [] : [expected]),
    ...(isRule ? [] : [`by ${describeRule(fixture.expectedRule ?? undefined)}`]),
    ...(isFlow ? [] : [`finding ${listFlow(fixture.expectedFlow ?? [])}`]),
    ...(isSchema ? [] : [`schema ${schemaWord(fixture.expectedSchema === true)}`]),
    ...(isDlp ? [] : [`secrets ${listKinds(fixture.expectedDlp ?? [])}`]),
    ...(isResult ? [] : [`result ${fixture.expectedResult}`]),
    ...(isRequest ? [] : [`request ${fixture.expectedRequest}`]),
  ];
  const ofResult = isResult ? '' : ` result ${result.result ?? 'none, since the call was not made'}`;
  const ofSchema = isSchema ? '' : ` schema ${schemaWord(decision.schema === undefined)}`;
  const ofDlp = isDlp ? '' : ` secrets ${listKinds(kindsOf(decision))}`;
  const ofRequest = isRequest ? '' : ` request ${result.request}`;
  return {
    expected: wanted.join(' '),
    actual: `${describeOutcome(result, by)}${isFlow ? '' : ` finding ${listFlow(flowOf(decision))}`}${ofSchema}${ofDlp}${ofResult}${ofRequest}`,
    found: [
      ...unknownRule(fixture.expectedRule, context.rules),
      ...flow.map(({ rule: name, reason }) => `${name}: ${printable(reason)}`),
    ],
    fixture: fixture.file,
  };
}

function listKinds(kinds: readonly string[]): string {
  return kinds.length === 0 ? 'none' : kinds.join(', ');
}

function schemaWord(fits: boolean): string {
  return fits ? 'fits' : 'does not fit';
}

/** The same in one line. */
export function mismatchLine({ expected, actual, found }: Mismatch): string {
  return [`expected ${expected}, actual ${actual}`, ...found].join('; ');
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

/** The place of a rule, as `file:line` where the line is known. */
export function placeOf(index: number, { policy, ruleLines }: Pick<ReportContext, 'policy' | 'ruleLines'>): string {
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

/** `deny by rule 2`; of a call that no rule of a project's policy matches, who decides it. */
export function describeOutcome({ actual }: TestResult, by: string): string {
  return actual === 'unmatched' ? `${actual}: ${by} decides` : `${actual} by ${by}`;
}

function reasonText({ decision, actual }: TestResult): string {
  if (actual === 'unmatched') return "the user's policy";
  return decision.reason === 'default' ? 'the default' : decision.reason;
}

/** Details of something by name; empty ones are left out. */
export type Details = Readonly<Record<string, string | readonly string[]>>;

/** Details as lines for people, those that are empty left out. */
export function detailLines(details: Details): readonly string[] {
  return Object.entries(details).flatMap(([name, value]) => {
    if (typeof value !== 'string') return value;
    return value === '' ? [] : [`${name.padEnd('expected'.length)}  ${value}`];
  });
}

/** Values that a reporter may need besides the results. */
export interface ReportContext extends Look {
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
  /** True if text for people has failures only. A document for programs is always whole. */
  readonly isQuiet?: boolean;
}

/**
 * Turns a report into the text for stdout, newline at the end: a whole document of its format, also of a report with `errors`, whose text for
 * people is on stderr. Decides nothing: the exit code is not its business.
 */
export type Reporter = (report: TestReport, context: ReportContext) => string;
