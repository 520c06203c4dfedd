import { styleText } from 'node:util';
import type { Lint } from '../../../core/policy/lint/lint-policy.ts';
import { formatPlace } from '../../../errors.ts';
import { formatExcerpt } from '../../terminal/excerpt.ts';
import { printable } from '../../terminal/printable.ts';
import type { LintOutput } from './lint-formats.ts';

const COLOURS = { error: 'red', warning: 'yellow', info: 'cyan' } as const;

/** For people: each finding begins its line with its place, as those of `policy lint` do, with the line of the policy below. */
export function formatTextLints({ file, report, summary }: LintOutput, text: string, isColoured: boolean): string {
  const shown = report.lints.map((lint) => formatLint(file, lint, { text, isColoured }));
  return `${[...shown, `${printable(file)}: ${summary}\n`].join('\n')}`;
}

function formatLint(
  file: string,
  lint: Lint,
  { text, isColoured }: { readonly text: string; readonly isColoured: boolean },
): string {
  const { severity, id, line, column, message, hint, related } = lint;
  const word = isColoured ? styleText(COLOURS[severity], severity, { validateStream: false }) : severity;
  const excerpt = formatExcerpt(text, line, column).trimEnd();
  const below = [
    ...(excerpt === '' ? [] : excerpt.split('\n')),
    ...related.map(
      (other) => `${printable(formatPlace({ file, line: other.line, column: other.column }))}: ${printable(other.message)}`,
    ),
    ...(hint === undefined ? [] : [printable(hint)]),
  ];
  const head = `${printable(formatPlace({ file, line, column }))}: ${word}: ${printable(message)} [${id}]`;
  return `${[head, ...below.map((part) => `  ${part}`)].join('\n')}\n`;
}
