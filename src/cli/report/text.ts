import { styleText } from 'node:util';
import { countResults, decidingRule, isChecked, isExpectedRule, type TestReport, type TestResult } from '../test-report.ts';
import { printable } from '../printable.ts';
import type { ReportContext } from './reporter.ts';

type Colour = 'green' | 'red' | 'dim';

/** For people: one line per fixture, what differs below those that differ, and one line that sums up. */
export function formatTextReport(report: TestReport, context: ReportContext): string {
  const paint = (colour: Colour, text: string): string =>
    context.colour ? styleText(colour, text, { validateStream: false }) : text;
  const width = Math.max(...report.results.map(({ fixture }) => printable(fixture.name).length));
  const lines = report.results.flatMap((result) => {
    const { fixture, decision } = result;
    const name = printable(fixture.name).padEnd(width);
    const outcome = `${decision.action.padEnd('prompt'.length)}  ${paint('dim', decidingRule(decision) ?? reasonText(result))}`;
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
    rule === undefined
      ? reasonText(result)
      : `rule ${JSON.stringify(decidingRule(decision))} at ${rulePlaces[rule.index] ?? policy}`;
  const wanted = [
    ...(expected === undefined ? [] : [expected]),
    ...(isExpectedRule(fixture, decision) ? [] : [`by ${describeExpectedRule(fixture.expectedRule)}`]),
  ];
  return [
    `        expected  ${wanted.join(' ')}`,
    `        actual    ${decision.action} by ${by}`,
    `        fixture   ${fixture.file}`,
  ];
}

function describeExpectedRule(rule: string | number | null | undefined): string {
  if (typeof rule === 'number') return `rule ${rule}`;
  return typeof rule === 'string' ? `rule ${JSON.stringify(rule)}` : 'the default';
}

function reasonText({ decision }: TestResult): string {
  return decision.reason === 'default' ? 'the default' : decision.reason;
}

function summarise(report: TestReport, paint: (colour: Colour, text: string) => string): string {
  const { total, passed, failed, unchecked } = countResults(report);
  const { rules, hit } = report.coverage;
  const parts = [`${passed} passed`, `${failed} failed`];
  if (unchecked > 0) parts.push(`${unchecked} not checked`);
  const counted = `${total} ${total === 1 ? 'fixture' : 'fixtures'}: ${parts.join(', ')}`;
  return `${paint(failed > 0 ? 'red' : 'green', counted)}; ${hit} of ${rules} rules hit`;
}
