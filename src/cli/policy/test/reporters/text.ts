import { countOf, formatCount } from '../../../terminal/layout.ts';
import { cutToWidth, displayWidth, padToWidth, printable } from '../../../terminal/text.ts';
import { countResults, flowOf, isChecked, type TestReport, type TestResult } from '../test-report.ts';
import { deciderOf, describeMismatch, detailLines, nameOf, type ReportContext } from './describe-result.ts';
import { coverageGate, isFailing, mutationGate } from './gates.ts';
import { type Paint, painter } from '../../../terminal/colour.ts';

const MOST_MISSED = 5;
/** Mutants that are shown; more are no list to work through. */
const MOST_SURVIVORS = 25;

/** Formats a report for people: one line per fixture or step, the differences below it, and one line that sums up. */
export function formatTextReport(report: TestReport, context: ReportContext): string {
  const paint = painter(context);
  const { errors } = report;
  if (errors.length > 0)
    return context.isQuiet === true ? '' : `${paint('red', `nothing was tested: ${countOf(errors.length, 'error')}`)}\n`;
  const results = context.isQuiet === true ? report.results.filter(({ ok }) => !ok) : report.results;
  const width = nameWidth(results.map(nameOf), context.width);
  const outcomeWidth = Math.max('prompt'.length, ...results.map(({ actual }) => actual.length));
  const lines = results.flatMap((result) => {
    const name = padToWidth(cutToWidth(nameOf(result), width), width);
    const outcome = `${result.actual.padEnd(outcomeWidth)}  ${paint('dim', printable(decidedBy(result)))}`;
    const whole = name.trimEnd() === nameOf(result) ? [] : [`        name      ${nameOf(result)}`];
    if (!result.ok)
      return [
        `${paint('red', 'FAIL')}  ${name}  ${outcome}`,
        ...whole,
        ...detailLines(describeMismatch(result, context)).map((line) => `        ${line}`),
      ];
    return [`${isChecked(result) ? paint('green', 'ok  ') : '-   '}  ${name}  ${outcome}`];
  });
  const details = [...tellCoverage(report, context, paint), ...tellMutation(report, context, paint)];
  const summary = context.isQuiet === true ? [] : ['', summarise(report, paint)];
  return [...lines, ...summary, ...details].map((line) => `${line}\n`).join('');
}

/** Columns before and behind a name: `FAIL  `, `  prompt  `, and what decides, which is worth as many. */
const BESIDE_NAME = 6 + 10 + 24;
const LEAST_NAME = 16;

/** The width of names, which are cut for a terminal so that each line has room for the decision. */
function nameWidth(names: readonly string[], columns: number): number {
  const widest = Math.max(0, ...names.map(displayWidth));
  return Math.min(widest, Math.max(LEAST_NAME, columns - BESIDE_NAME));
}

/** Names the decider, other findings of flow rules and detection, and the outcome of the result or the request. */
function decidedBy(result: TestResult): string {
  const { decision } = result;
  const by = deciderOf(result);
  const found = [...new Set(decision.findings.map(({ rule }) => rule))];
  const others = [...flowOf(decision).filter((rule) => `flow:${rule}` !== by), ...found];
  const ofResult = result.result === undefined || result.result === 'pass' ? [] : [`result: ${result.result}`];
  const { request } = result;
  const ofRequest = request === undefined || request === 'pass' || request === 'deny' ? [] : [`request: ${request}`];
  return [by, ...(others.length === 0 ? [] : [`found: ${others.join(', ')}`]), ...ofResult, ...ofRequest].join(', ');
}

function summarise(report: TestReport, paint: Paint): string {
  const { passed, failed, unchecked } = countResults(report);
  const { rules, hit, missed, guards } = report.coverage;
  const parts = [`${passed} passed`, `${failed} failed`];
  if (unchecked > 0) parts.push(`${unchecked} not checked`);
  const counted = `${countFixtures(report)}: ${parts.join(', ')}`;
  const rulesHit = `${hit} of ${rules} rules hit`;
  // Guards are left out for people who test no sessions.
  const isAboutGuards = guards.hit.length > 0 || report.results.some(({ fixture }) => fixture.step !== undefined);
  const all = guards.hit.length + guards.missed.length;
  const guardsHit = isAboutGuards && all > 0 ? `, ${guards.hit.length} of ${all} guards` : '';
  const notHit = isAboutGuards ? [...missed, ...guards.missed] : missed;
  return `${paint(failed > 0 ? 'red' : 'green', counted)}; ${rulesHit}${guardsHit}${listMissed(notHit)}`;
}

/** Lists the rules that no fixture hits, if those are too many. */
function tellCoverage(report: TestReport, context: ReportContext, paint: Paint): string[] {
  const { isMet, line, gaps } = coverageGate(report, context);
  return isMet ? [] : [paint('red', line), ...gaps.map(({ place, title }) => `        ${place}  ${printable(title)}`)];
}

/** Lists the changes that no fixture noticed, in file order, and what would notice them. */
function tellMutation(report: TestReport, context: ReportContext, paint: Paint): string[] {
  const gate = mutationGate(report, context);
  if (gate === undefined || (context.isQuiet === true && !isFailing(gate))) return [];
  const survivors = report.mutation?.survivors ?? [];
  const more = survivors.length - MOST_SURVIVORS;
  return [
    gate.isMet && survivors.length > 0 ? gate.line : paint(gate.isMet ? 'green' : 'red', gate.line),
    ...survivors
      .slice(0, MOST_SURVIVORS)
      .flatMap(({ line, change, need }) => [
        `        ${context.policy}:${line}  ${printable(change)}`,
        `            ${paint('dim', `missing: ${printable(need)}`)}`,
      ]),
    ...(more > 0 ? [`        and ${formatCount(more)} more; --reporter json has them all`] : []),
  ];
}

/** `3 fixtures`, or `3 fixtures with 7 calls` where some have steps. */
function countFixtures({ results }: TestReport): string {
  const fixtures = results.filter(({ fixture }) => fixture.step === undefined || fixture.step.isLast).length;
  const named = countOf(fixtures, 'fixture');
  return results.some(({ fixture }) => fixture.step !== undefined) ? `${named} with ${countOf(results.length, 'call')}` : named;
}

/** Lists rules that decided nothing on a line of its own; a few show what kind of fixture is missing. */
function listMissed(missed: readonly string[]): string {
  if (missed.length === 0) return '';
  const shown = missed.slice(0, MOST_MISSED).map(printable).join(', ');
  const more = missed.length - MOST_MISSED;
  return `\nnot hit: ${shown}${more > 0 ? ` and ${more} more` : ''}`;
}
