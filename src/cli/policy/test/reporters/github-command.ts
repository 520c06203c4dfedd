import type { Fault } from '../../../../errors.ts';
import { printable } from '../../../terminal/printable.ts';

export interface Annotation {
  readonly file: string;
  readonly line: number | undefined;
  readonly column?: number;
  readonly title: string;
  readonly message: string;
}

/** One workflow command of GitHub Actions, which it shows beside the line. */
export function formatCommand(level: 'error' | 'warning' | 'notice', { file, line, column, title, message }: Annotation): string {
  const properties = [
    `file=${escapeProperty(file)}`,
    ...(line === undefined ? [] : [`line=${line}`]),
    ...(column === undefined ? [] : [`col=${column}`]),
    `title=${escapeProperty(title)}`,
  ];
  return `::${level} ${properties.join(',')}::${escapeData(message)}`;
}

/** A command for each thing that is wrong with a policy or a fixture, so that it stands there at its line. */
export function formatFaults(title: string, faults: readonly Fault[]): readonly string[] {
  return faults.map(({ message, hint, place: { file, line, column } }) =>
    formatCommand('error', {
      file,
      line,
      ...(column === undefined ? {} : { column }),
      title,
      message: hint === undefined ? printable(message) : `${printable(message)}\n${printable(hint)}`,
    }),
  );
}

/** As the toolkit of GitHub Actions does it. */
function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
