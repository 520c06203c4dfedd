import { expect, it } from 'vitest';

import { type Lint, lintPolicy } from '../../../../src/core/policy/lint/lint-policy.ts';
import { policyFrom } from '../../../support/policy.ts';

/** Policies that a lint rule finds something in, and others that it has nothing against. */
export interface LintSamples {
  readonly hit: readonly string[];
  readonly miss: readonly string[];
}

/** A policy of rules, each a line of fields between semicolons, the action first; a line that begins with `[` stands as it is. */
export function policyText(lines: string): string {
  const parts = lines.split('\n').map((line) => {
    if (line.startsWith('[') || line.startsWith('#') || line.trim() === '') return line.replaceAll('; ', '\n');
    const [action = '', ...fields] = line.split('; ');
    return `[[rule]]\naction = "${action}"\n${fields.join('\n')}\n`;
  });
  return `${parts.join('\n')}\n`;
}

/** What one lint rule finds in a policy. */
function lintsOf(id: string, lines: string): readonly Lint[] {
  return lintPolicy(policyFrom(policyText(lines))).lints.filter((lint) => lint.id === id);
}

export function testLint(id: string, { hit, miss }: LintSamples): void {
  it.each(hit)('finds something in: %s', (lines) => expect(lintsOf(id, lines)).not.toEqual([]));
  it.each(miss)('has nothing against: %s', (lines) => expect(lintsOf(id, lines)).toEqual([]));
}
