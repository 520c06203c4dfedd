import { styleText } from 'node:util';
import { countOf } from '../count-of.ts';
import {
  countResults,
  decidingRule,
  flowOf,
  guardName,
  isChecked,
  isExpectedFlow,
  isExpectedResult,
  isExpectedRule,
  type TestReport,
  type TestResult,
} from '../test-report.ts';
import { printable } from '../printable.ts';
import type { ReportContext } from './reporter.ts';

const MOST_MISSED = 5;
/** A name of a guard; a rule could have it as its id, and nobody gives it one. */
const GUARD = /^(?:(?:flow|detection):[a-z_]+|rate_limit)$/;

type Colour = 'green' | 'red' | 'dim';

/** For people: one line per fixture or step, what differs below those that differ, and one line that sums up. */
export function formatTextReport(report: TestReport, context: ReportContext): string {
  const paint = (colour: Colour, text: string): string =>
    context.colour ? styleText(colour, text, { validateStream: false }) : text;
  const width = Math.max(...report.results.map((result) => nameOf(result).length));
  const lines = report.results.flatMap((result) => {
    const { decision } = result;
    const name = nameOf(result).padEnd(width);
    const outcome = `${decision.action.padEnd('prompt'.length)}  ${paint('dim', printable(decidedBy(result)))}`;
    if (!result.ok) return [`${paint('red', 'FAIL')}  ${name}  ${outcome}`, ...explain(result, context)];
    return [`${isChecked(result) ? paint('green', 'ok  ') : '-   '}  ${name}  ${outcome}`];
  });
  return `${[...lines, '', summarise(report, paint)].join('\n')}\n`;
}

function nameOf({ fixture: { name, step } }: TestResult): string {
  return step === undefined ? printable(name) : `${printable(name)}, step ${step.number}`;
}

/** What decided, what flow rules and detection found besides, and what became of the result. */
function decidedBy(result: TestResult): string {
  const { decision } = result;
  const by = decidingRule(decision) ?? reasonText(result);
  const found = [...new Set(decision.findings.map(({ rule }) => rule))];
  const others = [...flowOf(decision).filter((rule) => `flow:${rule}` !== by), ...found];
  const ofResult = result.result === undefined || result.result === 'pass' ? [] : [`result: ${result.result}`];
  return [by, ...(others.length === 0 ? [] : [`found: ${others.join(', ')}`]), ...ofResult].join(', ');
}

/** The lines below a mismatch: both decisions, what decided and where it stands, what flow rules found, and the fixture's file. */
function explain(result: TestResult, { policy, rulePlaces }: ReportContext): string[] {
  const { fixture, decision, expected } = result;
  const { rule, flow = [] } = decision;
  const by =
    rule === undefined
      ? (guardName(decision) ?? reasonText(result))
      : `${describeRule(rule.id ?? rule.index + 1)} at ${rulePlaces[rule.index] ?? policy}`;
  const isRule = isExpectedRule(fixture, decision);
  const isFlow = isExpectedFlow(fixture, decision);
  const isResult = isExpectedResult(fixture, result.result);
  const wanted = [
    ...(expected === undefined ? [] : [expected]),
    ...(isRule ? [] : [`by ${describeRule(fixture.expectedRule ?? undefined)}`]),
    ...(isFlow ? [] : [`finding ${listFlow(fixture.expectedFlow ?? [])}`]),
    ...(isResult ? [] : [`result ${fixture.expectedResult}`]),
  ];
  const ofResult = isResult ? '' : ` result ${result.result ?? 'none, since the call was not made'}`;
  return [
    `        expected  ${wanted.join(' ')}`,
    `        actual    ${decision.action} by ${by}${isFlow ? '' : ` finding ${listFlow(flowOf(decision))}`}${ofResult}`,
    ...flow.map(({ rule: name, reason }) => `        ${name}: ${printable(reason)}`),
    `        fixture   ${fixture.file}`,
  ];
}

function listFlow(rules: readonly string[]): string {
  return rules.length === 0 ? 'nothing' : rules.join(', ');
}

/** Names a rule by its id, in quotes, or by its number from 1, and a guard by its name; undefined stands for none. */
function describeRule(rule: string | number | undefined): string {
  if (rule === undefined) return 'the default';
  if (typeof rule === 'number') return `rule ${rule}`;
  return GUARD.test(rule) ? rule : `rule ${printable(JSON.stringify(rule))}`;
}

function reasonText({ decision }: TestResult): string {
  return decision.reason === 'default' ? 'the default' : decision.reason;
}

function summarise(report: TestReport, paint: (colour: Colour, text: string) => string): string {
  const { passed, failed, unchecked } = countResults(report);
  const { rules, hit, missed, guards } = report.coverage;
  const parts = [`${passed} passed`, `${failed} failed`];
  if (unchecked > 0) parts.push(`${unchecked} not checked`);
  const counted = `${countFixtures(report)}: ${parts.join(', ')}`;
  const rulesHit = `${hit} of ${rules} rules hit`;
  // Who tests no sessions is not told what sessions would test.
  const isAboutGuards = guards.hit.length > 0 || report.results.some(({ fixture }) => fixture.step !== undefined);
  const all = guards.hit.length + guards.missed.length;
  const guardsHit = isAboutGuards && all > 0 ? `, ${guards.hit.length} of ${all} guards` : '';
  const notHit = isAboutGuards ? [...missed, ...guards.missed] : missed;
  return `${paint(failed > 0 ? 'red' : 'green', counted)}; ${rulesHit}${guardsHit}${listMissed(notHit)}`;
}

/** `3 fixtures`, or `3 fixtures with 7 calls` where some have steps. */
function countFixtures({ results }: TestReport): string {
  const fixtures = results.filter(({ fixture }) => fixture.step === undefined || fixture.step.isLast).length;
  const named = countOf(fixtures, 'fixture');
  return results.some(({ fixture }) => fixture.step !== undefined) ? `${named} with ${countOf(results.length, 'call')}` : named;
}

/** Which rules decided nothing, on a line of its own; a few are enough to see what kind of fixture is missing. */
function listMissed(missed: readonly string[]): string {
  if (missed.length === 0) return '';
  const shown = missed.slice(0, MOST_MISSED).map(printable).join(', ');
  const more = missed.length - MOST_MISSED;
  return `\nnot hit: ${shown}${more > 0 ? ` and ${more} more` : ''}`;
}
