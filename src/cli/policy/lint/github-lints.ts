import { printable } from '../../terminal/printable.ts';
import type { LintOutput } from './lint-formats.ts';
import { formatCommand } from '../test/reporters/github-command.ts';

const LEVELS = { error: 'error', warning: 'warning', info: 'notice' } as const;

/** Workflow commands of GitHub Actions: one per finding, and a line that sums up. */
export function formatGithubLints({ file, report, summary }: LintOutput): string {
  const lines = report.lints.map(({ id, severity, line, column, message, hint }) =>
    formatCommand(LEVELS[severity], {
      file,
      line,
      column,
      title: id,
      message: hint === undefined ? printable(message) : `${printable(message)}\n${printable(hint)}`,
    }),
  );
  return `${[...lines, summary].join('\n')}\n`;
}
