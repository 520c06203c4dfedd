import type { TestReport } from '../test-report.ts';
import type { ReportContext } from './describe-result.ts';
import { pointsOf, type TestPoint } from './test-points.ts';

/** The Test Anything Protocol, version 14. */
export function formatTapReport(report: TestReport, context: ReportContext): string {
  const points = pointsOf(report, context);
  return ['TAP version 14', `1..${points.length}`, ...points.flatMap(formatPoint)].map((line) => `${line}\n`).join('');
}

function formatPoint({ name, outcome, message, details }: TestPoint, index: number): readonly string[] {
  const isFine = outcome === 'passed' || outcome === 'skipped';
  // A `#` would begin a directive.
  const escaped = name.replaceAll(/[\\#]/g, String.raw`\$&`);
  const head = `${isFine ? 'ok' : 'not ok'} ${index + 1} - ${escaped}${outcome === 'skipped' ? ` # SKIP ${message}` : ''}`;
  // A block of YAML; JSON is YAML, and so are its texts.
  const lines = Object.entries(details).flatMap(([key, value]) =>
    value.length === 0 ? [] : [`  ${key}: ${JSON.stringify(value)}`],
  );
  return lines.length === 0 ? [head] : [head, '  ---', ...lines, '  ...'];
}
