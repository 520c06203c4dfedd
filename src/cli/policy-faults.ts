import type { Fault } from '../errors.ts';
import { countOf } from './count-of.ts';
import type { Excerpt } from './format-error.ts';
import { formatFault } from './format-error.ts';

/** What is wrong with a policy. Each fault begins its line, as linters do, so that editors find the places. Ends with a newline. */
export function formatPolicyFaults(file: string, faults: readonly Fault[], excerpt: Excerpt): string {
  const shown = faults.map((fault) => formatFault(fault, excerpt));
  return `${shown.join('\n')}\nclawai: ${file} is no valid policy: ${countOf(faults.length, 'error')}\n`;
}
