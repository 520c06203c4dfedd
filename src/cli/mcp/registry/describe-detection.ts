import { styleText } from 'node:util';
import type { Detection, Severity } from '../../../core/detect/types.ts';
import { wrap } from '../../terminal/json.ts';
import { visible } from '../../terminal/printable.ts';
import { wrapWords } from '../../terminal/wrap-words.ts';

/** How findings are to look on this output. */
export interface DetectionLook {
  /** Columns of the terminal; a very large number where there is none. */
  readonly width: number;
  readonly colour: boolean;
}

const STYLES = { low: 'dim', medium: 'yellow', high: 'red', critical: 'red' } as const satisfies Record<Severity, string>;

/** Columns of the longest severity, so that rules stand below each other. */
const SEVERITY_WIDTH = 'critical'.length;
/** The place of a finding. */
const BELOW = SEVERITY_WIDTH + 4;

/** Matches that are shown; `--json` has all that are kept. */
const MOST_MATCHES = 3;

/**
 * A finding as lines: its severity, rule and field, what it means, and what it was found in. All in it is visible.
 *
 * @param reason why it was suppressed, where it was
 */
export function describeDetection(detection: Detection, look: DetectionLook, reason?: string): string[] {
  const { rule, severity, field, description, matches } = detection;
  const word = severity.padEnd(SEVERITY_WIDTH);
  const shown = reason === undefined ? paint(STYLES[severity], word, look) : paint('dim', word, look);
  const [first = '', ...rest] = wrapText(`${visible(rule)} in ${visible(field)}`, look.width - BELOW, 0);
  const lines = [`  ${shown}  ${first}`, ...rest.map((line) => `${' '.repeat(BELOW)}${line}`)];
  lines.push(...wrapText(visible(description), look.width));
  if (reason !== undefined) return [...lines, ...wrapText(`suppressed: ${visible(reason)}`, look.width)];
  for (const { text, context, decoded } of matches.slice(0, MOST_MATCHES)) {
    const how = decoded === undefined ? '' : ` (${visible(decoded)})`;
    lines.push(...wrapText(`${quote(context === '' ? text : context)}${how}`, look.width));
  }
  return lines;
}

/** At words, where they are no longer than a line. */
function wrapText(text: string, width: number, indent = BELOW): string[] {
  return wrapWords(text, width - indent).flatMap((line) => wrap(line, width, indent));
}

/** `2 critical, 1 medium`; the worst first. */
export function countBySeverity(detections: readonly Pick<Detection, 'severity'>[]): string {
  const order = ['critical', 'high', 'medium', 'low'] as const satisfies readonly Severity[];
  const counts = order.map((severity) => [detections.filter((each) => each.severity === severity).length, severity] as const);
  return counts.flatMap(([count, severity]) => (count === 0 ? [] : [`${count} ${severity}`])).join(', ');
}

/** On one line, between quotation marks; line ends in it are spaces. */
function quote(text: string): string {
  return `"${visible(text.replaceAll(/\s+/g, ' ').trim())}"`;
}

function paint(style: 'dim' | 'yellow' | 'red', text: string, { colour }: DetectionLook): string {
  return colour ? styleText(style, text, { validateStream: false }) : text;
}
