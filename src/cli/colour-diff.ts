import { styleText } from 'node:util';

/**
 * A unified diff for a terminal: nothing in it can steer that, and what goes and what comes has its colour. For a pipe it stays as it
 * is, so that it can be applied.
 */
export function colourDiff(diff: string): string {
  return diff
    .split('\n')
    .map((line) => paintLine(line.replaceAll(/[\p{Cc}\p{Cf}]/gu, (character) => (character === '\t' ? '\t' : '\uFFFD'))))
    .join('\n');
}

function paintLine(line: string): string {
  if (line.startsWith('--- ') || line.startsWith('+++ ')) return styleText('bold', line, { validateStream: false });
  if (line.startsWith('@@')) return styleText('cyan', line, { validateStream: false });
  if (line.startsWith('-')) return styleText('red', line, { validateStream: false });
  return line.startsWith('+') ? styleText('green', line, { validateStream: false }) : line;
}
