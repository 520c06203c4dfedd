import type { Fault } from '../../errors.ts';
import type { LintOutput } from './lint-output.ts';
import { formatCommand } from '../report/github-command.ts';

const LEVELS = { error: 'error', warning: 'warning', info: 'notice' } as const;

/** Workflow commands of GitHub Actions: one per finding, and a line that sums up. */
export function formatGithubLints({ file, report, summary }: LintOutput): string {
  const lines = report.lints.map(({ id, severity, line, column, message, hint }) =>
    formatCommand(LEVELS[severity], {
      file,
      line,
      column,
      title: id,
      message: hint === undefined ? message : `${message}\n${hint}`,
    }),
  );
  return `${[...lines, summary].join('\n')}\n`;
}

/** The same for what is wrong with a policy that is no valid one: nothing, where it is no fault at a place in it. */
export function formatGithubFaults(file: string, faults: readonly Fault[]): string {
  const title = 'no valid policy';
  const lines = faults.map(({ message, hint, place }) => {
    const { line, column } = place;
    return formatCommand('error', {
      file,
      line,
      ...(column === undefined ? {} : { column }),
      title,
      message: hint === undefined ? message : `${message}\n${hint}`,
    });
  });
  return lines.map((line) => `${line}\n`).join('');
}
