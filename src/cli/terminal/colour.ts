import { styleText } from 'node:util';

let chosen: 'auto' | 'always' | 'never' = 'auto';

/** The value of `--color`, which holds for the whole process. */
export function chooseColour(choice: string): void {
  chosen = choice === 'always' || choice === 'never' ? choice : 'auto';
}

/**
 * Tells whether to colour a stream. `--color` counts first, then FORCE_COLOR (0 is no), then NO_COLOR (https://no-color.org), in the
 * order that Node keeps; else only a terminal that can is coloured.
 */
export function hasColour(stream: { readonly isTTY?: boolean }): boolean {
  if (chosen !== 'auto') return chosen === 'always';
  const { FORCE_COLOR: force = '', NO_COLOR: none = '', TERM: terminal } = process.env;
  if (force !== '') return force !== '0' && force !== 'false';
  return stream.isTTY === true && none === '' && terminal !== 'dumb';
}

export type Style = 'bold' | 'dim' | 'red' | 'yellow' | 'green' | 'cyan' | 'inverse';

/** The width and the colours of an output. */
export interface Look {
  /** Columns; Infinity where nothing has to be wrapped or cut. */
  readonly width: number;
  readonly colour: boolean;
}

/** The look of this stdout: as wide as the terminal, and not wrapped if it is none. */
export function stdoutLook(colour = hasColour(process.stdout)): Look {
  return { width: process.stdout.isTTY ? process.stdout.columns || 80 : Infinity, colour };
}

/** The text in a style, where there is colour. It is printable already. */
export function paint(style: Style, text: string, { colour }: Pick<Look, 'colour'> = { colour: true }): string {
  return colour ? styleText(style, text, { validateStream: false }) : text;
}

export type Paint = (style: Style, text: string) => string;

/** The same for many texts of one output. */
export function painter(look: Pick<Look, 'colour'>): Paint {
  return (style, text) => paint(style, text, look);
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
  if (line.startsWith('--- ') || line.startsWith('+++ ')) return paint('bold', line);
  if (line.startsWith('@@')) return paint('cyan', line);
  if (line.startsWith('-')) return paint('red', line);
  return line.startsWith('+') ? paint('green', line) : line;
}
