import { styleText } from 'node:util';
import { countResults, decidingRule, isChecked, isExpectedRule, type TestReport, type TestResult } from '../test-report.ts';
import { printable } from '../printable.ts';
import type { ReportContext } from './reporter.ts';

const MOST_MISSED = 5;

type Colour = 'green' | 'red' | 'dim';

/** For people: one line per fixture, what differs below those that differ, and one line that sums up. */
export function formatTextReport(report: TestReport, context: ReportContext): string {
  const paint = (colour: Colour, text: string): string =>
    context.colour ? styleText(colour, text, { validateStream: false }) : text;
  const width = Math.max(...report.results.map(({ fixture }) => printable(fixture.name).length));
  const lines = report.results.flatMap((result) => {
    const { fixture, decision } = result;
    const name = printable(fixture.name).padEnd(width);
    const outcome = `${decision.action.padEnd('prompt'.length)}  ${paint('dim', printable(decidingRule(decision) ?? reasonText(result)))}`;
    if (!result.ok) return [`${paint('red', 'FAIL')}  ${name}  ${outcome}`, ...explain(result, context)];
    return [`${isChecked(result) ? paint('green', 'ok  ') : '-   '}  ${name}  ${outcome}`];
  });
  return `${[...lines, '', summarise(report, paint)].join('\n')}\n`;
}

/** The lines below a mismatch: both decisions, the rule that decided and where it stands, and the fixture's file. */
function explain(result: TestResult, { policy, rulePlaces }: ReportContext): string[] {
  const { fixture, decision, expected } = result;
  const { rule } = decision;
  const by =
    rule === undefined ? reasonText(result) : `${describeRule(rule.id ?? rule.index + 1)} at ${rulePlaces[rule.index] ?? policy}`;
  const wanted = [
    ...(expected === undefined ? [] : [expected]),
    ...(isExpectedRule(fixture, decision) ? [] : [`by ${describeRule(fixture.expectedRule ?? undefined)}`]),
  ];
  return [
    `        expected  ${wanted.join(' ')}`,
    `        actual    ${decision.action} by ${by}`,
    `        fixture   ${fixture.file}`,
  ];
}

/** Names a rule by its id, in quotes, or by its number from 1; undefined stands for none. */
function describeRule(rule: string | number | undefined): string {
  if (rule === undefined) return 'the default';
  return typeof rule === 'number' ? `rule ${rule}` : `rule ${printable(JSON.stringify(rule))}`;
}

function reasonText({ decision }: TestResult): string {
  return decision.reason === 'default' ? 'the default' : decision.reason;
}

function summarise(report: TestReport, paint: (colour: Colour, text: string) => string): string {
  const { total, passed, failed, unchecked } = countResults(report);
  const { rules, hit, missed } = report.coverage;
  const parts = [`${passed} passed`, `${failed} failed`];
  if (unchecked > 0) parts.push(`${unchecked} not checked`);
  const counted = `${total} ${total === 1 ? 'fixture' : 'fixtures'}: ${parts.join(', ')}`;
  return `${paint(failed > 0 ? 'red' : 'green', counted)}; ${hit} of ${rules} rules hit${listMissed(missed)}`;
}

/** Which rules decided nothing, on a line of its own; a few are enough to see what kind of fixture is missing. */
function listMissed(missed: readonly string[]): string {
  if (missed.length === 0) return '';
  const shown = missed.slice(0, MOST_MISSED).map(printable).join(', ');
  const more = missed.length - MOST_MISSED;
  return `\nnot hit: ${shown}${more > 0 ? ` and ${more} more` : ''}`;
}
