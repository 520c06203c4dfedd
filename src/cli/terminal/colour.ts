import { styleText } from 'node:util';

let chosen: 'auto' | 'always' | 'never' = 'auto';

/** The value of `--color`, which holds for the whole process. */
export function chooseColour(choice: string): void {
  chosen = choice === 'always' || choice === 'never' ? choice : 'auto';
}

/**
 * Whether to colour what goes to a stream. `--color` counts first, then FORCE_COLOR (0 is no), then NO_COLOR (https://no-color.org), in the
 * order that Node keeps; else only a terminal that can is coloured.
 */
export function hasColour(stream: { readonly isTTY?: boolean }): boolean {
  if (chosen !== 'auto') return chosen === 'always';
  const { FORCE_COLOR: force = '', NO_COLOR: none = '', TERM: terminal } = process.env;
  if (force !== '') return force !== '0' && force !== 'false';
  return stream.isTTY === true && none === '' && terminal !== 'dumb';
}

/**
 * A unified diff as it goes to stdout. On a terminal, and wherever a person is to say yes to it, nothing in it can steer that; with colours, what
 * goes and what comes has one. For a pipe it stays as it is, so that it can be applied.
 */
export function formatDiff(diff: string, { isAsked = false } = {}): string {
  const isColoured = hasColour(process.stdout);
  if (!isColoured && !isAsked && !process.stdout.isTTY) return diff;
  const lines = diff.replaceAll(/[^\P{Cc}\t\n]|\p{Cf}/gu, '\uFFFD').split('\n');
  return lines.map((line) => (isColoured ? paintLine(line) : line)).join('\n');
}

function paintLine(line: string): string {
  if (line.startsWith('--- ') || line.startsWith('+++ ')) return styleText('bold', line, { validateStream: false });
  if (line.startsWith('@@')) return styleText('cyan', line, { validateStream: false });
  if (line.startsWith('-')) return styleText('red', line, { validateStream: false });
  return line.startsWith('+') ? styleText('green', line, { validateStream: false }) : line;
}
