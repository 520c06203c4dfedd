import type { Fault } from '../../errors.ts';
import { printable } from '../printable.ts';
import { formatCommand } from '../report/github-command.ts';

/** Workflow commands of GitHub Actions for what is wrong with a policy that is no valid one; none where it is not known at which places. */
export function formatGithubFaults(file: string, faults: readonly Fault[]): string {
  const lines = faults.map(({ message, hint, place: { line, column } }) =>
    formatCommand('error', {
      file,
      line,
      ...(column === undefined ? {} : { column }),
      title: 'no valid policy',
      message: hint === undefined ? printable(message) : `${printable(message)}\n${printable(hint)}`,
    }),
  );
  return lines.map((line) => `${line}\n`).join('');
}
